"""Saturation: the loads of traffic patterns along the real routes, without any message.

This is the other half of the analytic engine. crates/network counts the loads of packets,
crates/analytic their cost on links, hubs, backplanes and processors; names are added here.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright import _core
from linkwright.calibrations import Calibration
from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.inputs import Run
from linkwright.network import Network
from linkwright.observations.observation import ROWS_ALONE, Observation
from linkwright.workloads import (
    PATTERNS,
    BitComplement,
    Measurement,
    Pattern,
    Permutation,
    Shift,
    Uniform,
    WorstCase,
)

__all__ = ["SATURATION", "every_pattern", "pairs_of"]

MOST_TRIED = 20_000
"""Largest number of nodes for which more than the likeliest permutations are tried."""


def _simulate(run: Run, wanted: Observation = ROWS_ALONE) -> Outcome:
    """Return the loads of a pattern and the rate that fills a network; see `engines.saturate`."""
    del wanted
    network, pattern, hosts, exact = run.network, run.workload, run.hosts, True
    assert isinstance(pattern, Pattern)
    if isinstance(pattern, WorstCase) and network.n_compute > _core.MOST_EXACT:
        found, exact = _worst_tried(network, hosts), False
    else:
        found = _found(network, pattern, hosts)
    measurements = []
    if found is not None:
        of_network = {"bottleneck": _named(network, found), "exact": exact and found["exact"]}
        parameters = {**pattern.parameters, **of_network}
        measurements = [
            Measurement(metric, value, unit, parameters)
            for metric, value, unit in (
                ("saturation_throughput", found["rate_bytes_per_s"], "B/s"),
                ("busiest_link_load", found["busiest_link"][1], "1"),
                ("busiest_forwarder_load", found["busiest_forwarder"][1], "1"),
            )
        ]
    return Outcome(
        # The other half of the analytic engine, in which nothing is random.
        run=replace(run, engine="analytic", seed=None, study="saturate"),
        n_ranks=network.n_compute,
        measurements=measurements,
        figures={},
        answer={"figures": {"simulated_s": 0.0}},
    )


SATURATION = Engine(name="saturation", simulate=_simulate, shares_links=False, counts_loads=True)


def every_pattern(network: Network) -> list[Pattern]:
    """Return every pattern with its default settings, and a permutation that moves a node."""
    n = network.n_compute
    moving = (one for seed in count(1) if (one := Permutation(seed=seed)).pairs(n)[0].size)
    return [next(moving) if kind is Permutation else kind() for kind in PATTERNS.values()]


def pairs_of(network: Network, pattern: Pattern) -> list[NDArray[np.uint32]]:
    """Return the senders and receivers of a pattern; for the worst case, the one that was found.

    Returns
    -------
    list of two ndarrays, shape (n_messages,)
        Sending nodes and receiving nodes.
    """
    if isinstance(pattern, WorstCase):
        destination = _core.worst_case(network.core, _identities(network))
        source = np.arange(network.n_compute, dtype=np.uint32)
        moves = np.zeros(0, dtype=bool) if destination is None else source != destination
        return [source[moves], source[:0] if destination is None else destination[moves]]
    pattern.n_ranks(network.n_compute)
    return [part.astype(np.uint32) for part in pattern.pairs(network.n_compute)]


def _found(network: Network, pattern: Pattern, calibration: Calibration) -> dict[str, Any] | None:
    pairs: dict[str, NDArray[np.uint32]] = {}
    if not isinstance(pattern, Uniform):
        source, destination = pairs_of(network, pattern)
        pairs = {"source": source, "destination": destination}
    return _core.pattern_saturation(
        network.core,
        identities=_identities(network),
        host=calibration.constants(network.mtu),
        **pairs,
    )


def _worst_tried(network: Network, calibration: Calibration) -> dict[str, Any] | None:
    """Return the worst of some permutations: a bound for networks with too many of them.

    The worst permutations of lines, rings, meshes and trees are among them.
    """
    n = network.n_compute
    # The complement is the worst of lines and meshes, a shift by just under half that of rings.
    shifts, seeds = {(n - 1) // 2}, range(1, 2)
    if n <= MOST_TRIED:
        shifts |= {n // 2, *(n // side for side in (3, 4, 8))}
        seeds = range(1, 4)
    tried: list[Pattern] = [BitComplement(), *(Shift(k=k) for k in sorted(shifts))]
    tried += [Permutation(seed=seed) for seed in seeds]
    found = [one for pattern in tried if (one := _found(network, pattern, calibration))]
    return min(found, key=lambda one: float(one["rate_bytes_per_s"]), default=None)


def _identities(network: Network) -> NDArray[np.uint32]:
    return np.asarray(network.addresses.identity, dtype=np.uint32)[: network.n_compute]


def _named(network: Network, found: dict[str, Any]) -> str:
    kind, number, port = found["bottleneck"]
    if kind == "backplane":
        return f"backplane {number}"
    name = network.device_names[number]
    return f"link {name}:{network.port_name(number, port)}" if kind == "link" else f"{kind} {name}"
