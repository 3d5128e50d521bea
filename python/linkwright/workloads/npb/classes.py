"""The problem classes of the NAS parallel benchmarks: sizes, iterations, and counts of operations.

Formulas of the reports of NPB 2.2 and 3.3.1, which agree [NPB-2.2], [NPB-3.3.1]. Rates are based on
these counts: EP counts random numbers, two per pair, IS counts keys.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "CG_CLASSES",
    "EP_PAIRS",
    "FT_GRIDS",
    "IS_CLASSES",
    "ITERATIONS",
    "SIDES",
    "CgClass",
    "IsClass",
    "ProblemClass",
    "operations",
]

ProblemClass = Literal["S", "W", "A", "B", "C", "D"]
"""Name of a class, from the smallest to the largest."""

SIDES: dict[str, dict[str, int]] = {
    "bt": {"S": 12, "W": 24, "A": 64, "B": 102, "C": 162, "D": 408},
    "sp": {"S": 12, "W": 36, "A": 64, "B": 102, "C": 162, "D": 408},
    "lu": {"S": 12, "W": 33, "A": 64, "B": 102, "C": 162, "D": 408},
    "mg": {"S": 32, "W": 128, "A": 256, "B": 256, "C": 512, "D": 1024},
}
"""Points along a side of a cubic grid."""

FT_GRIDS: dict[str, tuple[int, int, int]] = {
    "S": (64, 64, 64),
    "W": (128, 128, 32),
    "A": (256, 256, 128),
    "B": (512, 256, 256),
    "C": (512, 512, 512),
    "D": (2048, 1024, 1024),
}
"""Points of FT along x, y and z."""

EP_PAIRS: dict[str, int] = {"S": 2**24, "W": 2**25, "A": 2**28, "B": 2**30, "C": 2**32, "D": 2**36}
"""Pairs of random numbers."""


@dataclass(frozen=True)
class IsClass:
    """One class of the integer sort."""

    keys: int
    buckets: int


IS_CLASSES: dict[str, IsClass] = {
    "S": IsClass(2**16, 2**9),
    "W": IsClass(2**20, 2**10),
    "A": IsClass(2**23, 2**10),
    "B": IsClass(2**25, 2**10),
    "C": IsClass(2**27, 2**10),
    "D": IsClass(2**31, 2**10),
}
"""Classes of the integer sort."""


@dataclass(frozen=True)
class CgClass:
    """One class of the conjugate gradient benchmark."""

    rows: int
    nonzeros: int
    """Nonzeros of a generating vector; a row of the matrix has about nonzeros * (nonzeros + 1)."""


CG_CLASSES: dict[str, CgClass] = {
    "S": CgClass(1400, 7),
    "W": CgClass(7000, 8),
    "A": CgClass(14000, 11),
    "B": CgClass(75000, 13),
    "C": CgClass(150000, 15),
    "D": CgClass(1500000, 21),
}
"""Classes of CG."""

ITERATIONS: dict[str, dict[str, int]] = {
    "bt": {"S": 60, "W": 200, "A": 200, "B": 200, "C": 200, "D": 250},
    "sp": {"S": 100, "W": 400, "A": 400, "B": 400, "C": 400, "D": 500},
    "lu": {"S": 50, "W": 300, "A": 250, "B": 250, "C": 250, "D": 300},
    "mg": {"S": 4, "W": 4, "A": 4, "B": 20, "C": 20, "D": 50},
    "ft": {"S": 6, "W": 6, "A": 6, "B": 20, "C": 20, "D": 25},
    "is": {"S": 10, "W": 10, "A": 10, "B": 10, "C": 10, "D": 10},
    "ep": {"S": 1, "W": 1, "A": 1, "B": 1, "C": 1, "D": 1},
    "cg": {"S": 15, "W": 15, "A": 15, "B": 75, "C": 75, "D": 100},
}
"""Passes of the timed loop."""


def operations(benchmark: str, problem_class: str) -> float:
    """Return the number of operations on which a benchmark's rate is based.

    Parameters
    ----------
    benchmark : str
        bt, sp, lu, mg, ft, is, ep or cg.
    problem_class : str
        S, W, A, B, C or D.

    Raises
    ------
    KeyError
        If there is no such benchmark or class.

    Examples
    --------
    >>> round(operations("mg", "A") / 1e6, 1)
    3892.3
    """
    iterations = ITERATIONS[benchmark][problem_class]
    if benchmark in SIDES:
        return iterations * _per_iteration(benchmark, SIDES[benchmark][problem_class])
    if benchmark == "ft":
        n = math.prod(FT_GRIDS[problem_class])
        log_n = math.log(n)
        return n * (14.8157 + 7.19641 * log_n + (5.23518 + 7.21113 * log_n) * iterations)
    if benchmark == "cg":
        shape = CG_CLASSES[problem_class]
        fill = shape.nonzeros * (shape.nonzeros + 1)
        return 2.0 * iterations * shape.rows * (3 + fill + 25 * (5 + fill) + 3)
    counted = {"is": IS_CLASSES[problem_class].keys, "ep": 2 * EP_PAIRS[problem_class]}
    return float(iterations * counted[benchmark])


def _per_iteration(benchmark: str, n: int) -> float:
    """Return the operations of one pass over a cubic grid of side `n`."""
    return {
        "bt": 3478.8 * n**3 - 17655.7 * n**2 + 28023.7 * n,
        "sp": 881.174 * n**3 - 4683.91 * n**2 + 11484.5 * n - 19272.4,
        "lu": 1984.77 * n**3 - 10923.3 * n**2 + 27770.9 * n - 144010,
        "mg": 58.0 * n**3,
    }[benchmark]
