"""Reproduced papers: their printed numbers beside what Linkwright says of the same networks.

One folder per paper. A table is answered by arithmetic on the built networks, or by a study: runs
whose figures stand beside the printed ones. `reproduce` gives all of them as rows of the one result
schema, each printed value followed by ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.papers import beowulf_1996, nas_97_017, nas_97_025, pmesh_1998, stack_2001
from linkwright.registry import Registry, attribute_of

if TYPE_CHECKING:
    from linkwright.papers.answers import entries, reproduce
    from linkwright.papers.entry import Basis, Entry, Verdict
    from linkwright.papers.reproduction import Reproduction
    from linkwright.papers.running import Runner
    from linkwright.papers.study import Study
    from linkwright.papers.words import WordEntry, Words

__all__ = [
    "ALL",
    "PAPERS",
    "Basis",
    "Entry",
    "Paper",
    "Reproduction",
    "Runner",
    "Verdict",
    "WordEntry",
    "Words",
    "chosen_tables",
    "entries",
    "reproduce",
    "table_names",
]

ALL = "all"
"""Stands for every paper."""


@dataclass(frozen=True)
class Paper:
    """The tables of one paper, by what answers them."""

    title: str
    tables: Mapping[str, Callable[[], list[Entry]]]
    """Answered by arithmetic."""
    studies: Mapping[str, Callable[[], Study]]
    """Answered by runs."""


PAPERS: Mapping[str, Paper] = MappingProxyType(
    {
        "BEOWULF-1996": Paper(beowulf_1996.TITLE, beowulf_1996.TABLES, beowulf_1996.STUDIES),
        "NAS-97-017": Paper(nas_97_017.TITLE, nas_97_017.TABLES, nas_97_017.STUDIES),
        "NAS-97-025": Paper(nas_97_025.TITLE, {}, nas_97_025.STUDIES),
        "PMESH-1998": Paper(pmesh_1998.TITLE, pmesh_1998.TABLES, pmesh_1998.STUDIES),
        "STACK-2001": Paper(stack_2001.TITLE, stack_2001.TABLES, stack_2001.STUDIES),
    }
)
"""Every paper by its key."""


_LOADED: Registry[Any] = Registry(
    __name__,
    {
        "entries": "answers:entries",
        "reproduce": "answers:reproduce",
        "basis": "entry:Basis",
        "entry": "entry:Entry",
        "verdict": "entry:Verdict",
        "reproduction": "reproduction:Reproduction",
        "runner": "running:Runner",
        "word-entry": "words:WordEntry",
        "words": "words:Words",
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
