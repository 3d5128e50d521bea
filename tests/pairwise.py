"""Pairwise covering: a few of all combinations, in which every two values meet at least once.

Most faults need no more than two values [AETG-1997]; the full product finds the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

Row = tuple[Any, ...]


def pairwise(rows: Iterable[Row]) -> list[Row]:
    """Return a subset of the rows that has every pair of values of all rows.

    Greedy and deterministic: pairs are covered in the order of how few rows have them, each by the
    row that covers most new pairs.
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
