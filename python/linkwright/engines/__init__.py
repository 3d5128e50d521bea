"""Engines: each takes a Run and returns figures, which become a Result of the one schema.

`observe` is the entry point, `run` its short form. Engines do not know each other; one file each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwright.engines.engine import ENGINES, predictive
from linkwright.registry import Registry, attribute_of

if TYPE_CHECKING:
    from linkwright.engines.inputs import Run
    from linkwright.engines.running import Observed, observe, run, saturate, watch
    from linkwright.observations.observation import Observation

__all__ = [
    "ENGINES",
    "Observation",
    "Observed",
    "Run",
    "observe",
    "predictive",
    "run",
    "saturate",
    "watch",
]

_WAYS_IN: Registry[Any] = Registry(
    "linkwright",
    {
        "Observation": "observations.observation:Observation",
        "Run": "engines.inputs:Run",
        **{
            name: f"engines.running:{name}"
            for name in ("Observed", "observe", "run", "saturate", "watch")
        },
    },
)

__getattr__ = attribute_of(__name__, _WAYS_IN)
