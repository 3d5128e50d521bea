"""Every workload by name, with settings under which it runs anywhere and is short.

What a test asks of one workload alone it sets itself.
"""

from __future__ import annotations

from pathlib import Path

from linkwright.workloads import Workload, parse

__all__ = ["TRACES", "workload_of"]

TRACES = Path(__file__).with_name("traces")
SETTINGS = {
    # Seed 4 of the permutation moves something on every number of nodes that tests use.
    "permutation": {"seed": "4"},
    "token": {"exchanges": "2", "runs": "1", "warm_up": "1"},
    "disk-net": {"file_bytes": "20000", "warm_up": "1"},
    "keep-alive": {"count": "2", "spacing_s": "0.01"},
    "file-server": {"count": "2"},
    "netpipe": {"largest_bytes": "4K", "repeats": "1", "warm_up": "1"},
    "hpl": {"n": "48", "nb": "16", "rate": "1e8"},
    "goal": {"file": str(TRACES / "pair.goal")},
    "recording": {"folder": str(TRACES / "pair")},
}
# Calibrations of today say nothing of how fast their nodes compute the NAS benchmarks.
SETTINGS_OF_NPB = {"class": "S", "rate": "1e8", "iterations": "1"}


def workload_of(name: str, **settings: str) -> Workload:
    """Return the workload of that name."""
    usual = SETTINGS_OF_NPB if name.startswith("npb.") else SETTINGS.get(name, {})
    return parse(name, {**usual, **settings})
