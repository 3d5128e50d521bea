"""Engines: each plays a workload on a network and returns a Result of the one schema.

`run` is the one way in. Engines do not know each other; one file each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from linkwright.registry import Registry, attribute_of

if TYPE_CHECKING:
    from linkwright.engines.running import run, saturate, trace
    from linkwright.results import Result

__all__ = ["ENGINES", "run", "saturate", "trace"]

ENGINES: Registry[Callable[..., tuple[Result, dict[str, Any]]]] = Registry(
    __name__, {"analytic": "analytic:play", "flow": "flow:play", "packet": "packet:play"}
)
"""Every engine by name: plays a workload once and returns the rows and all that the core says."""

_WAYS_IN: Registry[Any] = Registry(
    __name__, {"run": "running:run", "saturate": "running:saturate", "trace": "running:trace"}
)

__getattr__ = attribute_of(__name__, _WAYS_IN)
