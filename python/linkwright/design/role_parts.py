"""The parts of a design, by role and type, with the limits of their ports and slots.

Topologies see only the port counts (`limits`); the ports of nodes are checked on the built wiring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from linkwright.design.node_nics import most_ports, nics_of_nodes
from linkwright.design.parts import CablePart, HubPart, NicPart, NodePart, Part, Role, SwitchPart
from linkwright.design.topologies import Limits, Wiring
from linkwright.design.topologies.wiring import NODE, plain_role, require_ports
from linkwright.errors import DesignError

__all__ = ["RoleParts", "mtu_of"]

MOST_MTU = 65535
"""Longest IPv4 packet."""


@dataclass(frozen=True)
class RoleParts:
    """The part of each role; a hub or a switch is None if the design has none.

    Parts that a design gives to single devices have a role with their key, such as nic:usb4. If no
    device has the node, NIC or cable of the catalogue, one of those in use takes its place, of NICs
    the fastest.
    """

    node: NodePart
    nic: NicPart
    cable: CablePart
    hub: HubPart | None
    switch: SwitchPart | None
    root_switch: SwitchPart | None
    keyed: Mapping[str, Part] = field(default_factory=lambda: MappingProxyType({}))
    """Parts by roles with a key."""

    @classmethod
    def of(cls, parts: Mapping[Role, Part]) -> RoleParts:
        """Return the parts sorted by type.

        Raises
        ------
        DesignError
            If there is no node, NIC or cable.
        """
        node, nic, cable = parts.get("node"), parts.get("nic"), parts.get("cable")
        if not (
            isinstance(node, NodePart) and isinstance(nic, NicPart) and isinstance(cable, CablePart)
        ):
            missing = [role for role in ("node", "nic", "cable") if role not in parts]
            raise DesignError(
                f"the design has no part for the role '{missing[0]}'",
                f"add '{missing[0]}' under 'parts', or choose another catalogue",
            )
        hub, switch, root = parts.get("hub"), parts.get("switch"), parts.get("root_switch")
        return cls(
            node,
            nic,
            cable,
            hub if isinstance(hub, HubPart) else None,
            switch if isinstance(switch, SwitchPart) else None,
            root if isinstance(root, SwitchPart) else None,
        )

    def with_those_of(self, wiring: Wiring, find: Callable[[str, str], Part]) -> RoleParts:
        """Return the parts with those that single devices of a wiring have.

        Parameters
        ----------
        wiring : Wiring
            Devices and cables, with the roles of their parts.
        find : callable
            Returns the part of a role and a key.

        Raises
        ------
        DesignError
            If there is no such part.
        """
        if wiring.particulars is None:
            return self
        roles = wiring.part_roles_in_use
        keyed = {role: find(*role.split(":", 1)) for role in roles if ":" in role}
        found = replace(self, keyed=MappingProxyType(keyed))
        nodes = [part for part in keyed.values() if isinstance(part, NodePart)]
        nics = [part for part in keyed.values() if isinstance(part, NicPart)]
        cables = [part for part in keyed.values() if isinstance(part, CablePart)]
        return replace(
            found,
            node=found.node if "node" in roles else nodes[0],
            nic=found.nic if "nic" in roles else max(nics, key=lambda nic: nic.rate_mbps),
            cable=found.cable if "cable" in roles else cables[0],
        )

    def part(self, role: str) -> Part | None:
        """Return the part of a role; None if the design has none."""
        part: Part | None = self.keyed.get(role) if ":" in role else getattr(self, role)
        return part

    @property
    def limits(self) -> Limits:
        """Port counts for the topologies."""
        hub, switch, root = self.hub, self.switch, self.root_switch
        has_uplinks = switch is not None and switch.uplink_rate_mbps is not None
        return Limits(
            node_slots=most_ports(self.node, self.nic),
            hub_ports=hub.most_ports if hub else None,
            switch_ports=switch.most_ports if switch else None,
            leaf_ports=switch.most_leaf_ports if switch and has_uplinks else None,
            root_switch_ports=root.most_ports if root else None,
            switch_stack_units=switch.max_stack_units if switch else None,
        )

    def used(self, device_roles: Iterable[str]) -> Mapping[str, Part]:
        """Return role -> part of a network: node, NIC and cable, and the boxes and keyed parts
        among `device_roles`.
        """
        parts: dict[str, Part] = {"node": self.node, "nic": self.nic, "cable": self.cable}
        present = set(device_roles)
        boxes: dict[str, Part | None] = {
            "hub": self.hub,
            "switch": self.switch,
            "root_switch": self.root_switch,
        }
        boxes.update(self.keyed)
        parts.update({role: part for role, part in boxes.items() if role in present and part})
        return MappingProxyType(parts)

    def check(self, wiring: Wiring, names: tuple[str, ...]) -> None:
        """Check that the nodes, and the hubs and switches of a design's own graph, have the ports
        of a wiring.

        Parameters
        ----------
        wiring : Wiring
            Devices and cables.
        names : tuple of str
            Names of the devices.

        Raises
        ------
        DesignError
            If a part has too few.
        """
        self._check_nics(wiring, names)
        self._check_ports(wiring, names)

    def check_mtu(self, mtu: int, device_roles: Iterable[str]) -> None:
        """Check that every part in use carries packets of `mtu` bytes.

        All interfaces have one MTU, so that no packet is too long for a link of its path.

        Parameters
        ----------
        mtu : int
            Longest IP packet of every interface, in bytes.
        device_roles : iterable of str
            Roles of the parts in use.

        Raises
        ------
        DesignError
            If a part does not.
        """
        for role, part in self.used(device_roles).items():
            most = mtu_of(part)
            if mtu > most:
                raise DesignError(
                    f"'mtu' is {mtu}, {role} '{part.key}' carries packets of at most {most} bytes",
                    f"choose an 'mtu' of at most {most}, or under 'parts' another {role}",
                )

    def _check_nics(self, wiring: Wiring, names: tuple[str, ...]) -> None:
        """Check that each node has built-in ports, or slots for cards, for all of its cables.

        Raises
        ------
        DesignError
            If a node has too few; the message names the first of those that lack most.
        """
        groups = nics_of_nodes(wiring, self.used(wiring.part_roles_in_use))
        lacking = [(one.filled.lack, int(one.nodes[0])) for one in groups if one.filled.lack]
        if lacking:
            lack, node = max(lacking, key=lambda one: one[0].n_missing)
            raise DesignError(lack.reason(names[node]), lack.fix)

    def _check_ports(self, wiring: Wiring, names: tuple[str, ...]) -> None:
        """Check that the hubs and switches of a design's own graph have a part with their ports.

        Raises
        ------
        DesignError
            If one has none, or too few ports.
        """
        boxes = np.flatnonzero(wiring.kind != NODE) if wiring.particulars is not None else ()
        for box in map(int, boxes):
            part = self.part(wiring.part_role_of(box))
            require_ports(
                role=wiring.part_role_of(box),
                needed=int(wiring.n_ports[box]),
                available=part.most_ports if isinstance(part, HubPart | SwitchPart) else None,
                thing=f"{plain_role(wiring.part_role_of(box))} '{names[box]}'",
                remedy="give it a larger part, or plug fewer cables into it",
            )

    def check_layer_3(self, wiring: Wiring, names: tuple[str, ...]) -> None:
        """Check that each routed switch has a part that routes.

        Raises
        ------
        DesignError
            If one has not.
        """
        for device in np.flatnonzero(wiring.is_routed_switch).tolist():
            part = self.part(wiring.part_role_of(device))
            if isinstance(part, SwitchPart) and not part.layer_3:
                raise DesignError(
                    f"switch '{names[device]}' is routed, part '{part.key}' does not route",
                    "give it a part that does, or set layer_3: true for your own; "
                    "docs/reference/parts.md names those of the catalogues",
                )


def mtu_of(part: Part) -> int:
    """Return the longest IP packet that a part carries, in bytes; repeaters know only 1500."""
    if isinstance(part, HubPart):
        return 1500
    return part.mtu if isinstance(part, NicPart | SwitchPart) else MOST_MTU
