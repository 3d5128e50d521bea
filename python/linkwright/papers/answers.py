"""Answers to a key such as "PMESH-1998/3": the printed numbers of its tables beside ours.

A table is computed, counted in the built networks, or answered by a study.
"""

from __future__ import annotations

from linkwright.papers.counted import counted
from linkwright.papers.entry import Entry
from linkwright.papers.keys import ALL, PAPERS, chosen_tables
from linkwright.papers.reproduction import Reproduction
from linkwright.papers.running import Runner

__all__ = ["entries", "reproduce"]


def entries(key: str) -> list[Entry]:
    """Return the printed numbers of a key that need no run, beside ours.

    Parameters
    ----------
    key : str
        A paper, such as "PMESH-1998", or one of its tables, such as "PMESH-1998/3".

    Raises
    ------
    UsageError
        If there is no such paper or table.
    """
    return [entry for paper, table in chosen_tables(key) for entry in _without_runs(paper, table)]


def reproduce(key: str = ALL, runner: Runner | None = None) -> Reproduction:
    """Return printed numbers and ours, from arithmetic and from runs.

    Parameters
    ----------
    key : str
        "all", a paper, such as "PMESH-1998", or one of its tables, such as "PMESH-1998/3".
    runner : Runner, optional
        Runs the experiments. Default: one after the other, all of them in full.

    Raises
    ------
    UsageError
        If there is no such paper or table.
    """
    chosen = chosen_tables(key)
    studies = {
        f"{paper}/{table}": PAPERS[paper].studies[table]()
        for paper, table in chosen
        if table in PAPERS[paper].studies
    }
    results = (runner or Runner()).run(studies)
    found = {f"{paper}/{table}": _without_runs(paper, table) for paper, table in chosen}
    found |= {table: study.entries(results[table]) for table, study in studies.items()}
    return Reproduction(found, studies, results)


def _without_runs(paper: str, table: str) -> list[Entry]:
    """Return a table that is computed or counted; empty for one that needs runs."""
    of = PAPERS[paper]
    if table in of.formulas:
        return of.formulas[table]()
    return counted(of.package, table) if table in of.counted else []
