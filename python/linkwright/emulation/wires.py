"""The wires between nodes that are up: a thread of the compiled core that moves their frames.

Its time begins when the wires are entered; faults and captures count from there.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from linkwright._core import Stop
from linkwright.emulation.priority import WIRES, hurry
from linkwright.observations.traffic import SPAN_S
from linkwright.observations.watched import Watched

if TYPE_CHECKING:
    from linkwright._core import Nodes
    from linkwright.network import Network

__all__ = ["WireReport", "Wires"]


@dataclass(frozen=True)
class WireReport:
    """The state of wires that have ended: counters, and how late their events were.

    Attributes
    ----------
    late_median_s, late_p99_s, late_worst_s : float
        Lateness of events in real seconds.
    behind_s, busy_s : float
        Seconds of the network for which a frame was overdue at a node or could not be read from
        one, and for which the wires were in use. No chain of messages is later by more than the
        former.
    ended_s : float
        Seconds of the network after which they ended.
    processor_s : float
        Processor time that moving the frames took, with the kernels' work on those delivered.
    counters : mapping of str to int
        Frames and their losses, by cause.
    frames_lost : sequence of int
        Frames lost to each fault.
    watched : Watched
        Capture, if asked for, and traffic.
    """

    late_median_s: float
    late_p99_s: float
    late_worst_s: float
    behind_s: float
    busy_s: float
    ended_s: float
    processor_s: float
    counters: Mapping[str, int]
    frames_lost: Sequence[int]
    watched: Watched


class Wires:
    """Wires that move frames from when they are entered until they are left.

    Parameters
    ----------
    nodes : Nodes
        Nodes that are up.
    network : Network
        The network that they are nodes of.
    host : mapping
        Constants of the hosts, as the compiled core takes them; queues and link settings are used.
    dilation : float
        Real seconds for one second of the network.
    seed : int
        Seed of collisions and losses.
    faults : mapping
        Columns of faults, as the compiled core takes them; their times count from the entry.
    snap_bytes : int, optional
        Bytes kept of each captured frame. Default: no capture.
    """

    def __init__(
        self,
        nodes: Nodes,
        network: Network,
        host: Mapping[str, object],
        *,
        dilation: float = 1.0,
        seed: int = 0,
        faults: Mapping[str, object],
        snap_bytes: int | None = None,
    ) -> None:
        self._nodes, self._network, self.dilation = nodes, network, dilation
        self._arguments = {
            "host": host,
            "seed": seed,
            "dilation": dilation,
            "faults": faults,
            "snap_bytes": snap_bytes,
            "traffic_span_s": SPAN_S / self.dilation,  # in real time
        }
        self._ending = Stop()
        self._thread = threading.Thread(target=self._carry, name="wires", daemon=True)
        self._answer: dict[str, Any] = {}
        self._error: BaseException | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ending.request()
        self._thread.join()
        if self._error is not None and error is None:
            raise self._error

    @property
    def report(self) -> WireReport:
        """The state of the wires; they must have been left."""
        times = {name: self._answer[name] for name in self._answer if name.endswith("_s")}
        counters = {name: n for name, n in self._answer.items() if isinstance(n, int)}
        lost = self._answer["faults"]["frames_lost"].tolist()
        watched = Watched.of(self._network, self._answer)
        return WireReport(**times, counters=counters, frames_lost=lost, watched=watched)

    def _carry(self) -> None:
        try:
            hurry(WIRES)
            self._answer = self._nodes.carry(self._network.core, self._arguments, self._ending)
        except BaseException as error:
            self._error = error
