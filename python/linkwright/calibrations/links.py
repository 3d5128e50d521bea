"""The layers below the transport: the optional section ``[links]`` of a calibration.

Every option is off by default. ``crates/host/src/constants/links.rs`` gives their form.
"""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from linkwright.calibrations.kinds import Count, Frozen

__all__ = ["FlowControl", "LinkOptions", "Neighbours"]


class Neighbours(Frozen):
    """State of the hardware addresses at the start of a run."""

    value: Literal["warm", "cold"]
    origin: str


class FlowControl(Frozen):
    """Reaction of a receiver whose buffer fills up."""

    value: Literal["none", "pause"]
    origin: str


class LinkOptions(Frozen):
    """Options below the transport."""

    arp: Neighbours = Neighbours(value="warm", origin="definition: after a first exchange")
    """Whether nodes know the hardware addresses of their neighbours, and switches have learned
    every
    node (`warm`), or no address is known and nodes ask before their first packet (`cold`): by ARP,
    over IPv6 by neighbour discovery."""
    arp_waiting_frames: Count = Count(value=3, origin="source: unres_qlen of Linux before 3.3")
    """Packets that may wait for one hardware address; a further one replaces the oldest."""
    arp_retry_us: Count = Count(value=1_000_000, origin="source: retrans_time of Linux")
    """Time before a request without an answer is repeated."""
    arp_tries: Count = Count(value=3, origin="source: mcast_solicit of Linux")
    """Number of requests before the waiting packets are dropped."""
    ttl: Count = Count(value=64, origin="source: ip_default_ttl of Linux")
    """Time to live of packets that nodes send, over IPv6 their hop limit; a TTL of 64 allows 63
    forwards (`sysctl net.ipv4.ip_default_ttl`)."""
    datagram_buffer_bytes: Count = Count(value=65_535, origin="source: SO_RCVBUF of Linux 2.0")
    """User data of datagrams that may wait for a process; datagrams that do not fit are lost."""
    bond_poll_us: Count = Count(value=100_000, origin="documentation: miimon [LINUX, bonding.rst]")
    """Interval at which a bond checks the carrier of its ports (`miimon`); 0 for at once."""
    flow_control: FlowControl = FlowControl(value="none", origin="definition: drop-tail")
    """Whether interfaces and switches on full-duplex links stop the sender when they fill up
    (`pause`), or drop frames that do not fit (`none`)."""

    @model_validator(mode="after")
    def _asks(self) -> LinkOptions:
        """Refuse a wait of zero and zero requests."""
        for name in ("arp_waiting_frames", "arp_retry_us", "arp_tries"):
            if getattr(self, name).value == 0:
                raise ValueError(f"{name} must not be zero; give 1 or more")
        return self

    @model_validator(mode="after")
    def _lives(self) -> LinkOptions:
        """Refuse a TTL that does not fit the IP header."""
        if not 1 <= self.ttl.value <= 255:
            raise ValueError(f"ttl cannot be {self.ttl.value}; give 1 to 255")
        return self
