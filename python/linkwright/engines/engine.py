"""An engine, what it can do and the answer that it gives to one run; and every engine by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwright.registry import Registry

if TYPE_CHECKING:
    from linkwright.results import Run
    from linkwright.workloads import Measurement

__all__ = ["ENGINES", "Engine", "Outcome"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """One run that is over."""

    run: Run
    """Its inputs in the end: the workload at the speed of the hosts and long enough to measure."""
    n_ranks: int
    """Ranks of the workload."""
    measurements: Sequence[Measurement]
    """Figures of the workload, and the costs of faults."""
    figures: Mapping[str, float]
    """The engine's own figures, by names of ENGINE_FIGURES."""
    said: Mapping[str, Any]
    """Everything that the compiled core returned."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Engine:
    """A way to run a Program on a Network, and the inputs that it can take."""

    name: str
    simulate: Callable[[Run], Outcome]
    """Runs the workload once."""
    capture: Callable[[Run], tuple[Outcome, bytes]] | None = None
    """Runs the workload once and returns a pcapng file of its frames too."""
    moves_frames: bool = False
    """Whether frames exist one by one: datagrams, address resolution, pause, full queues."""
    shares_links: bool = True
    """Whether ranks slow each other down, so that a background changes anything."""
    has_faults: bool = False
    """Whether parts can fail in the middle of a run."""
    has_precision: bool = False
    """Whether a run can be made faster by a bound on its error."""


ENGINES: Registry[Engine] = Registry(
    "linkwright.engines",
    {"analytic": "analytic:ANALYTIC", "flow": "flow:FLOW", "packet": "packet:PACKET"},
)
"""Every engine by name."""
