"""Parts that fit an architecture: the cheapest kit of a catalogue from which it can be built.

A kit fits if the nodes have ports or slots for it, the hubs and switches the ports, and the
cables the rate. The price of the whole units to buy decides, counted as in plan/cost.py; only the
chosen kit is compiled into a network.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwright.design.cheapest import cheapest_form
from linkwright.design.cluster import Cluster
from linkwright.design.device_constants import cable_rates
from linkwright.design.kits import default_kit, kits, rates_mbps
from linkwright.design.node_nics import fill, nics_of_nodes
from linkwright.design.parts import HubPart, SwitchPart
from linkwright.design.role_parts import RoleParts
from linkwright.design.topologies import Topology, Wiring
from linkwright.design.topologies.wiring import PART_ROLES, UPLINK_SPEED
from linkwright.errors import DesignError, UsageError
from linkwright.plan.cost import port_price

__all__ = ["Wanted", "fitting_design", "units_bought", "wired"]

TopologyFields = Callable[[SwitchPart | None], dict[str, Any]]
"""Returns the fields of a topology built with a switch part, if there is one."""


@dataclass(frozen=True)
class Wanted:
    """The source of parts, and the limits on their choice."""

    catalogue: str
    rate_mbps: float | None = None
    """Rate of the NICs. Default: that of the catalogue's usual NIC, or the next that fits."""
    ports_per_node: int | None = None
    """Largest number of ports of a node to use. Default: as many as its slots allow."""

    def rates_mbps(self) -> list[float]:
        """Return the rates to try, in this order.

        Raises
        ------
        DesignError
            If there is no such catalogue.
        UsageError
            If the catalogue has no parts of the rate.
        """
        known = rates_mbps(self.catalogue)
        if self.rate_mbps is None:
            usual = default_kit(self.catalogue).nic.rate_mbps
            return [rate for rate in known if rate >= usual]
        if self.rate_mbps not in known:
            names = ", ".join(f"{rate / 1000:g}g" for rate in known)
            raise UsageError(
                f"catalogue '{self.catalogue}' has no NICs of {self.rate_mbps / 1000:g} Gb/s that "
                "are known to fit its other parts",
                f"choose one of {names}, or another catalogue",
            )
        return [self.rate_mbps]


@dataclass(frozen=True)
class _Fit:
    """An architecture with the parts of a kit that fits."""

    price: float
    topology: Topology
    chosen: Mapping[str, str]
    """Role -> key of the parts that are not the usual ones."""


@dataclass(frozen=True)
class _Misfit:
    """A kit that does not fit, and the reason."""

    kit: RoleParts
    reason: DesignError

    @property
    def room(self) -> tuple[int, int]:
        """Ports of its NIC and of its switch."""
        return self.kit.nic.ports, self.kit.switch.most_ports if self.kit.switch else 0


def fitting_design(fields: TopologyFields, wanted: Wanted) -> tuple[Cluster, Mapping[str, str]]:
    """Return the design of an architecture with the cheapest parts that fit, and role -> key of
    the parts that are not the catalogue's usual ones.

    Raises
    ------
    DesignError
        If no parts of the catalogue fit; the reason is that of the kit with the most ports at the
        first rate.
    """
    refusals = []
    for rate_mbps in wanted.rates_mbps():
        tried = [_tried(fields, wanted, kit) for kit in kits(wanted.catalogue, rate_mbps)]
        fits = [one for one in tried if isinstance(one, _Fit)]
        if fits:
            best = min(fits, key=lambda one: one.price)
            parts = {"catalogue": wanted.catalogue, **best.chosen}
            return _design(best.topology, parts), best.chosen
        refusals.append(_refusal(wanted, [one for one in tried if isinstance(one, _Misfit)]))
    raise refusals[0]


def _tried(fields: TopologyFields, wanted: Wanted, kit: RoleParts) -> _Fit | _Misfit:
    try:
        topology, wiring = wired(fields(kit.switch), kit, wanted)
    except DesignError as reason:
        return _Misfit(kit, reason)
    usual = default_kit(wanted.catalogue)
    return _Fit(units_bought(wiring, kit), topology, _unusual(kit, usual, wiring))


def _refusal(wanted: Wanted, misfits: Sequence[_Misfit]) -> DesignError:
    """Return the error for a rate of which no kit fits."""
    if misfits:
        return max(misfits, key=lambda one: one.room).reason
    return DesignError(
        f"catalogue '{wanted.catalogue}' has no cable for its NICs", "choose another catalogue"
    )


