"""The cost of a network: by the ports in use, as the papers count, and by the whole units to order.

*Ports used* prices every hub port, switch port and port of a card with a cable of the compute
nodes. Uplink ports are priced as ports of the root switch, and shared by all nodes that their leaf
has room for. Cables and the front end are left out [PMESH, sec. 4]. *Units bought* is the bill of
materials: every hub and switch in the smallest size sold that holds its cables, all cards and
cables, front end included. Nodes are part of neither, so the ports that they have cost nothing;
stacking cables come with the units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.design.node_nics import nics_of_nodes
from linkwright.design.parts import HubPart, NicPart, SwitchPart
from linkwright.design.topologies.wiring import plain_role
from linkwright.errors import PlanError, expect_kind
from linkwright.frames import FrameColumn, Kind, Tabular
from linkwright.network import Network
from linkwright.notebook import Shown
from linkwright.plan.typed_parts import box_part
from linkwright.plan.units import RackedUnits, Unit

if TYPE_CHECKING:
    from linkwright.design.parts import Part

CABLE_KIND_NAMES = ("straight", "crossover", "uplink", "stack")
"""Name for each code of `Wiring.cable_kind`."""
UPLINK = CABLE_KIND_NAMES.index("uplink")
BUILT_IN = "built-in NIC"
"""Item of NICs that the computers have."""
UPLINK_CLASS = 1
"""Code of `Wiring.cable_class` for cables at the uplink's rate."""


_KINDS: Mapping[str, Kind] = {
    "quantity": "float",
    "unit_price": "float",
    "total": "float",
    "price_date": "date",
}
"""Kinds of the columns of a cost that are no categories."""


@dataclass(frozen=True)
class CostLine:
    """A quantity of one item at one price.

    Attributes
    ----------
    part_role : str
        Role of the part: nic, hub, switch, root_switch or cable.
    item : str
        The counted item, with its size if several are sold.
    part : str
        Key of the part in the catalogue.
    name : str
        Name for an order.
    quantity : float
        Number of items; a fraction if several nodes share a port.
    unit_price : float
        Price of one, in `currency`.
    currency, source, confidence : str
        Origin of the price.
    price_date : datetime.date
        Date of the price.
    """

    part_role: str
    item: str
    part: str
    name: str
    quantity: float
    unit_price: float
    currency: str
    price_date: date
    source: str
    confidence: str

    @property
    def total(self) -> float:
        """Quantity times price, rounded to a hundredth of the currency unit."""
        return round(self.quantity * self.unit_price, 2)


@dataclass(frozen=True, repr=False)
class Cost(Shown, Tabular):
    """The cost of a network, counted in both ways.

    Attributes
    ----------
    ports_used, units_bought : tuple of CostLine
        The lines of both counts.
    n_compute : int
        Compute nodes over which the cost is spread.
    currency : str
        Currency of every line.
    """

    ports_used: tuple[CostLine, ...]
    units_bought: tuple[CostLine, ...]
    n_compute: int
    currency: str

    @property
    def summary(self) -> str:
        """The cost per node, counted in both ways."""
        bought, used = self.units_bought_per_node, self.ports_used_per_node
        return f"{bought:,.2f} {self.currency} per node in units bought, {used:,.2f} in ports used"

    @property
    def ports_used_per_node(self) -> float:
        """Cost per compute node as the papers count it."""
        return sum(line.quantity * line.unit_price for line in self.ports_used) / self.n_compute

    @property
    def units_bought_per_node(self) -> float:
        """Cost per compute node of all units to order."""
        return sum(line.total for line in self.units_bought) / self.n_compute

    def frame_columns(self) -> list[FrameColumn]:
        """Return the columns of a row per line; `count` tells which of both counts it is of."""
        lines = self.units_bought + self.ports_used
        counts = ["units bought"] * len(self.units_bought) + ["ports used"] * len(self.ports_used)
        found = [FrameColumn("count", "category", counts)]
        for name in (*(field.name for field in fields(CostLine)), "total"):
            cells = [getattr(one, name) for one in lines]
            found.append(FrameColumn(name, _KINDS.get(name, "category"), cells))
        return found

    def per_role(self) -> dict[str, tuple[float, float]]:
        """Return the cost per node of each part role: by ports used and by units bought."""
        lines = self.ports_used + self.units_bought
        return {
            role: (
                _total_of(self.ports_used, role) / self.n_compute,
                _total_of(self.units_bought, role) / self.n_compute,
            )
            for role in dict.fromkeys(line.part_role for line in lines)
        }


