"""The budget of frames that this machine moves in real time, and the dilation that a network needs
to stay within it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.engines.core_faults import fault_columns
from linkwright.engines.emulation.kernels import Kernels
from linkwright.engines.emulation.verdict import FULL_FRAME_BITS
from linkwright.engines.emulation.wires import Wires
from linkwright.network import HUB
from linkwright.network import compile as compile_network

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["dilation_for", "frame_budget", "frames_per_second"]

TRIAL = """
name: budget
topology: {kind: direct}
parts: {catalogue: ethernet-2026}
"""
"""Two nodes on a cable that is faster than this machine."""
TRIAL_S = 0.1
SHARE = 0.5
"""Part of the frames of a flood that the machine also moves in time, next to the programs."""
STEPS = (1.0, 2.0, 5.0)
"""First digits of dilations."""


def frame_budget() -> float:
    """Return the full frames per second that this machine moves in real time: a share of those
    that it moves when one node floods another.
    """
    network = compile_network(Cluster.parse(TRIAL))
    hosts = calibrations.load(network.calibration)
    kernels = Kernels(network)
    faults = fault_columns((), network, hosts)
    constants = hosts.constants(network.mtu)
    with Wires(kernels.nodes, network, constants, faults=faults) as wires:
        begin_s = time.perf_counter()
        kernels.nodes.flood(0, int(network.addresses.identity[1]), TRIAL_S)
        took_s = time.perf_counter() - begin_s
    return SHARE * wires.report.counters["frame_hops"] / took_s


def frames_per_second(network: Network) -> float:
    """Return the full frames per second of a network whose wires are all busy."""
    wiring = network.wiring
    frames = network.cable_rate_bps / FULL_FRAME_BITS
    on_hub = (wiring.kind[wiring.joined_devices] == HUB).any(axis=1)
    # A cable carries frames both ways; all cables of a hub carry the same one.
    hubs = np.unique(wiring.joined_devices[on_hub].max(axis=1))
    of_hubs = sum(float(frames[on_hub].max()) for _ in hubs)
    return float(2 * frames[~on_hub].sum()) + of_hubs


def dilation_for(network: Network, budget: float) -> float:
    """Return the least dilation of 1, 2, 5, 10, 20, ... with which a network fits in a budget.

    Parameters
    ----------
    network : Network
        The compiled network.
    budget : float
        Frames per second.
    """
    needed = frames_per_second(network) / budget
    scale = 1.0
    while True:
        for step in STEPS:
            if step * scale >= needed:
                return step * scale
        scale *= 10
