"""Reproduced papers: their printed numbers beside Linkwright's results for the same networks.

One folder per paper: design files, claims, experiments. `reproduce` returns every claim and our
value as rows of the one result schema, each printed value followed by ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwright.papers.keys import ALL, PAPERS, chosen_tables, table_names
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
