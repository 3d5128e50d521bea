"""Chance in a run: whether its seed can change the result, and whether it has.

Chance enters where stations on a hub back off after collisions, where a fault loses or damages
frames, and where ranks are placed at random. Phases of the kernels' clocks depend on the seed too,
but change a result that has none of these too little to ask for more runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from linkwright.engines.engine import Engine
from linkwright.engines.inputs import Run
from linkwright.faults import DOWN
from linkwright.network import HUB
from linkwright.placement import is_random
from linkwright.results import ENGINE_FIGURES, Result

__all__ = ["FEWEST", "are_alike", "can_vary"]

FEWEST = 2
"""Runs that tell whether chance matters."""

_ROUNDING = 1e-9


def can_vary(engine: Engine, run: Run) -> bool:
    """Return whether chance enters a run."""
    if is_random(run.placement):
        return True
    if not engine.moves_frames:
        return False
    loses_frames = any(fault.kind != DOWN for fault in run.faults)
    has_hubs = bool((run.network.wiring.kind == HUB).any())
    return has_hubs or loses_frames


def are_alike(results: Sequence[Result]) -> bool:
    """Return whether runs with different seeds measured the same, except for rounding."""
    first, *others = (
        [row.value for row in result if row.metric not in ENGINE_FIGURES] for result in results
    )
    return all(
        len(first) == len(other)
        and all(math.isclose(a, b, rel_tol=_ROUNDING) for a, b in zip(first, other, strict=True))
        for other in others
    )
