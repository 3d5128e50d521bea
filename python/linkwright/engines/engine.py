"""An engine with its capabilities, the outcome of one run, and the registry of engines.

Predictive engines compute their figures, the emulation and the hardware measure them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.registry import Registry

if TYPE_CHECKING:
    from linkwright.engines.inputs import Run
    from linkwright.observations.observation import Observation
    from linkwright.observations.watched import Watched
    from linkwright.results.schema import Origin
    from linkwright.workloads import Measurement

__all__ = ["ENGINES", "Engine", "Outcome", "engine_named", "predictive"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """A finished run."""

    run: Run
    """The inputs; the workload has the speed of the hosts and is long enough to measure."""
    n_ranks: int
    """Ranks of the workload."""
    measurements: Sequence[Measurement]
    """Figures of the workload, and the costs of faults."""
    figures: Mapping[str, float]
    """The engine's own figures, by names of ENGINE_FIGURES."""
    answer: Mapping[str, Any]
    """Everything that the compiled core returned."""
    watched: Watched | None = None
    """Frames and traffic, if they are not in the answer."""
    remarks: Sequence[str] = ()
    """Remarks of the engine itself."""


class Simulate(Protocol):
    """Runs a workload once."""

    def __call__(self, run: Run, wanted: Observation = ..., /) -> Outcome:
        """Return the outcome of a run, with what is wanted of it."""


def _as_it_is(run: Run) -> Run:
    return run


@dataclass(frozen=True, eq=False, kw_only=True)
class Engine:
    """A model that runs a Program on a Network, and the inputs that it supports."""

    name: str
    simulate: Simulate
    options: Sequence[str] = ()
    """Names of the inputs that it alone has."""
    settle: Callable[[Run], Run] = _as_it_is
    """Chooses what a run leaves open, once for all its repeats."""
    has_traffic: bool = False
    """Whether frames can be captured, and the traffic of ports counted."""
    has_pages: bool = False
    """Whether a page has the engine, and plays its runs."""
    moves_frames: bool = False
    """Whether frames are modelled one by one: datagrams, address resolution, pause, full queues."""
    shares_links: bool = True
    """Whether ranks slow each other down, so that a background has an effect."""
    has_faults: bool = False
    """Whether parts can fail during a run."""
    origin: Origin = "predicted"
    """Origin of its figures."""
    counts_loads: bool = False
    """Whether it takes patterns, and counts their loads along the routes without a run."""

    def jobs(self, n_jobs: int | None) -> int | None:
        """Return how many runs may be made at the same time: one if they measure this machine."""
        return 1 if self.origin == "measured" else n_jobs


ENGINES: Registry[Engine] = Registry(
    "linkwright.engines",
    {
        "analytic": "analytic:ANALYTIC",
        "flow": "flow:FLOW",
        "packet": "packet:PACKET",
        "emulation": "emulation:EMULATION",
        "hardware": "hardware:HARDWARE",
    },
)
"""Every engine by name."""

_BESIDE: Registry[Engine] = Registry("linkwright.engines", {"saturation": "saturation:SATURATION"})
"""Engines of patterns, which a study takes among the others."""


def engine_named(name: str) -> Engine:
    """Return an engine by its name.

    Raises
    ------
    UsageError
        If there is none.
    """
    if name in _BESIDE:
        return _BESIDE[name]
    if name not in ENGINES:
        raise UsageError(f"unknown engine {shown(name)}", unknown_name(name, ENGINES))
    return ENGINES[name]


def predictive() -> list[str]:
    """Return the names of the engines that compute their figures, and measure none."""
    return [name for name in ENGINES if ENGINES[name].origin == "predicted"]
