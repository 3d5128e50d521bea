"""Every workload by name, with settings under which it runs anywhere and is short.

What a test asks of one workload alone it sets itself.
"""

from __future__ import annotations

from linkwright.workloads import Workload, parse

__all__ = ["workload_of"]

# Seed 4 of the permutation moves something on every number of nodes that tests use.
SETTINGS = {"permutation": {"seed": "4"}}
# Calibrations of today say nothing of how fast their nodes compute the NAS benchmarks.
SETTINGS_OF_NPB = {"class": "S", "rate": "1e8", "iterations": "1"}


def workload_of(name: str, **settings: str) -> Workload:
    """Return the workload of that name."""
    usual = SETTINGS_OF_NPB if name.startswith("npb.") else SETTINGS.get(name, {})
    return parse(name, {**usual, **settings})
