"""Pairwise covering: of all combinations a few in which any two values that meet do so once.

Faults that need three values at once are left to the full product [AETG-1997].
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

Row = tuple[Any, ...]


def pairwise(rows: Iterable[Row]) -> list[Row]:
    """Return some of the rows, with every pair of values that any of them has.

    The pair that fewest rows have is taken first, by the row that adds most: greedy, and the same
    in every run.
    """
    having: dict[object, list[Row]] = {}
    for row in rows:
        for pair in _pairs(row):
            having.setdefault(pair, []).append(row)
    chosen: list[Row] = []
    covered = set[object]()
    for pair in sorted(having, key=lambda pair: len(having[pair])):
        if pair not in covered:
            best = max(having[pair], key=lambda row: len(set(_pairs(row)) - covered))
            chosen.append(best)
            covered.update(_pairs(best))
    return chosen


def _pairs(row: Row) -> list[object]:
    return list(combinations(enumerate(row), 2))
