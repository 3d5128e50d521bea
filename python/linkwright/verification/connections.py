"""Open connections on real kernels while cables are cut: a connection that a cut costs nothing must
carry records again, and their acknowledgements, within the promised time.

Decisions of kernels do not show this: a socket may keep a route that the kernel would no longer
choose. See docs/design/fallback-routes.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import DesignError
from linkwright.machines.probers import Probers
from linkwright.network import compile as compile_network
from linkwright.plan.failures import Failure, failures_of
from linkwright.verification.disagreement import Disagreement
from linkwright.verification.neighbours import neighbours_learned

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.verification.failures import FailureTrial

__all__ = ["MOST_CUTS", "MOST_PAIRS", "PROMISED_S", "Cuts", "on_wires", "over_wires", "sampled"]

PROMISED_S = 1.0
"""Time within which a connection carries records again, from when its kernels know of the cut."""
WAITED_S = 5.0
"""Time for which records are waited for; they are late after the promised one."""
OPENED_S = 10.0
LOOK_S = 0.05
MOST_CUTS, MOST_PAIRS = 8, 16
"""Cables that are cut one after the other, and ordered pairs with connections at each."""


@dataclass
class Cuts:
    """Counts of the cuts under connections.

    Attributes
    ----------
    n_cuts, n_cables : int
        Cables that were cut, and those of the design that have backup routes.
    n_connections : int
    worst_s : float
        Longest time until a connection carried records again.
    """

    n_cuts: int = 0
    n_cables: int = 0
    n_connections: int = 0
    worst_s: float = 0.0


@dataclass(frozen=True)
class Connection:
    """A connection between the identities of two nodes."""

    sender: int
    receiver: int
    source: str
    address: str

    @property
    def family(self) -> str:
        """Name of its family."""
        return "IPv6" if ":" in self.address else "IPv4"


def on_wires(trial: FailureTrial, cuts: Cuts | None = None) -> Iterator[Disagreement]:
    """Compare what takes frames: pings, the neighbours that they teach, and connections under cuts.

    Parameters
    ----------
    trial : FailureTrial
        The network that is up, whole.
    cuts : Cuts, optional
        Takes the counts.
    """
    with trial.wires():
        yield from over_wires(trial, cuts)


def over_wires(trial: FailureTrial, cuts: Cuts | None = None) -> Iterator[Disagreement]:
    """Do the same while frames move already."""
    yield from trial.answered()
    if trial.kernels.learns_neighbours:
        yield from neighbours_learned(trial.nodes, trial.network)
    yield from _connected(trial, Cuts() if cuts is None else cuts)


def _connected(trial: FailureTrial, cuts: Cuts) -> Iterator[Disagreement]:
    """Cut cables under connections, and yield those that do not go on in time.

    Networks without backup routes promise nothing. Frames must move.
    """
    network = trial.network
    if not network.fallback or network.daemon:
        return
    cables = failures_of(network, "single:cable")
    cuts.n_cables = len(cables)
    for cable, pairs in sampled(cables, MOST_CUTS, partial(_rerouted, trial)):
        wanted = _connections(network, pairs)
        cuts.n_cuts += 1
        cuts.n_connections += len(wanted)
        took_s = _cut(trial, cable, wanted)
        # A busy machine may be late by itself: a late connection is tried once more.
        late = [each for each, time_s in zip(wanted, took_s, strict=True) if time_s > PROMISED_S]
        again_s = _cut(trial, cable, late) if late else []
        in_time = [time_s for time_s in (*took_s, *again_s) if time_s <= PROMISED_S]
        cuts.worst_s = max([cuts.worst_s, *in_time])
        for each, time_s in zip(late, again_s, strict=True):
            if time_s > PROMISED_S:
                cuts.worst_s = max(cuts.worst_s, time_s)
                yield _disagreement(network, cable, each, time_s)


def _disagreement(network: Network, cable: Failure, one: Connection, time_s: float) -> Disagreement:
    seen = f"after {time_s:.2f} s" if time_s < WAITED_S else f"none in {WAITED_S:g} s"
    return Disagreement(
        failure=f"{cable.kind} {cable.name}",
        tables="plan",
        sender=network.device_names[one.sender],
        receiver=network.device_names[one.receiver],
        proof=f"first byte of an open connection within {PROMISED_S:g} s",
        kernels=f"{one.family}: {seen}",
    )


def sampled(
    cables: Sequence[Failure], most: int, pairs_of: Callable[[Failure], list[tuple[int, int]]]
) -> Iterator[tuple[Failure, list[tuple[int, int]]]]:
    """Yield at most that many cables with the pairs that a cut of each concerns, evenly spread.

    The next cable without a place in the sample replaces one that concerns none.
    """
    tried: set[int] = set()
    for first in _spread(len(cables), most):
        for index in (*range(first, len(cables)), *range(first)):
            if index in tried:
                continue
            tried.add(index)
            if pairs := pairs_of(cables[index]):
                yield cables[index], pairs
                break


def _spread(n: int, most: int) -> list[int]:
    """Return at most `most` of n numbers, evenly spread."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int)).tolist() if n else []