def wired(fields: Mapping[str, Any], kit: RoleParts, wanted: Wanted) -> tuple[Topology, Wiring]:
    """Return a topology as the design has it, and the wiring of its cheapest form with a kit.

    Raises
    ------
    DesignError
        If they do not fit.
    """
    design = _design(fields, {"catalogue": wanted.catalogue})
    form = cheapest_form(design.topology, kit, front_end=False)
    _require_node_ports(form.closed_forms(kit.limits).nics_per_node, kit, wanted)
    wiring = form.build(kit.limits)
    _require_stacks(wiring, kit)
    _require_cable_rate(wiring, kit)
    return design.topology, wiring


def _require_node_ports(needed: int, kit: RoleParts, wanted: Wanted) -> None:
    allowed = wanted.ports_per_node
    if allowed is not None and needed > allowed:
        raise DesignError(
            f"needs {needed} ports per node, {allowed} may be used", "allow more ports per node"
        )
    lack = fill(kit.node, {"nic": (kit.nic, needed)}).lack
    if lack is not None:
        raise DesignError(
            f"needs {needed} ports per node, '{kit.node.key}' has {lack.available}",
            "write a design whose nodes have more ports",
        )


def _require_stacks(wiring: Wiring, kit: RoleParts) -> None:
    for role, part in _boxes_of(kit).items():
        units = wiring.stack_units[wiring.part_role == PART_ROLES.index(role)]
        needed = int(units.max(initial=1))
        if part.max_stack_units is not None and needed > part.max_stack_units:
            raise DesignError(
                f"needs {needed} units of '{part.key}' that act as one, at most "
                f"{part.max_stack_units} do",
                "choose a catalogue with larger switches",
            )


def _require_cable_rate(wiring: Wiring, kit: RoleParts) -> None:
    rates = cable_rates(wiring, kit)[wiring.cable_class != UPLINK_SPEED]
    needed_mbps = float(rates.max(initial=0)) / 1e6
    if kit.cable.rate_mbps is not None and needed_mbps > kit.cable.rate_mbps:
        raise DesignError(
            f"needs cables of {needed_mbps / 1000:g} Gb/s, '{kit.cable.key}' carries "
            f"{kit.cable.rate_mbps / 1000:g}",
            "choose a catalogue with faster cables",
        )


def units_bought(wiring: Wiring, kit: RoleParts) -> float:
    """Return the price of all units to order."""
    groups = nics_of_nodes(wiring, kit.used(wiring.part_roles_in_use))
    n_cards = sum(len(one.nodes) * len(one.filled.cards) for one in groups)
    total = n_cards * kit.nic.price + len(wiring.cable_a) * kit.cable.price
    total += sum(_boxes(wiring, role, part) for role, part in _boxes_of(kit).items())
    if kit.root_switch is not None:
        total += _extra_uplink_ports(wiring) * port_price(kit.root_switch)
    return total


def _boxes_of(kit: RoleParts) -> dict[str, HubPart | SwitchPart]:
    """Return role -> part of the hubs and switches of the kit."""
    boxes = {"hub": kit.hub, "switch": kit.switch, "root_switch": kit.root_switch}
    return {role: part for role, part in boxes.items() if part is not None}


def _boxes(wiring: Wiring, role: str, part: HubPart | SwitchPart) -> float:
    """Return the price of the hubs or switches of a role: units of stacks, and whole chassis."""
    is_one = wiring.part_role == PART_ROLES.index(role)
    if part.price_per == "port":
        return int(wiring.n_ports[is_one].sum()) * part.price
    chassis = wiring.chassis[is_one]
    n_alone = int(wiring.stack_units[is_one][chassis < 0].sum())
    return (n_alone + len(np.unique(chassis[chassis >= 0]))) * part.price


def _extra_uplink_ports(wiring: Wiring) -> int:
    """Return the number of uplink ports that are not node ports of a switch."""
    is_uplink = wiring.cable_class == UPLINK_SPEED
    ends = np.concatenate([wiring.cable_a[is_uplink, 0], wiring.cable_b[is_uplink, 0]])
    return int((wiring.part_role[ends] == PART_ROLES.index("switch")).sum())


def _unusual(kit: RoleParts, usual: RoleParts, wiring: Wiring) -> Mapping[str, str]:
    """Return role -> key of the parts in use that are not the usual ones."""
    roles = {PART_ROLES[code] for code in np.unique(wiring.part_role)}
    before = usual.used(PART_ROLES)
    return {
        role: part.key
        for role, part in kit.used(roles).items()
        if role not in before or part.key != before[role].key
    }


def _design(topology: Mapping[str, Any] | Topology, parts: Mapping[str, Any]) -> Cluster:
    return Cluster.from_fields({"topology": topology, "parts": parts})
