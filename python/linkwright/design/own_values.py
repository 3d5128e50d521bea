"""Addresses and MTUs that the `nodes` section of a design gives to single nodes and NICs, applied
to the built network.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing import (
    UNNUMBERED,
    Addresses,
    Borrowed,
    OwnAddress,
    read_own,
    with_borrowed,
    with_own,
)
from linkwright.design.machines import MachineSection, NicSection
from linkwright.design.names import nic_names
from linkwright.design.parts import Part
from linkwright.design.role_parts import mtu_of
from linkwright.design.topologies import Wiring
from linkwright.errors import DesignError

__all__ = ["OwnValues"]


class OwnValues:
    """The addresses and MTUs of the `nodes` section of a design.

    Parameters
    ----------
    sections : mapping of str to MachineSection, or None
        The section, whose nodes and NICs the design has.
    wiring : Wiring
        Devices and cables.
    names : sequence of str
        Names of the devices.
    port_start : ndarray, shape (n + 1,)
        Id of each device's first port.
    port_segment : ndarray, shape (p,)
        Broadcast domain of each port.
    """

    def __init__(
        self,
        sections: Mapping[str, MachineSection] | None,
        *,
        wiring: Wiring,
        names: Sequence[str],
        port_start: NDArray[np.uint32],
        port_segment: NDArray[np.uint32],
    ) -> None:
        number = {name: node for node, name in enumerate(names[: wiring.n_nodes])}
        self._sections = {number[name]: (name, one) for name, one in (sections or {}).items()}
        self._wiring, self._names = wiring, names
        self._start, self._segment = port_start.astype(np.int64), port_segment

    def addresses(self, given: Addresses, scheme: str) -> Addresses:
        """Return the addresses of a scheme with those of the section in their place.

        Raises
        ------
        DesignError
            If they are not sound.
        """
        own, borrowed = list(self._own_addresses()), self._borrowed(given, scheme)
        if not own and not borrowed:
            return given
        ends = set(zip(given.node.tolist(), given.port.tolist(), strict=True))
        named = ends | {(one.node, one.port) for one in own}
        named |= {(one.node, one.port) for one in borrowed}
        segment_of = {
            end: int(self._segment[self._start[end[0]] + end[1]]) for end in ends if end[1] >= 0
        }
        place_of = {end: self._place(*end) for end in named}
        borrowing = {(one.node, one.port) for one in borrowed}
        found = with_own(given, own, segment_of=segment_of, place_of=place_of, borrowing=borrowing)
        return with_borrowed(found, borrowed, segment_of=segment_of, place_of=place_of)

    def mtus(self, default: int, parts: Mapping[str, Part]) -> NDArray[np.uint32]:
        """Return the longest IP packet of each port's link, in bytes, shape (p,).

        Parameters
        ----------
        default : int
            That of links without one of their own.
        parts : mapping of str to Part
            Part of each role in use.

        Raises
        ------
        DesignError
            If two NICs give a link different ones, or a part does not carry such packets.
        """
        of_segment = np.full(int(self._segment.max(initial=0)) + 1, default, dtype=np.uint32)
        first: dict[int, tuple[str, int]] = {}
        for key, node, port, nic in self._nics():
            if nic.mtu is None:
                continue
            segment = int(self._segment[self._start[node] + port])
            other, mtu = first.setdefault(segment, (key, nic.mtu))
            if mtu != nic.mtu:
                raise DesignError(
                    f"'{key}.mtu' is {nic.mtu}, '{other}.mtu' on the same link is {mtu}",
                    "give both the same: a longer packet than the other end takes is lost",
                )
            self._expect_carried(f"'{key}.mtu'", nic.mtu, segment, parts)
            of_segment[segment] = nic.mtu
        return of_segment[self._segment]

    def _own_addresses(self) -> Iterator[OwnAddress]:
        for node, (name, section) in self._sections.items():
            yield from read_own(f"'nodes.{name}.address'", node, -1, section.address)
        for key, node, port, nic in self._nics():
            yield from read_own(f"'{key}.address'", node, port, nic.address)

    def _borrowed(self, given: Addresses, scheme: str) -> list[Borrowed]:
        """Return the ports that borrow the address of their node.

        Raises
        ------
        DesignError
            If one has an address of its own, too.
        """
        found = [
            Borrowed(f"'{key}.unnumbered'", node, port)
            for key, node, port, nic in self._nics()
            if nic.unnumbered
        ]
        if scheme == UNNUMBERED:
            key = f"'addressing.scheme: {UNNUMBERED}'"
            rows = zip(given.node.tolist(), given.port.tolist(), given.is_v6.tolist(), strict=True)
            found = [Borrowed(key, node, port) for node, port, is_v6 in rows
                     if port >= 0 and not is_v6] or [Borrowed(key, 0, 0)]  # fmt: skip
        borrowing = {(one.node, one.port) for one in found}
        for one in self._own_addresses():
            if (one.node, one.port) in borrowing and one.ip.version == 4:
                raise DesignError(
                    f"{one.key}: {self._place(one.node, one.port)} is unnumbered, and has no "
                    "address of IPv4",
                    "leave the address out, or number both ends of the cable",
                )
        return found

    def _nics(self) -> Iterator[tuple[str, int, int, NicSection]]:
        """Yield the key, node, port and section of each NIC."""
        for node, (name, section) in self._sections.items():
            port_of = {nic: port for port, nic in enumerate(nic_names(self._wiring, node))}
            for nic, one in section.nics.items():
                yield f"nodes.{name}.nics.{nic}", node, port_of[nic], one

    def _place(self, node: int, port: int) -> str:
        name = self._names[node]
        return name if port < 0 else f"{name}:{nic_names(self._wiring, node)[port]}"

    def _expect_carried(self, key: str, mtu: int, segment: int, parts: Mapping[str, Part]) -> None:
        roles, codes = self._wiring.end_roles
        ends: NDArray[Any] = np.stack([self._wiring.cable_a, self._wiring.cable_b], axis=1)
        ports = self._start[ends[:, :, 0]] + ends[:, :, 1]
        used = np.unique(codes[self._segment[ports] == segment]).tolist()
        for role, part in ((roles[code], parts[roles[code]]) for code in used):
            if mtu > mtu_of(part):
                raise DesignError(
                    f"{key} is {mtu}, {role} '{part.key}' carries packets of at most "
                    f"{mtu_of(part)} bytes",
                    f"choose at most {mtu_of(part)}, or under 'parts' another {role}",
                )