def price(network: Network) -> Cost:
    """Return the cost of a network, by ports used and by units bought.

    Raises
    ------
    UsageError
        If `network` is not a Network.
    PlanError
        If prices are in several currencies, or no size sold has enough ports.
    """
    expect_kind("price", network, Network)
    return cost_of(network, RackedUnits.of(network))


def cost_of(network: Network, racked: RackedUnits) -> Cost:
    """Return the cost of a network with known hubs and switches; else as `price`."""
    used = _ports_used(network)
    bought = (*_nics(network), *_hubs_and_switches(network, racked), *_cables(network))
    currencies = sorted({line.currency for line in (*used, *bought)})
    if len(currencies) > 1:
        raise PlanError(
            f"the parts of '{network.name}' are priced in {' and '.join(currencies)}",
            "give all prices in one currency with a price file",
        )
    return Cost(used, bought, network.n_compute, currencies[0] if currencies else "")


def _ports_used(network: Network) -> tuple[CostLine, ...]:
    ends = network.wiring.joined_devices
    is_billed = np.ones(len(ends), dtype=np.bool_)
    if network.front_end is not None:
        is_billed = (ends != network.front_end).all(axis=1)
    roles, codes = _roles_of_ends(network)
    counts: dict[str, float] = _counts(roles, codes[is_billed])
    for role, n_ports in _built_in_ports(network, is_billed).items():
        counts[role] -= n_ports
    for role in _counts(roles, codes[network.wiring.cable_kind == UPLINK]):
        counts[role] = network.closed.ports_per_node[role] * network.n_compute
    return tuple(
        _line(network.parts[role], role, _port_item(role), count, port_price(network.parts[role]))
        for role, count in sorted(counts.items(), key=lambda entry: _order(entry[0]))
        if count
    )


def _built_in_ports(network: Network, is_billed: npt.NDArray[np.bool_]) -> Counter[str]:
    """Return the number of ports, among those of the billed cables, that the computers have."""
    found: Counter[str] = Counter()
    for group in nics_of_nodes(network.wiring.with_cables(is_billed), network.parts):
        for one in group.filled.built_in:
            found[one.role] += one.n_ports * len(group.nodes)
    return found


def _roles_of_ends(network: Network) -> tuple[tuple[str, ...], npt.NDArray[np.uint8]]:
    """Return the part roles that pay for the ends of cables, and the index of each end's role."""
    roles, codes = network.wiring.end_roles
    is_fast = (network.wiring.cable_class == UPLINK_CLASS)[:, np.newaxis]
    paying = (*roles, "root_switch")
    return paying, np.where(is_fast, paying.index("root_switch"), codes).astype(np.uint8)


def _counts(roles: tuple[str, ...], codes: npt.NDArray[np.uint8]) -> dict[str, float]:
    counts = np.bincount(codes.ravel(), minlength=len(roles)).tolist()
    return {role: count for role, count in zip(roles, counts, strict=True) if count}


_ROLE_ORDER = ("nic", "hub", "switch", "root_switch", "cable")


def _order(role: str) -> tuple[int, str]:
    """Return the place of a role among the lines; those with a key stand behind the plain one."""
    return _ROLE_ORDER.index(plain_role(role)), role


def _port_item(role: str) -> str:
    plain = plain_role(role)
    return {"nic": "NIC", "root_switch": "uplink port"}.get(plain, f"{plain} port")


def port_price(part: Part) -> float:
    """Return the price of one connector: its share in a NIC, or in the largest box sold."""
    if isinstance(part, NicPart):
        return part.price / part.ports
    if isinstance(part, HubPart | SwitchPart) and part.price_per == "piece":
        return part.price / part.most_ports
    return part.price


