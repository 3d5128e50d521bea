"""Parts one can buy: NICs, hubs, switches, cables and nodes, with dated prices and the constants
of devices.

A part says what is on its data sheet and price list. What it costs to use one is for plan/cost.py,
how it behaves for the engines.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from linkwright.errors import DesignError

__all__ = [
    "CablePart",
    "Confidence",
    "Connector",
    "HubPart",
    "NicPart",
    "NodePart",
    "Part",
    "SwitchPart",
]

Confidence = Literal["printed", "data sheet", "measured", "estimate", "given", "left out"]
"""How sure a price is; "given" is the user's own, "left out" one that the source keeps out of its
model.
"""

Connector = Literal["rj45", "sfp", "qsfp", "usb-c"]
"""Families of connectors: what has the same word can be plugged together (SFP28 into SFP56,
QSFP28 into QSFP-DD), at the lower rate of the two.
"""

RateMbps = Annotated[float, Field(strict=True, ge=1, le=1_000_000)]
"""From the slowest Ethernet, 1BASE5, to beyond the fastest. A message of 1 TiB at the lowest rate
takes 102 days, which the engines' clocks, 64 bits of picoseconds, still hold.
"""

Mtu = Annotated[int, Field(strict=True, ge=1500, le=65535)]
PortCount = Annotated[int, Field(strict=True, ge=2, le=4096)]
PortCounts = Annotated[tuple[PortCount, ...], Field(min_length=1, max_length=100)]
Price = Annotated[float, Field(strict=True, ge=0, le=1e9)]
"""Up to a thousand million, far above any box; prices of millions of them still add up exactly."""

Line = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""A text of one line, as it stands in a table."""

Name = Annotated[Line, Field(min_length=1)]


def _no_number(value: object) -> object:
    """Refuse a number, which would count days or seconds from 1970."""
    if isinstance(value, bool | int | float):
        raise ValueError("give a date as YYYY-MM-DD")
    return value


Date = Annotated[dt.date, BeforeValidator(_no_number)]


class _Part(BaseModel):
    """What every part has."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, allow_inf_nan=False)

    key: Name
    name: Name
    """What to write on an order."""
    price: Price
    price_per: Literal["piece", "port"] = "piece"
    price_range: tuple[Price, Price] | None = None
    """Lowest and highest price found, when the source gives a range."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    date: Date
    source: Name
    """Key of docs/references.md, or where else the entry comes from."""
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


class _Repeating(_Part):
    """What hubs and switches share."""

    ports: PortCounts
    """Sizes sold, smallest first."""
    rate_mbps: RateMbps
    connector: Connector | None = None
    """Family of its ports' connectors, None when the source does not say."""
    max_stack_units: Annotated[int, Field(strict=True, ge=1, le=4096)] | None = None
    """Units that can be stacked to act as one, None when the source does not say."""

    @property
    def rate_bps(self) -> int:
        """Rate of a port."""
        return round(self.rate_mbps * 1e6)

    @property
    def most_ports(self) -> int:
        """Ports of the largest size."""
        return max(self.ports)

    def size_for(self, n_ports: int) -> int | None:
        """Return the smallest size sold with at least `n_ports`, or None when all are smaller."""
        return min((size for size in self.ports if size >= n_ports), default=None)


class NicPart(_Part):
    """A network interface card."""

    role: Literal["nic"] = "nic"
    ports: Annotated[int, Field(strict=True, ge=1, le=16)] = 1
    """Connectors on the card, each for a cable of its own. Failures are counted per connector."""
    rate_mbps: RateMbps
    connector: Connector | None = None
    """Family of its connectors, None when the source does not say."""
    mtu: Mtu = 1500
    """Longest IP packet it carries, in bytes."""

    @property
    def rate_bps(self) -> int:
        """Rate of each connector."""
        return round(self.rate_mbps * 1e6)

    def cards_for(self, n_ports: int) -> int:
        """Return the cards that hold `n_ports` connectors."""
        return -(-n_ports // self.ports)


class HubPart(_Repeating):
    """A repeater: all its ports are one collision domain."""

    role: Literal["hub"] = "hub"
    domain_delay_us: Annotated[float, Field(strict=True, ge=0, le=1000)]
    """One-way delay between any two stations of the domain, cables included."""


class SwitchPart(_Repeating):
    """A switch. As `root_switch` it is the faster kind that uplinks run to."""

    role: Literal["switch", "root_switch"] = "switch"
    mode: Literal["store-and-forward", "cut-through"]
    latency_us: Annotated[float, Field(strict=True, ge=0, le=10_000)]
    """From the moment output may start until it does on an idle port."""
    backplane_mbps: Annotated[float, Field(strict=True, ge=1, le=1e9)] | None = None
    """Capacity shared by all ports of one unit, each bit counted once; None when non-blocking. The
    largest chassis are at a petabit per second.
    """
    queue_bytes: Annotated[int, Field(strict=True, ge=1518, le=2**31)]
    """What one output port holds."""
    mtu: Mtu = 1500
    """Longest IP packet whose frame it carries, in bytes."""
    uplink_rate_mbps: RateMbps | None = None
    """Rate of its extra uplink ports; None when it has none."""
    uplink_size: PortCount | None = None
    """The size that takes uplinks, when not every size does; the largest if all are smaller."""

    @property
    def least_uplink_size(self) -> int:
        """Fewest ports of a box that takes extra uplinks; 0 when every size does."""
        return min(self.uplink_size or 0, self.most_ports)

    @property
    def most_leaf_ports(self) -> int:
        """Node ports of the largest size that takes extra uplinks."""
        return min(self.uplink_size or self.most_ports, self.most_ports)


class CablePart(_Part):
    """A cable with its connectors."""

    role: Literal["cable"] = "cable"
    connector: Connector | None = None
    """Family of the connectors at its ends, None when the source does not say."""
    rate_mbps: RateMbps | None = None
    """The fastest it carries, None when the source does not say."""
    delay_us: Annotated[float, Field(strict=True, ge=0, le=10_000)]
    """One-way propagation delay."""


class NodePart(_Part):
    """A computer; its price is not part of the network's."""

    role: Literal["node"] = "node"
    max_nics: Annotated[int, Field(strict=True, ge=1, le=4096)] | None = None
    """NICs that fit, None when the source does not say or nothing is to bound them."""


Part = Annotated[NodePart | NicPart | CablePart | HubPart | SwitchPart, Field(discriminator="role")]
