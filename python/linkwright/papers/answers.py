"""Answers to a key such as "PMESH-1998/3": the printed numbers of its tables beside ours.

A table is answered by arithmetic on the built networks, or by a study.
"""

from __future__ import annotations

from linkwright.papers import ALL, PAPERS, chosen_tables
from linkwright.papers.entry import Entry
from linkwright.papers.reproduction import Reproduction
from linkwright.papers.running import Runner

__all__ = ["entries", "reproduce"]


def entries(key: str) -> list[Entry]:
    """Return those printed numbers beside ours that need no run.

    Parameters
    ----------
    key : str
        A paper, such as "PMESH-1998", or one of its tables, such as "PMESH-1998/3".

    Raises
    ------
    UsageError
        When there is no such paper or table.
    """
    return [
        entry
        for paper, table in chosen_tables(key)
        if table in PAPERS[paper].tables
        for entry in PAPERS[paper].tables[table]()
    ]


def reproduce(key: str = ALL, runner: Runner | None = None) -> Reproduction:
    """Return printed numbers and ours, from arithmetic and from runs.

    Parameters
    ----------
    key : str
        "all", a paper, such as "PMESH-1998", or one of its tables, such as "PMESH-1998/3".
    runner : Runner, optional
        How experiments are run; one after the other, all of them in full, unless given.

    Raises
    ------
    UsageError
        When there is no such paper or table.
    """
    chosen = chosen_tables(key)
    studies = {
        f"{paper}/{table}": PAPERS[paper].studies[table]()
        for paper, table in chosen
        if table in PAPERS[paper].studies
    }
    results = (runner or Runner()).run(studies)
    found = {
        f"{paper}/{table}": PAPERS[paper].tables[table]()
        if table in PAPERS[paper].tables
        else studies[f"{paper}/{table}"].entries(results[f"{paper}/{table}"])
        for paper, table in chosen
    }
    words = {table: study.word_entries(results[table]) for table, study in studies.items()}
    return Reproduction(found, words, studies, results)
