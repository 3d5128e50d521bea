"""Parts to buy: NICs, hubs, switches, cables and nodes, with dated prices and the constants of
devices.

A part has the facts of its data sheet and price list. plan/cost.py computes the cost of using it,
the engines its behaviour.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from linkwright.calibrations import nics
from linkwright.errors import DesignError, unknown_name

__all__ = [
    "BuiltIn",
    "Bus",
    "CablePart",
    "Confidence",
    "Connector",
    "HubPart",
    "NicPart",
    "NodePart",
    "Part",
    "Slot",
    "SwitchPart",
]

Confidence = Literal["printed", "data sheet", "measured", "estimate", "given", "left out"]
"""Reliability of a price; "given" is the user's own, "left out" one that the source excludes from
its model.
"""

Connector = Literal["rj45", "sfp", "qsfp", "usb-c"]
"""Families of connectors: two connectors of one family fit (SFP28 into SFP56, QSFP28 into QSFP-DD),
at the lower rate of the two.
"""

RateMbps = Annotated[float, Field(strict=True, ge=1, le=1_000_000)]
"""Range from the slowest Ethernet, 1BASE5, to beyond the fastest. A message of 1 TiB at the lowest
rate takes 102 days, which the engines' clocks, 64 bits of picoseconds, still hold.
"""

Bus = Literal["pcie", "pci", "isa", "m.2", "ocp"]
"""Kinds of slots: PCI Express, PCI, ISA, M.2, and the mezzanine of the Open Compute Project."""

Lanes = Literal[1, 2, 4, 8, 16]
Generation = Annotated[int, Field(strict=True, ge=1, le=7)]

LANE_BPS = {1: 2.0e9, 2: 4.0e9, 3: 7.877e9, 4: 15.754e9, 5: 31.508e9, 6: 60.5e9, 7: 121.0e9}
"""Rate of a lane by generation: 2.5, 5, 8, 16, 32, 64 and 128 GT/s without the line code [PCIE].
Headers of the bus take 5 to 20 % more.
"""

Mtu = Annotated[int, Field(strict=True, ge=1500, le=65535)]
PortCount = Annotated[int, Field(strict=True, ge=2, le=4096)]
PortCounts = Annotated[tuple[PortCount, ...], Field(min_length=1, max_length=100)]
Price = Annotated[float, Field(strict=True, ge=0, le=1e9)]
"""At most 10^9, so that sums of millions of prices stay exact."""

Line = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""A text of one line for a cell of a table."""

Name = Annotated[Line, Field(min_length=1)]


def _no_number(value: object) -> object:
    """Refuse a number, which would be read as days or seconds from 1970."""
    if isinstance(value, bool | int | float):
        raise ValueError("give a date as YYYY-MM-DD")
    return value


def _nic_class(name: str) -> str:
    """Refuse a class of NICs that does not exist."""
    if name and name not in nics.names():
        raise ValueError(f"there is no such class; {unknown_name(name, nics.names())}")
    return name


Date = Annotated[dt.date, BeforeValidator(_no_number)]


class _Part(BaseModel):
    """The common fields of all parts."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, allow_inf_nan=False)

    key: Name
    name: Name
    """Name for an order."""
    price: Price
    price_per: Literal["piece", "port"] = "piece"
    price_range: tuple[Price, Price] | None = None
    """Lowest and highest price found, if the source gives a range."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    date: Date
    source: Name
    """Key of docs/references.md, or another origin of the entry."""
    confidence: Confidence
    note: str = ""

    @model_validator(mode="after")
    def _check_range(self) -> Self:
        if self.price_range is not None and self.price_range[0] > self.price_range[1]:
            low, high = self.price_range
            raise DesignError(
                f"'price_range' of part '{self.key}' goes from {low:g} down to {high:g}",
                f"give the lowest price first: [{high:g}, {low:g}]",
            )
        return self


