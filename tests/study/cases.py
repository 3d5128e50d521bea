"""Studies that tests run, and what their folders must hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linkwright.study import Database, Study, StudyFolder

SMALL = """
name: small
question: How does a broadcast grow?
designs:
  - design: {topology: {kind: ring}}
    axes: {topology.shape: [[3], [4], [1]]}
workloads:
  - {name: broadcast, axes: {size_bytes: [64, 4096]}}
engines: [analytic]
seeds: 2
"""
"""Twelve runs, of which four fail: a ring of one node is none."""


def study(text: str = SMALL, **changes: Any) -> Study:
    """Return a study with other values of some keys."""
    return Study.from_fields({**Study.parse(text).document(), **changes})


def rows(folder: StudyFolder | Path) -> list[tuple[Any, ...]]:
    """Return the rows of a folder in the order of points and seeds."""
    with Database(folder) as database:
        question = "select point, seed, metric, value from rows order by all"
        return database.query(question).rows()


def merged(folder: StudyFolder) -> bytes:
    """Return the bytes of the merged rows."""
    return (folder.path / "merged" / "rows.parquet").read_bytes()
