"""Reproduced papers: their printed numbers beside what Linkwright says of the same networks.

One folder per paper. A table is answered by arithmetic on the built networks, or by a study: runs
whose figures stand beside the printed ones. `reproduce` gives all of them as rows of the one result
schema, each printed value followed by ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.papers import beowulf_1996, nas_97_017, nas_97_025, pmesh_1998, stack_2001
from linkwright.papers.paper import Paper
from linkwright.registry import Registry, attribute_of

if TYPE_CHECKING:
    from linkwright.papers.answers import entries, reproduce
    from linkwright.papers.claim import Basis, Claim, Verdict
    from linkwright.papers.entry import Entry
    from linkwright.papers.reproduction import Reproduction
    from linkwright.papers.running import Runner

__all__ = [
    "ALL",
    "PAPERS",
    "Basis",
    "Claim",
    "Entry",
    "Paper",
    "Reproduction",
    "Runner",
    "Verdict",
    "chosen_tables",
    "entries",
    "reproduce",
    "table_names",
]

ALL = "all"
"""Stands for every paper."""


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


_LOADED: Registry[Any] = Registry(
    __name__,
    {
        "entries": "answers:entries",
        "reproduce": "answers:reproduce",
        "basis": "claim:Basis",
        "claim": "claim:Claim",
        "verdict": "claim:Verdict",
        "entry": "entry:Entry",
        "reproduction": "reproduction:Reproduction",
        "runner": "running:Runner",
    },
)

__getattr__ = attribute_of(__name__, _LOADED)


def table_names(paper: str) -> list[str]:
    """Return the tables of a paper that can be reproduced.

    Raises
    ------
    UsageError
        When there is no such paper.
    """
    if paper not in PAPERS:
        raise UsageError(f"there is no paper {shown(paper)}", _remedy(paper))
    return [*PAPERS[paper].tables, *PAPERS[paper].studies]


def chosen_tables(key: str) -> list[tuple[str, str]]:
    """Return paper and table of all that a key stands for."""
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
    """Return what to give in place of a name that is no paper's; it may be that of a table."""
    tables = [f"{paper}/{table}" for paper in PAPERS for table in table_names(paper)]
    meant = [table for table in tables if table.endswith(f"/{name}")]
    if meant:
        return f"a table goes with its paper: {', '.join(meant)}"
    return unknown_name(name, [ALL, *PAPERS])
