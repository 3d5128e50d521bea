"""Engines: each takes a Run and returns figures, which become a Result of the one schema.

`run` is the entry point. Engines do not know each other; one file each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwright.engines.engine import ENGINES, predictive
from linkwright.registry import Registry, attribute_of

if TYPE_CHECKING:
    from linkwright.engines.running import play, run, saturate, watch

__all__ = ["ENGINES", "play", "predictive", "run", "saturate", "watch"]

_WAYS_IN: Registry[Any] = Registry(
    __name__,
    {name: f"running:{name}" for name in ("play", "run", "saturate", "watch")},
)

__getattr__ = attribute_of(__name__, _WAYS_IN)
