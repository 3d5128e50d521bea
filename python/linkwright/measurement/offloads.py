"""Offloads of forwarding nodes, switched off one at a time while a path is measured again.

Each is switched on again after its measurement; should the command or the machine's process be
killed, a process of the machine does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pydantic import TypeAdapter

from linkwright.errors import RunError
from linkwright.hardware.answers import Offloads, checked
from linkwright.hardware.fleet import Fleet
from linkwright.measurement.paths import Path

__all__ = ["SHORT_NAMES", "Toggle", "toggles"]

SHORT_NAMES = {
    "tcp-segmentation-offload": "tso",
    "generic-segmentation-offload": "gso",
    "generic-receive-offload": "gro",
    "large-receive-offload": "lro",
}
"""Offloads that can harm a forwarded path, in the order in which they are tried."""
IS_SET: TypeAdapter[bool] = TypeAdapter(bool)


@dataclass(frozen=True)
class Toggle:
    """A path measured without an offload.

    Attributes
    ----------
    offload : str
        Short name of the offload that was off.
    ports : tuple of tuple of str
        A node, and each of its interfaces where it was off.
    rate : float
        Throughput in bytes per second.
    """

    offload: str
    ports: tuple[tuple[str, str], ...]
    rate: float

    @property
    def remedy(self) -> str:
        """The commands that switch it off."""
        words = "; ".join(f"ethtool -K {nic} {self.offload} off" for _, nic in self.ports)
        return f"on {self.node}: {words}"

    @property
    def node(self) -> str:
        """The node."""
        return self.ports[0][0]


def toggles(fleet: Fleet, path: Path, measure: Callable[[], float]) -> Iterator[Toggle]:
    """Yield the path measured without each offload of each node that forwards it.

    Raises
    ------
    RunError
        If an offload cannot be set: that needs root.
    """
    for node in path.forwarders:
        ports = [leg for leg in path.legs if leg[0] == node]
        states = {leg: _offloads(fleet, leg) for leg in ports}
        for long, short in SHORT_NAMES.items():
            on = tuple(leg for leg in ports if states[leg].get(long))
            if on:
                with _off(fleet, on, long):
                    rate = measure()
                yield Toggle(short, on, rate)


@contextmanager
def _off(fleet: Fleet, ports: tuple[tuple[str, str], ...], name: str) -> Iterator[None]:
    done: list[tuple[str, str]] = []
    try:
        for leg in ports:
            done.append(leg)
            _set(fleet, leg, name, is_on=False)
        yield
    finally:
        for leg in done:
            _set(fleet, leg, name, is_on=True)


def _set(fleet: Fleet, leg: tuple[str, str], name: str, *, is_on: bool) -> None:
    node, nic = leg
    answer = fleet.ask("offload", {node: [nic, name, is_on]})[node]
    try:
        checked(answer, IS_SET, node)
    except RunError as error:
        raise RunError(
            f"{SHORT_NAMES[name]} of {nic} cannot be set: {error.message}",
            "reach the machine as root",
        ) from None


def _offloads(fleet: Fleet, leg: tuple[str, str]) -> dict[str, bool]:
    node, nic = leg
    return checked(fleet.ask("offloads", {node: nic})[node], Offloads, node)