def unit_size(
    part: HubPart | SwitchPart, unit: Unit, n_connectors: int, *, takes_uplinks: bool
) -> int:
    """Return the smallest size sold with `n_connectors`, and extra uplink ports if needed.

    Raises
    ------
    PlanError
        If all sizes are smaller.
    """
    least = n_connectors
    if takes_uplinks and isinstance(part, SwitchPart):
        least = max(least, part.least_uplink_size)
    size = part.size_for(least)
    if size is None:
        raise PlanError(
            f"{unit.kind} {unit.name} must hold {n_connectors} cables, the largest '{part.key}' "
            f"has {part.most_ports} ports",
            "choose a part with more ports or add units",
        )
    return size


def _nics(network: Network) -> Iterable[CostLine]:
    """Yield the cards to buy and the built-in NICs in use, which cost nothing."""
    cards: Counter[str] = Counter()
    own: Counter[NicPart] = Counter()
    for group in nics_of_nodes(network.wiring, network.parts):
        for card in group.filled.cards:
            cards[card.role] += len(group.nodes)
        for _, nic, count in group.filled.built_in_nics():
            own[nic] += count * len(group.nodes)
    for role, count in sorted(cards.items()):
        yield _line(network.parts[role], role, "NIC", count, network.parts[role].price)
    for nic, count in sorted(own.items(), key=lambda one: one[0].key):
        yield _line(nic, "nic", BUILT_IN, count, 0)


def n_nics(network: Network) -> int:
    """Return the NICs of all nodes: those built in that are in use, and the fewest cards whose
    ports hold the other cables.
    """
    groups = nics_of_nodes(network.wiring, network.parts)
    return sum(len(group.nodes) * group.filled.n_nics for group in groups)


def _hubs_and_switches(network: Network, racked: RackedUnits) -> Iterable[CostLine]:
    is_uplink = network.wiring.cable_class == UPLINK_CLASS
    n_uplinks = racked.n_connectors(is_uplink)
    n_all = racked.n_connectors()
    counts: Counter[tuple[str, int]] = Counter()
    n_uplink_ports = 0
    for index, unit in enumerate(racked.units):
        has_extra = bool(n_uplinks[index]) and unit.part_role != "root_switch"
        n_own = int(n_all[index] - (n_uplinks[index] if has_extra else 0))
        part = box_part(network, unit.part_role)
        counts[unit.part_role, unit_size(part, unit, n_own, takes_uplinks=has_extra)] += 1
        n_uplink_ports += int(n_uplinks[index]) if has_extra else 0
    for (role, size), count in sorted(counts.items()):
        part, kind = box_part(network, role), plain_role(role).replace("_", " ")
        yield _line(part, role, f"{kind}, {size} ports", count, part.price_of(size))
    if n_uplink_ports:
        part = box_part(network, "root_switch")
        yield _line(part, "root_switch", "uplink port", n_uplink_ports, port_price(part))


def _cables(network: Network) -> Iterable[CostLine]:
    roles, codes = network.wiring.cable_roles
    for code, role in enumerate(roles):
        kinds = network.wiring.cable_kind[codes == code]
        counts = np.bincount(kinds, minlength=len(CABLE_KIND_NAMES))
        part = network.parts[role]
        for kind, count in zip(CABLE_KIND_NAMES, counts.tolist(), strict=True):
            if count:
                yield _line(part, role, f"cable, {kind}", count, part.price)


def _line(part: Part, role: str, item: str, quantity: float, each: float) -> CostLine:
    return CostLine(
        part_role=plain_role(role),
        item=item,
        part=part.key,
        name=part.name,
        quantity=quantity,
        unit_price=each,
        currency=part.currency,
        price_date=part.date,
        source=part.source,
        confidence=part.confidence,
    )


def _total_of(lines: Iterable[CostLine], role: str) -> float:
    return sum(line.quantity * line.unit_price for line in lines if line.part_role == role)
