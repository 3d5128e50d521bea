"""How many operations the NAS parallel benchmarks count: what their Mflop/s are rates of.

Formulas of the reports of NPB 2.2 and 3.3.1, which agree; sizes and iterations per class as the
benchmarks define them. EP counts random numbers, IS keys. What the benchmarks send is not here.
"""

from __future__ import annotations

import math

__all__ = ["operations"]

_SIZES = {
    "bt": {"S": 12, "W": 24, "A": 64, "B": 102, "C": 162},
    "sp": {"S": 12, "W": 36, "A": 64, "B": 102, "C": 162},
    "lu": {"S": 12, "W": 33, "A": 64, "B": 102, "C": 162},
    "mg": {"S": 32, "W": 128, "A": 256, "B": 256, "C": 512},
    "ft": {"S": 2**18, "W": 2**19, "A": 2**23, "B": 2**25, "C": 2**27},
    "is": {"S": 2**16, "W": 2**20, "A": 2**23, "B": 2**25, "C": 2**27},
    "ep": {"S": 2**24, "W": 2**25, "A": 2**28, "B": 2**30, "C": 2**32},
}
"""A side of the grid; for ft the points of the grid, for is the keys, for ep the pairs."""

_ITERATIONS = {
    "bt": {"S": 60, "W": 200, "A": 200, "B": 200, "C": 200},
    "sp": {"S": 100, "W": 400, "A": 400, "B": 400, "C": 400},
    "lu": {"S": 50, "W": 300, "A": 250, "B": 250, "C": 250},
    "mg": {"S": 4, "W": 4, "A": 4, "B": 20, "C": 20},
    "ft": {"S": 6, "W": 6, "A": 6, "B": 20, "C": 20},
    "is": {"S": 10, "W": 10, "A": 10, "B": 10, "C": 10},
    "ep": {"S": 1, "W": 1, "A": 1, "B": 1, "C": 1},
}


def operations(benchmark: str, problem_class: str) -> float:
    """Return the operations that a benchmark's rate is computed from.

    Parameters
    ----------
    benchmark : str
        bt, sp, lu, mg, ft, is or ep.
    problem_class : str
        S, W, A, B or C.

    Raises
    ------
    KeyError
        When there is no such benchmark or class.

    Examples
    --------
    >>> round(operations("mg", "A") / 1e6, 1)
    3892.3
    """
    n = _SIZES[benchmark][problem_class]
    iterations = _ITERATIONS[benchmark][problem_class]
    log_n = math.log(n)
    per_benchmark = {
        "bt": iterations * (3478.8 * n**3 - 17655.7 * n**2 + 28023.7 * n),
        "sp": iterations * (881.174 * n**3 - 4683.91 * n**2 + 11484.5 * n - 19272.4),
        "lu": iterations * (1984.77 * n**3 - 10923.3 * n**2 + 27770.9 * n - 144010),
        "mg": 58 * iterations * n**3,
        "ft": n * (14.8157 + 7.19641 * log_n + (5.23518 + 7.21113 * log_n) * iterations),
        "is": iterations * n,
        "ep": 2 * n,
    }
    return float(per_benchmark[benchmark])
