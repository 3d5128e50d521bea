"""Parts one can buy: NICs, hubs, switches, cables and nodes, with dated prices and the constants
of devices.

A part says what is on its data sheet and price list. What it costs to use one is for plan/cost.py,
how it behaves for the engines.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

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

RateMbps = Annotated[float, Field(gt=0, le=1_000_000)]
Mtu = Annotated[int, Field(ge=1500, le=65535)]
PortCounts = Annotated[tuple[Annotated[int, Field(ge=2, le=4096)], ...], Field(min_length=1)]


class _Part(BaseModel):
    """What every part has."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, allow_inf_nan=False)

    key: str
    name: str
    """What to write on an order."""
    price: Annotated[float, Field(ge=0)]
    price_per: Literal["piece", "port"] = "piece"
    price_range: tuple[float, float] | None = None
    """Lowest and highest price found, when the source gives a range."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    date: dt.date
    source: str
    """Key of docs/references.md, or where else the entry comes from."""
    confidence: Confidence
    note: str = ""


class _Repeating(_Part):
    """What hubs and switches share."""

    ports: PortCounts
    """Sizes sold, smallest first."""
    rate_mbps: RateMbps
    connector: Connector | None = None
    """Family of its ports' connectors, None when the source does not say."""
    max_stack_units: Annotated[int, Field(ge=1)] | None = None
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
    ports: Annotated[int, Field(ge=1, le=16)] = 1
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
    domain_delay_us: Annotated[float, Field(ge=0, le=1000)]
    """One-way delay between any two stations of the domain, cables included."""


class SwitchPart(_Repeating):
    """A switch. As `root_switch` it is the faster kind that uplinks run to."""

    role: Literal["switch", "root_switch"] = "switch"
    mode: Literal["store-and-forward", "cut-through"]
    latency_us: Annotated[float, Field(ge=0, le=10_000)]
    """From the moment output may start until it does on an idle port."""
    backplane_mbps: Annotated[float, Field(gt=0)] | None = None
    """Capacity shared by all ports of one unit, each bit counted once; None when non-blocking."""
    queue_bytes: Annotated[int, Field(ge=1518, le=2**31)]
    """What one output port holds."""
    mtu: Mtu = 1500
    """Longest IP packet whose frame it carries, in bytes."""
    uplink_rate_mbps: RateMbps | None = None
    """Rate of its extra uplink ports; None when it has none."""
    uplink_size: Annotated[int, Field(ge=2)] | None = None
    """The size that takes uplinks, when not every size does."""

    @property
    def most_leaf_ports(self) -> int:
        """Node ports of the largest size that takes extra uplinks."""
        return self.uplink_size or self.most_ports


class CablePart(_Part):
    """A cable with its connectors."""

    role: Literal["cable"] = "cable"
    connector: Connector | None = None
    """Family of the connectors at its ends, None when the source does not say."""
    rate_mbps: RateMbps | None = None
    """The fastest it carries, None when the source does not say."""
    delay_us: Annotated[float, Field(ge=0, le=10_000)]
    """One-way propagation delay."""


class NodePart(_Part):
    """A computer; its price is not part of the network's."""

    role: Literal["node"] = "node"
    max_nics: Annotated[int, Field(ge=1)] | None = None
    """NICs that fit, None when the source does not say."""


Part = Annotated[NodePart | NicPart | CablePart | HubPart | SwitchPart, Field(discriminator="role")]
