"""An engine with its capabilities, the outcome of one run, and the registry of engines.

Predictive engines compute their figures, the emulation measures them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwright.registry import Registry

if TYPE_CHECKING:
    from linkwright.observations.watched import Watched
    from linkwright.results import Run
    from linkwright.results.schema import Origin
    from linkwright.workloads import Measurement

__all__ = ["ENGINES", "Engine", "Outcome", "predictive"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """A finished run."""

    run: Run
    """Inputs as run: the workload at the speed of the hosts and long enough to measure."""
    n_ranks: int
    """Ranks of the workload."""
    measurements: Sequence[Measurement]
    """Figures of the workload, and the costs of faults."""
    figures: Mapping[str, float]
    """The engine's own figures, by names of ENGINE_FIGURES."""
    answer: Mapping[str, Any]
    """Everything that the compiled core returned."""
    remarks: Sequence[str] = ()
    """Remarks of the engine itself."""


def _as_it_is(run: Run) -> Run:
    return run


@dataclass(frozen=True, eq=False, kw_only=True)
class Engine:
    """A model that runs a Program on a Network, and the inputs that it supports."""

    name: str
    simulate: Callable[[Run], Outcome]
    """Runs the workload once."""
    settle: Callable[[Run], Run] = _as_it_is
    """Chooses what a run leaves open, once for all its repeats."""
    watch: Callable[[Run, bool], tuple[Outcome, Watched]] | None = None
    """Runs the workload once and counts the traffic of ports; captures frames if asked to."""
    moves_frames: bool = False
    """Whether frames are modelled one by one: datagrams, address resolution, pause, full queues."""
    shares_links: bool = True
    """Whether ranks slow each other down, so that a background has an effect."""
    has_faults: bool = False
    """Whether parts can fail during a run."""
    origin: Origin = "predicted"
    """Origin of its figures."""
    has_precision: bool = False
    """Whether a bound on the error makes a run faster."""

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
    },
)
"""Every engine by name."""


def predictive() -> list[str]:
    """Return the names of the engines that compute their figures, and measure none."""
    return [name for name in ENGINES if ENGINES[name].origin == "predicted"]
