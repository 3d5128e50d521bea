"""Every paper by its key, and the tables that a key such as "PMESH-1998/3" stands for.

No module behind a table is imported here, since command completion uses these names.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.papers import beowulf_1996, nas_97_017, nas_97_025, pmesh_1998, stack_2001
from linkwright.papers.paper import Paper

__all__ = ["ALL", "PAPERS", "chosen_tables", "table_names"]

ALL = "all"
"""Key of all papers."""

PAPERS: Mapping[str, Paper] = MappingProxyType(
    {
        "BEOWULF-1996": beowulf_1996.PAPER,
        "NAS-97-017": nas_97_017.PAPER,
        "NAS-97-025": nas_97_025.PAPER,
        "PMESH-1998": pmesh_1998.PAPER,
        "STACK-2001": stack_2001.PAPER,
    }
)
"""Every paper by its key."""


def table_names(paper: str) -> list[str]:
    """Return the tables of a paper that can be reproduced.

    Raises
    ------
    UsageError
        If there is no such paper.
    """
    if paper not in PAPERS:
        raise UsageError(f"there is no paper {shown(paper)}", _remedy(paper))
    return [*PAPERS[paper].tables, *PAPERS[paper].run_tables]


def chosen_tables(key: str) -> list[tuple[str, str]]:
    """Return paper and table of everything that a key selects."""
    paper, slash, table = key.partition("/")
    if key == ALL:
        return [(each, name) for each in PAPERS for name in table_names(each)]
    if paper == ALL:
        raise UsageError(f"'{ALL}' has no tables", f"give '{ALL}' alone, or a paper with its table")
    names = table_names(paper)
    if slash and table not in names:
        raise UsageError(
            f"paper {shown(paper)} has no table {shown(table)} here", unknown_name(table, names)
        )
    return [(paper, name) for name in ([table] if slash else names)]


def _remedy(name: str) -> str:
    """Return the remedy for an unknown name of a paper, which may be the name of a table."""
    tables = [f"{paper}/{table}" for paper in PAPERS for table in table_names(paper)]
    meant = [table for table in tables if table.endswith(f"/{name}")]
    if meant:
        return f"a table goes with its paper: {', '.join(meant)}"
    return unknown_name(name, [ALL, *PAPERS])
