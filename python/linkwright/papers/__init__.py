"""Reproduced papers: their printed numbers beside what Linkwright says of the same networks.

One folder per paper. A table is answered by arithmetic on the built networks, or by a study: runs
whose figures stand beside the printed ones. `reproduce` gives all of them as rows of the one result
schema, each printed value followed by ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.papers import beowulf_1996, nas_97_017, nas_97_025, pmesh_1998, stack_2001
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
        for paper, table in _chosen(key)
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
    chosen = _chosen(key)
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


def _chosen(key: str) -> list[tuple[str, str]]:
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
