"""Plans proved by kernels: what the nodes' kernels decide, beside what the proofs say.

The whole network, every single failure, and the tables recomputed after it. All decisions come
from the kernels; every difference from the proof is a disagreement, with its names. Pings of all
pairs cross the wires of the whole network, and cables are cut under open connections.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwright.network import compile as compile_network
from linkwright.plan.failures import Failure, failures_of
from linkwright.verification.connections import PROMISED_S, Cuts, on_wires, over_wires
from linkwright.verification.disagreement import Disagreement
from linkwright.verification.failures import FailureTrial

if TYPE_CHECKING:
    from linkwright.design.cluster import Cluster
    from linkwright.network import Network

__all__ = ["Disagreement", "KernelProof", "verify", "verify_as_they_are"]


@dataclass(frozen=True)
class KernelProof:
    """The comparison of kernels with the proofs of a design.

    Attributes
    ----------
    n_nodes : int
        Nodes that were up.
    n_routes : int
        Routes that were installed.
    n_lookups : int
        Decisions asked of the kernels.
    n_pings : int
        Ordered pairs that pinged each other over the wires of the whole network.
    n_connections : int
        Connections, of either family, under which a cable was cut.
    n_cuts, n_cables : int
        Cables that were cut under connections, and those of a design that promises that
        connections go on; cuts are a sample where there are more cables.
    promised_s, worst_s : float
        Promised time until a connection goes on after a cut, and the longest.
    n_failures : int
        Single failures tried.
    n_pairs : int
        Ordered pairs compared, over the whole network and after each failure.
    disagreements : tuple of Disagreement
        Every difference.
    left_out : tuple of str
        Failures that were not tried, each with the reason: the rest of the network has no tables.
    """

    n_nodes: int
    n_routes: int
    n_lookups: int
    n_pings: int
    n_connections: int
    n_cuts: int
    n_cables: int
    promised_s: float
    worst_s: float
    n_failures: int
    n_pairs: int
    disagreements: tuple[Disagreement, ...]
    left_out: tuple[str, ...]


def verify(
    cluster: Cluster,
    failures: str = "single",
    *,
    learns_neighbours: bool | None = None,
    report: Callable[[int, int], object] | None = None,
) -> KernelProof:
    """Compare the decisions of real kernels with the proofs of a design.

    Parameters
    ----------
    cluster : Cluster
        The design.
    failures : str
        Failures to try, as in `rerouting`; "none" for none.
    learns_neighbours : bool, optional
        Whether nodes ask for the hardware addresses of their neighbours, and what they learn is
        compared. Default: only where several ports of a node share a segment.
    report : callable, optional
        Called with the number of finished failures, and of all.

    Raises
    ------
    CapabilityError
        If this machine cannot bring the nodes up.
    """
    network = compile_network(cluster)
    trial = FailureTrial.emulated(cluster, network, learns_neighbours=learns_neighbours)
    cuts = Cuts()
    found = [*trial.whole(), *on_wires(trial, cuts)]
    tried = _tried(network, failures)
    for number, failure in enumerate(tried):
        found += trial.failed(failure)
        if report is not None:
            report(number + 1, len(tried))
    return _proof(trial, cuts, tried, found)


def verify_as_they_are(
    trial: FailureTrial,
    failures: str = "single",
    *,
    report: Callable[[int, int], object] | None = None,
) -> KernelProof:
    """Compare nodes that have been set up otherwise with the proofs of a design, with the tables
    that they have: nothing is changed but the carrier of cables. Frames must move.

    Parameters
    ----------
    trial : FailureTrial
        The nodes.
    failures, report
        As for `verify`.
    """
    cuts = Cuts()
    found = [*trial.whole(), *over_wires(trial, cuts)]
    tried = _tried(trial.network, failures)
    for number, failure in enumerate(tried):
        found += trial.failed(failure, recomputed=False)
        if report is not None:
            report(number + 1, len(tried))
    return _proof(trial, cuts, tried, found)


def _tried(network: Network, failures: str) -> list[Failure]:
    return [] if failures == "none" else failures_of(network, failures)


def _proof(
    trial: FailureTrial, cuts: Cuts, tried: Sequence[Failure], found: Sequence[Disagreement]
) -> KernelProof:
    network = trial.network
    return KernelProof(
        n_nodes=network.n_nodes,
        n_routes=len(trial.nodes.table.routes.metric),
        n_lookups=trial.n_lookups,
        n_pings=trial.n_pings,
        n_connections=cuts.n_connections,
        n_cuts=cuts.n_cuts,
        n_cables=cuts.n_cables,
        promised_s=PROMISED_S,
        worst_s=cuts.worst_s,
        n_failures=len(tried) - len(trial.left_out),
        n_pairs=trial.n_pairs,
        disagreements=tuple(found),
        left_out=tuple(trial.left_out),
    )