def _rerouted(trial: FailureTrial, cable: Failure) -> list[tuple[int, int]]:
    """Return some ordered pairs whose packets pass a cable, either way, and survive its cut.

    Those of the nodes at the cable come first: their sockets know a route over it.
    """
    network = trial.network
    sender, to = trial.pairs(network)
    identity = network.addresses.identity.astype(np.uint32)
    paths = network.core.paths(sender.astype(np.uint32), identity[to])
    at = int(cable.parts[0][1])
    ends = {int(network.wiring.cable_a[at][0]), int(network.wiring.cable_b[at][0])}
    uses = _use(paths.start, paths.device, ends)
    crossing = set(zip(sender[uses].tolist(), to[uses].tolist(), strict=True))
    lost = trial.lost(cable)
    found = [
        (one, other)
        for one, other in zip(sender.tolist(), to.tolist(), strict=True)
        if {(one, other), (other, one)} & crossing and not {(one, other), (other, one)} & lost
    ]
    near = [pair for pair in found if set(pair) & ends]
    far = [pair for pair in found if not set(pair) & ends]
    chosen = [near[index] for index in _spread(len(near), MOST_PAIRS)]
    return chosen + [far[index] for index in _spread(len(far), MOST_PAIRS - len(chosen))]


def _use(
    start: NDArray[np.integer], device: NDArray[np.integer], ends: set[int]
) -> NDArray[np.bool_]:
    """Return which paths pass from one of two devices to the other."""
    low, high = min(ends), max(ends)
    here, there = device[:-1], device[1:]
    steps = np.flatnonzero((np.minimum(here, there) == low) & (np.maximum(here, there) == high))
    path = np.searchsorted(start, steps, side="right") - 1
    inside = steps + 1 < start[path + 1]
    found = np.zeros(len(start) - 1, dtype=np.bool_)
    found[path[inside]] = True
    return found


def _connections(network: Network, pairs: Sequence[tuple[int, int]]) -> list[Connection]:
    """Return a connection per pair and family."""
    if not pairs:
        return []
    addresses, nodes = network.addresses, np.arange(network.n_nodes)
    found = []
    for is_v6 in sorted(set(addresses.is_v6.tolist())):
        identity = addresses.identities(nodes, np.full(len(nodes), is_v6)).tolist()
        text = [str(addresses.ip[index].ip) for index in identity]
        found += [Connection(one, other, text[one], text[other]) for one, other in pairs]
    return found


def _cut(trial: FailureTrial, cable: Failure, wanted: Sequence[Connection]) -> list[float]:
    """Open connections, cut a cable under them, mend it, and return the times until each carried
    records again; `WAITED_S` for those that did not.
    """
    try:
        left = compile_network(trial.cluster, without=[cable.name])
    except DesignError:
        # The rest has no tables of its own, but loses the same interfaces.
        left = trial.network
    dark = trial.without_carrier(left)
    nodes = {node for one in wanted for node in (one.sender, one.receiver)}
    with Probers({node: trial.nodes.machines[node] for node in nodes}) as probers:
        is_open = _open(probers, wanted)
        trial.kernels.plug(dark, has_carrier=False)
        cut_ns = time.monotonic_ns()
        try:
            took_s = _wait(probers, cut_ns, is_open, WAITED_S)
        finally:
            trial.kernels.plug(dark, has_carrier=True)
    return [took_s.get(number, WAITED_S) for number in range(len(wanted))]


def _open(probers: Probers, wanted: Sequence[Connection]) -> set[int]:
    """Open connections, wait until each has carried a record, and return the numbers of those that
    did.
    """
    at: dict[int, list[str]] = {node: [] for node in probers.nodes}
    for one in wanted:
        if one.address not in at[one.receiver]:
            at[one.receiver].append(one.address)
    ports = {
        (node, address): port
        for node, found in probers.ask("listen", at).items()
        for address, port in zip(at[node], found, strict=True)
    }
    asked: dict[int, list[object]] = {node: [] for node in probers.nodes}
    for number, one in enumerate(wanted):
        port = ports[one.receiver, one.address]
        asked[one.sender].append((number, one.source, one.address, port))
    connected = {number for found in probers.ask("connect", asked).values() for number in found}
    return set(_wait(probers, time.monotonic_ns(), connected, OPENED_S))


def _wait(probers: Probers, since_ns: int, numbers: set[int], longest_s: float) -> dict[int, float]:
    """Wait until a record sent since then has come and was acknowledged in each connection; return
    the time that it took, for those where it did.
    """
    probers.ask_all("since", since_ns)
    end_ns = time.monotonic_ns() + round(longest_s * 1e9)
    while True:
        seen: dict[int, list[int]] = {number: [] for number in numbers}
        for found in probers.ask_all("seen").values():
            for number, _, time_ns in found:
                if time_ns and number in seen:
                    seen[number].append(time_ns)
        # Both ends have seen it: the receiver the record, the sender the acknowledgement.
        done = {number: max(times) for number, times in seen.items() if len(times) == 2}
        if len(done) == len(numbers) or time.monotonic_ns() > end_ns:
            return {number: (at - since_ns) * 1e-9 for number, at in done.items()}
        time.sleep(LOOK_S)
