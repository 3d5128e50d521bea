"""The figures for comparisons of built networks: cost, paths, bisection, single failures.

`facts.py` computes each of them once. Nothing is simulated: latency and bandwidth are those of the
additive path model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwright.notebook import Shown

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan.cost import Cost
    from linkwright.plan.outcomes import Outcomes
    from linkwright.plan.path_model import PathModel
    from linkwright.plan.paths import PathCounts
    from linkwright.plan.resilience import Connectivity


@dataclass(frozen=True)
class BestWorst:
    """A figure for the best and for the worst pair; None if the path model has no value."""

    best: float | None
    worst: float | None


@dataclass(frozen=True)
class BisectionFigure:
    """Bandwidth across the worst equal split of the compute nodes, both directions counted.

    Attributes
    ----------
    total_Bps, per_node_Bps : float
        In bytes per second, in total and per compute node.
    is_exact : bool
        Whether no equal split carries less; otherwise the figure is the least that was found.
    method : str
        Method that found the split.
    """

    total_Bps: float  # noqa: N815  the unit is spelled as units are
    per_node_Bps: float  # noqa: N815
    is_exact: bool
    method: str


@dataclass(frozen=True, repr=False)
class Properties(Shown):
    """The figures of one network.

    Attributes
    ----------
    n_compute : int
        Compute nodes; the front end counts only in the whole units bought and in the failures.
    max_nodes : int or None
        Largest network of this kind with these parts; None without a bound.
    cost : Cost
        Cost of the network, counted in both ways.
    latency_s, bandwidth_Bps : BestWorst
        Figures of the best and the worst pair of compute nodes.
    bisection : BisectionFigure
        Bisection with limiting backplanes.
    paths : PathCounts
        Forwards and switches between compute nodes.
    balance : float or None
        Packets that the busiest node forwards over the mean of all that share the forwarding, under
        uniform traffic; None if no node forwards, or too many packets would have to be followed.
    connectivity : Connectivity
        Single failures that leave all nodes connected.
    outcomes : Outcomes
        Single failures that heal by themselves, need new tables or cut nodes off.
    """

    n_compute: int
    max_nodes: int | None
    cost: Cost
    latency_s: BestWorst
    bandwidth_Bps: BestWorst  # noqa: N815
    bisection: BisectionFigure
    paths: PathCounts
    balance: float | None
    connectivity: Connectivity
    outcomes: Outcomes

    @property
    def summary(self) -> str:
        """The nodes and their cost."""
        return f"of {self.n_compute:,} nodes: {self.cost.summary}"


def bisection(network: Network, *, with_backplanes: bool = True) -> BisectionFigure:
    """Return the bandwidth across the worst equal split of the compute nodes.

    Parameters
    ----------
    network : Network
        The compiled network.
    with_backplanes : bool
        Whether backplanes limit; without them every switch counts as non-blocking.
    """
    found = network.core.bisection(network.n_compute, with_backplanes=with_backplanes)
    total_Bps = found.bps / 8  # noqa: N806
    return BisectionFigure(total_Bps, total_Bps / network.n_compute, found.exact, found.method)


def latency(paths: PathCounts, model: PathModel | None) -> BestWorst:
    """Return the latency of the best and of the worst class of paths."""
    if model is None or not paths.classes:
        return BestWorst(None, None)
    values = [
        model.path_latency_s(n_switches=one.n_switches, n_forwards=one.n_forwards)
        for one in paths.classes
    ]
    return BestWorst(min(values), max(values))


def bandwidth(paths: PathCounts, model: PathModel | None) -> BestWorst:
    """Return the bandwidth of the best and of the worst class of paths."""
    if model is None or not paths.classes:
        return BestWorst(None, None)
    values = [
        model.path_bandwidth_Bps(n_switches=one.n_switches, n_forwards=one.n_forwards)
        for one in paths.classes
    ]
    known = [value for value in values if value is not None]
    return BestWorst(
        best=max(known, default=None),
        worst=None if len(known) < len(values) else min(known),
    )
