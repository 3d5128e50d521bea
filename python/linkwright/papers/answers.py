"""Answers to a key such as "PMESH-1998/3": the printed numbers of its tables beside ours.

A table is computed, counted in the built networks, or answered by runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from linkwright.errors import UsageError, shown
from linkwright.papers.counted import counted
from linkwright.papers.entry import Entry
from linkwright.papers.keys import ALL, PAPERS, chosen_tables
from linkwright.papers.reproduction import Reproduction
from linkwright.papers.run_table import RunTable
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


def reproduce(
    key: str = ALL, runner: Runner | None = None, also: Sequence[str] = ()
) -> Reproduction:
    """Return printed numbers and ours, from arithmetic and from runs.

    Parameters
    ----------
    key : str
        "all", a paper, such as "PMESH-1998", or one of its tables, such as "PMESH-1998/3".
    runner : Runner, optional
        Runs the experiments. Default: one after the other, all of them in full.
    also : sequence of str
        Patterns of names, such as "bt.C.*", of experiments beyond print to run too.

    Raises
    ------
    UsageError
        If there is no such paper or table, or if a pattern matches no further experiment.
    """
    chosen = chosen_tables(key)
    tables = {
        f"{paper}/{table}": PAPERS[paper].run_tables[table]().also(also)
        for paper, table in chosen
        if table in PAPERS[paper].run_tables
    }
    _expect_matches(also, tables)
    runner = runner or Runner()
    drawn = runner.drawn(tables)  # first, so that too many draws are refused at once
    results = runner.run(tables)
    found = {f"{paper}/{table}": _without_runs(paper, table) for paper, table in chosen}
    found |= {name: table.entries(results[name], drawn[name]) for name, table in tables.items()}
    return Reproduction(found, tables, results, is_brief=runner.is_brief)


def _expect_matches(also: Sequence[str], tables: Mapping[str, RunTable]) -> None:
    names = [one.name for table in tables.values() for one in table.experiments]
    for pattern in also:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise UsageError(
                f"no run beyond print is named {shown(pattern)}",
                'reproduce lists them below its tables: write such as "bt.C.*-switch"',
            )


def _without_runs(paper: str, table: str) -> list[Entry]:
    """Return a table that is computed or counted; empty for one that needs runs."""
    of = PAPERS[paper]
    if table in of.formulas:
        return of.formulas[table]()
    return counted(of.package, table) if table in of.counted else []
