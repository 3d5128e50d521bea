"""The parts of a design, by role and type, with the limits of their ports and slots.

Topologies see only the port counts (`limits`); slots are checked on the built wiring.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from linkwright.design.parts import CablePart, HubPart, NicPart, NodePart, Part, Role, SwitchPart
from linkwright.design.topologies import Limits, Wiring
from linkwright.errors import DesignError

__all__ = ["RoleParts"]


@dataclass(frozen=True)
class RoleParts:
    """The part of each role; a hub or a switch is None if the design has none."""

    node: NodePart
    nic: NicPart
    cable: CablePart
    hub: HubPart | None
    switch: SwitchPart | None
    root_switch: SwitchPart | None

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

    @property
    def limits(self) -> Limits:
        """Port counts for the topologies."""
        hub, switch, root = self.hub, self.switch, self.root_switch
        has_uplinks = switch is not None and switch.uplink_rate_mbps is not None
        slots = self.node.max_nics
        return Limits(
            node_slots=None if slots is None else slots * self.nic.ports,
            hub_ports=hub.most_ports if hub else None,
            switch_ports=switch.most_ports if switch else None,
            leaf_ports=switch.most_leaf_ports if switch and has_uplinks else None,
            root_switch_ports=root.most_ports if root else None,
            switch_stack_units=switch.max_stack_units if switch else None,
        )

    def used(self, device_roles: Iterable[str]) -> Mapping[str, Part]:
        """Return role -> part of a network: node, NIC and cable, and the boxes among
        `device_roles`.
        """
        parts: dict[str, Part] = {"node": self.node, "nic": self.nic, "cable": self.cable}
        present = set(device_roles)
        boxes = {"hub": self.hub, "switch": self.switch, "root_switch": self.root_switch}
        parts.update({role: part for role, part in boxes.items() if role in present and part})
        return MappingProxyType(parts)

    def check_mtu(self, mtu: int, device_roles: Iterable[str]) -> None:
        """Check that every part in use carries packets of `mtu` bytes.

        All interfaces have one MTU, so that no packet is too long for a link of its path.

        Raises
        ------
        DesignError
            If a part does not.
        """
        for role, part in self.used(device_roles).items():
            most = 1500 if isinstance(part, HubPart) else getattr(part, "mtu", mtu)
            if mtu > most:
                raise DesignError(
                    f"'mtu' is {mtu}, {role} '{part.key}' carries packets of at most {most} bytes",
                    f"choose an 'mtu' of at most {most}, or under 'parts' another {role}",
                )

    def check_slots(self, wiring: Wiring, names: tuple[str, ...]) -> None:
        """Check that each node has a slot for each of its NICs, which may have several ports.

        Raises
        ------
        DesignError
            If a node has too few; the message names the first of those that lack most.
        """
        slots = self.node.max_nics
        ports = wiring.n_ports[: wiring.n_nodes]
        node = int(np.argmax(ports))
        needed = self.nic.cards_for(int(ports[node]))
        if slots is None or needed <= slots:
            return
        raise DesignError(
            f"node '{names[node]}' needs {needed} NICs, part '{self.node.key}' has {slots} slots",
            "choose a topology with fewer NICs per node, or under 'parts' another node",
        )
