"""Every workload by name, with its first example: a short run on any network.

A test of one workload sets other settings itself.
"""

from __future__ import annotations

from typing import Any

from linkwright.workloads import WORKLOADS, Workload

__all__ = ["workload_of"]


def workload_of(name: str, **settings: Any) -> Workload:
    """Return the workload of that name."""
    kind = WORKLOADS[name]
    return kind(**{**kind.examples[0], **settings})
