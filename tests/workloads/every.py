"""Every workload by name, with the first of its examples: short, and running on any network.

What a test asks of one workload alone it sets itself.
"""

from __future__ import annotations

from typing import Any

from linkwright.workloads import WORKLOADS, Workload

__all__ = ["workload_of"]


def workload_of(name: str, **settings: Any) -> Workload:
    """Return the workload of that name."""
    kind = WORKLOADS[name]
    return kind(**{**kind.examples[0], **settings})