class _MultiPortPart(_Part):
    """The common fields of hubs and switches."""

    ports: PortCounts
    """Sizes sold, smallest first."""
    rate_mbps: RateMbps
    connector: Connector | None = None
    """Family of its ports' connectors, None if the source does not give it."""
    max_stack_units: Annotated[int, Field(strict=True, ge=1, le=4096)] | None = None
    """Units that can be stacked to act as one, None if the source does not give it."""
    first_port: Literal[0, 1] = 1
    """Number that the box prints beside its first port."""

    @property
    def rate_bps(self) -> int:
        """Rate of a port."""
        return round(self.rate_mbps * 1e6)

    @property
    def most_ports(self) -> int:
        """Number of ports of the largest size."""
        return max(self.ports)

    def size_for(self, n_ports: int) -> int | None:
        """Return the smallest size sold with at least `n_ports`, or None if all are smaller."""
        return min((size for size in self.ports if size >= n_ports), default=None)

    def price_of(self, size: int) -> float:
        """Return the price of a box of a size that is sold."""
        return self.price * size if self.price_per == "port" else self.price


class NicPart(_Part):
    """A network interface card, or ports of one kind that a computer has."""

    role: Literal["nic"] = "nic"
    ports: Annotated[int, Field(strict=True, ge=1, le=16)] = 1
    """Connectors on the card, each for its own cable. Failures are counted per connector."""
    rate_mbps: RateMbps
    connector: Connector | None = None
    """Family of its connectors, None if the source does not give it."""
    mtu: Mtu = 1500
    """Longest IP packet it carries, in bytes."""
    nic_class: Annotated[str, AfterValidator(_nic_class)] = ""
    """Class of NICs whose constants hosts of today have, empty if the source does not give it."""
    bus: Bus | Literal["none"] | None = None
    """Kind of slot that the card needs, None if the source does not give it: it fits into any.
    With `none` it is no card, and exists only in computers that have it built in.
    """
    lanes: Lanes | None = None
    """Lanes of PCI Express of the card, None if it has none or the source does not give them."""
    generation: Generation | None = None
    """Generation of PCI Express, None as for `lanes`."""

    @property
    def rate_bps(self) -> int:
        """Rate of each connector."""
        return round(self.rate_mbps * 1e6)

    @property
    def is_card(self) -> bool:
        """Whether it can be bought and plugged into a slot."""
        return self.bus != "none"

    def cards_for(self, n_ports: int) -> int:
        """Return the number of cards with `n_ports` connectors in total."""
        return -(-n_ports // self.ports)

    def serves(self, wanted: NicPart) -> bool:
        """Return whether a port of this NIC can be used as one of `wanted`: it is the same part, or
        has connectors of the same family, at least its rate and its packets.
        """
        if self.key == wanted.key:
            return True
        is_family = self.connector is not None and self.connector == wanted.connector
        return is_family and self.rate_mbps >= wanted.rate_mbps and self.mtu >= wanted.mtu


class HubPart(_MultiPortPart):
    """A repeater: all its ports are one collision domain."""

    role: Literal["hub"] = "hub"
    domain_delay_us: Annotated[float, Field(strict=True, ge=0, le=1000)]
    """One-way delay between any two stations of the domain, cables included."""


class SwitchPart(_MultiPortPart):
    """A switch. In the role `root_switch` it is the faster switch at the end of uplinks."""

    role: Literal["switch", "root_switch"] = "switch"
    mode: Literal["store-and-forward", "cut-through"]
    latency_us: Annotated[float, Field(strict=True, ge=0, le=10_000)]
    """Time from the moment output may start until it starts on an idle port."""
    backplane_mbps: Annotated[float, Field(strict=True, ge=1, le=1e9)] | None = None
    """Capacity shared by all ports of one unit, each bit counted once; None if non-blocking. The
    largest chassis have a petabit per second.
    """
    queue_bytes: Annotated[int, Field(strict=True, ge=1518, le=2**31)]
    """Size of the queue of one output port."""
    mtu: Mtu = 1500
    """Longest IP packet whose frame it carries, in bytes."""
    layer_3: bool = False
    """Whether it can forward IP packets by routes, at the rates and the latency of a switch."""
    vlans: bool = True
    """Whether it can be divided into several logical switches."""
    uplink_rate_mbps: RateMbps | None = None
    """Rate of its extra uplink ports; None if it has none."""
    uplink_size: PortCount | None = None
    """Size with uplinks, if not every size has them; the largest if all are smaller."""

    @property
    def least_uplink_size(self) -> int:
        """Fewest ports of a box with extra uplinks; 0 if every size has them."""
        return min(self.uplink_size or 0, self.most_ports)

    @property
    def most_leaf_ports(self) -> int:
        """Node ports of the largest size with extra uplinks."""
        return min(self.uplink_size or self.most_ports, self.most_ports)


class CablePart(_Part):
    """A cable with its connectors."""

    role: Literal["cable"] = "cable"
    connector: Connector | None = None
    """Family of the connectors at its ends, None if the source does not give it."""
    rate_mbps: RateMbps | None = None
    """Highest rate it carries, None if the source does not give it."""
    delay_us: Annotated[float, Field(strict=True, ge=0, le=10_000)]
    """One-way propagation delay."""


class Slot(BaseModel):
    """Equal slots of a computer, for a card each."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    count: Annotated[int, Field(strict=True, ge=1, le=4096)] = 1
    bus: Bus | Literal["any"] | None = None
    """Kind of card that fits, None if the source does not give it: every card does. With `any` it
    stands for a NIC of any kind, built in or not.
    """
    size: Lanes | None = None
    """Length of a slot of PCI Express, in lanes: longer cards do not fit. Default: `lanes`."""
    lanes: Lanes | None = None
    """Lanes of PCI Express that carry data, None if the source does not give them."""
    generation: Generation | None = None
    """Generation of PCI Express, None if the source does not give it."""

    def takes(self, card: NicPart) -> bool:
        """Return whether a card fits."""
        if self.bus == "any":
            return True
        if None not in (self.bus, card.bus) and self.bus != card.bus:
            return False
        size = self.size or self.lanes
        return card.is_card and (size is None or card.lanes is None or card.lanes <= size)

    def rate_bps(self, card: NicPart) -> float | None:
        """Return the rate of data each way between a card and its computer; None if unknown.

        A link of PCI Express has the fewer lanes and the older generation of both ends.
        """
        if not (self.lanes and card.lanes and self.generation and card.generation):
            return None
        return min(self.lanes, card.lanes) * LANE_BPS[min(self.generation, card.generation)]


class BuiltIn(BaseModel):
    """NICs of one part that a computer has."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    nic: NicPart
    count: Annotated[int, Field(strict=True, ge=1, le=64)]


def _rows_of_slots(value: object) -> object:
    """Return rows of slots for a plain number of them."""
    return ({"count": value},) if isinstance(value, int) else value


class NodePart(_Part):
    """A computer with the ports it has and the slots for more. Its price is not part of the
    network's.
    """

    role: Literal["node"] = "node"
    built_in: Annotated[tuple[BuiltIn, ...], Field(max_length=16)] = ()
    """NICs that the computer has: key -> number. They cost nothing, and are used before cards."""
    slots: (
        Annotated[tuple[Slot, ...], BeforeValidator(_rows_of_slots), Field(max_length=64)] | None
    ) = None
    """Slots for NICs: rows, or the number of slots that take any card. Empty if the computer has
    none; None if the source does not give them, which sets no limit.
    """
    system: Literal["linux", "macos"] = "linux"
    """Its operating system."""
    gpu: bool = False
    """Whether programs on it communicate through the library of its GPU (NCCL, RCCL, MLX)."""


Part = Annotated[NodePart | NicPart | CablePart | HubPart | SwitchPart, Field(discriminator="role")]
