"""What lies below the transport: the section ``[links]`` of a calibration, which may be left out.

Every option is off unless a file says otherwise. Their form is in
``crates/host/src/constants/links.rs``.
"""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from linkwright.calibrations.kinds import Count, Frozen

__all__ = ["FlowControl", "LinkOptions", "Neighbours"]


class Neighbours(Frozen):
    """Whether hardware addresses are known when a run begins."""

    value: Literal["warm", "cold"]
    origin: str


class FlowControl(Frozen):
    """What a receiver does that fills up."""

    value: Literal["none", "pause"]
    origin: str


class LinkOptions(Frozen):
    """Options below the transport."""

    arp: Neighbours = Neighbours(value="warm", origin="definition: after a first exchange")
    """Whether nodes know the hardware addresses of their neighbours, and switches have heard every
    node (`warm`), or nobody knows anybody and nodes ask before their first packet (`cold`): by ARP,
    over IPv6 by neighbour discovery."""
    arp_waiting_frames: Count = Count(value=3, origin="source: unres_qlen of Linux before 3.3")
    """Packets that wait for one hardware address; the oldest makes room."""
    arp_retry_us: Count = Count(value=1_000_000, origin="source: retrans_time of Linux")
    """How long an answer is waited for."""
    arp_tries: Count = Count(value=3, origin="source: mcast_solicit of Linux")
    """Requests before the packets that wait are dropped."""
    ttl: Count = Count(value=64, origin="source: ip_default_ttl of Linux")
    """Time to live with which nodes send packets, over IPv6 their hop limit: a packet is forwarded
    once less (`sysctl net.ipv4.ip_default_ttl`)."""
    datagram_buffer_bytes: Count = Count(value=65_535, origin="source: SO_RCVBUF of Linux 2.0")
    """User data of datagrams that may wait for a process; what does not fit is lost."""
    bond_poll_us: Count = Count(value=100_000, origin="documentation: miimon [LINUX, bonding.rst]")
    """How often a bond looks at the carrier of its ports (`miimon`); 0 for at once."""
    flow_control: FlowControl = FlowControl(value="none", origin="definition: drop-tail")
    """Whether interfaces and switches on full-duplex links stop the other end of the cable when
    they fill up (`pause`), or drop what does not fit (`none`)."""

    @model_validator(mode="after")
    def _asks(self) -> LinkOptions:
        """Refuse to wait no time, or to ask never."""
        for name in ("arp_waiting_frames", "arp_retry_us", "arp_tries"):
            if getattr(self, name).value == 0:
                raise ValueError(f"{name} must not be zero; give 1 or more")
        return self

    @model_validator(mode="after")
    def _lives(self) -> LinkOptions:
        """Refuse a TTL that no IP header holds."""
        if not 1 <= self.ttl.value <= 255:
            raise ValueError(f"ttl cannot be {self.ttl.value}; give 1 to 255")
        return self
