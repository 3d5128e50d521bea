"""The budget of frames that this machine moves in real time, and the dilation that a network and
the programs on it need to stay within it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwright import calibrations, choices
from linkwright.design.cluster import Cluster
from linkwright.emulation.kernels import Kernels
from linkwright.emulation.steps import least_step
from linkwright.emulation.verdict import FULL_FRAME_BITS
from linkwright.emulation.wires import Wires
from linkwright.errors import RunError
from linkwright.faults.columns import fault_columns
from linkwright.network import HUB
from linkwright.network import compile as compile_network
from linkwright.threads import n_cores

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = [
    "capacity",
    "dilation_for",
    "dilation_of_command",
    "dilation_of_workload",
    "frame_budget",
]

TRIAL = """
name: budget
topology: {kind: direct}
parts: {catalogue: ethernet-2026}
"""
"""Two nodes on a cable that is faster than this machine."""
TRIAL_S = 0.1
MOST_TRIALS, LEAST_FRAMES = 50, 200
SHARE = 0.3
"""Share of a processor that frames may take; the rest is for waiting until they are due."""
ROOM_FOR_RANKS = 20
"""Frames that a machine moves in the time of one that a rank sends and another one receives: from
barriers of sixteen ranks on two processors, which are faithful from then on.
"""
ROOM_FOR_PROGRAMS = 3
"""The same for commands, whose frames on busy wires are long: from shifts of 1 MB by three and by
sixteen MPI ranks on two processors.
"""
ROOM_FOR_MPI = 3
"""Times that the work of all ranks of MPI at once fits into the time that one would need by itself:
from barriers and computations of sixteen ranks on two processors.
"""
PROCESSORS = 2
"""Processors of the machine on which the room for ranks was measured."""


def dilation_of_workload(frames_per_s: float) -> float:
    """Return the dilation that the frames and ranks of a workload need on this machine.

    Parameters
    ----------
    frames_per_s : float
        Frames per second of the network.
    """
    return _noted(_room(ROOM_FOR_RANKS) * frames_per_s, frame_budget())


def dilation_of_command(network: Network, n_ranks: int) -> float:
    """Return the dilation that a command needs on this machine if all wires are busy, and all ranks
    of MPI at work.

    Parameters
    ----------
    network : Network
        The compiled network.
    n_ranks : int
        Ranks of MPI that the command starts; 0 if it is no MPI program.
    """
    of_frames = _noted(ROOM_FOR_PROGRAMS * capacity(network), frame_budget())
    of_ranks = least_step(ROOM_FOR_MPI * n_ranks / n_cores()) if n_ranks > 1 else 1.0
    choices.note("dilation %g: %d ranks share %d processors", of_ranks, n_ranks, n_cores())
    return max(of_frames, of_ranks)


def _noted(frames_per_s: float, budget: float) -> float:
    """Return the dilation for some frames, and log it."""
    dilation = dilation_for(frames_per_s, budget)
    choices.note(
        "dilation %g: the network moves %.0f frames/s with room for its ranks, this machine %.0f",
        *(dilation, frames_per_s, budget),
    )
    return dilation


def _room(frames: float) -> float:
    """Return the room for the ranks of a machine with as many processors as this one."""
    return max(1.0, frames * PROCESSORS / n_cores())


def frame_budget() -> float:
    """Return the frames per second that this machine moves in real time, from the processor time
    of each when one node floods another.

    Raises
    ------
    RunError
        If it moves next to none.
    """
    network = compile_network(Cluster.parse(TRIAL))
    hosts = calibrations.load(network.calibration)
    kernels = Kernels(network, hosts)
    faults = fault_columns((), network, hosts)
    constants = hosts.constants(network.mtu)
    n_frames, processor_s = 0, 0.0
    for _ in range(MOST_TRIALS):
        with Wires(kernels.nodes, network, constants, faults=faults) as wires:
            kernels.nodes.flood(0, int(network.addresses.identity[1]), TRIAL_S)
        n_frames += wires.report.counters["frame_hops"]
        processor_s += wires.report.processor_s
        # On a busy machine a flood may end before it has had a processor.
        if n_frames >= LEAST_FRAMES:
            return SHARE * n_frames / processor_s
    raise RunError(
        f"this machine moved {n_frames} frames in {MOST_TRIALS * TRIAL_S:.0f} s, too few to choose "
        "a dilation by",
        "give --dilation, or wait until other programs leave it some time",
    )


def capacity(network: Network) -> float:
    """Return the full frames per second of a network whose wires are all busy."""
    wiring = network.wiring
    frames = network.cable_rate_bps / FULL_FRAME_BITS
    on_hub = (wiring.kind[wiring.joined_devices] == HUB).any(axis=1)
    # A cable carries frames both ways; all cables of a hub carry the same one.
    hubs = np.unique(wiring.joined_devices[on_hub].max(axis=1))
    of_hubs = len(hubs) * frames[on_hub].max(initial=0)
    return float(2 * frames[~on_hub].sum() + of_hubs)


def dilation_for(frames_per_s: float, budget: float) -> float:
    """Return the least dilation of 1, 2, 5, 10, 20, ... with which frames fit in a budget.

    Parameters
    ----------
    frames_per_s, budget : float
        Frames per second of the network, and of this machine.
    """
    return least_step(frames_per_s / budget)
