"""Facts about machines that are up: one file per fact, read-only, in one session per machine."""

from __future__ import annotations

from linkwright.facts.cluster import Cable, ClusterFacts
from linkwright.facts.gathering import gather
from linkwright.facts.interface import Interface, Pci
from linkwright.facts.machine import (
    Firewall,
    Forwarded,
    Lldp,
    MachineFacts,
    Managers,
    Missing,
    Neighbour,
    NextHop,
    Rdma,
    Route,
    Rule,
    Settings,
    Usb4,
)

__all__ = [
    "Cable",
    "ClusterFacts",
    "Firewall",
    "Forwarded",
    "Interface",
    "Lldp",
    "MachineFacts",
    "Managers",
    "Missing",
    "Neighbour",
    "NextHop",
    "Pci",
    "Rdma",
    "Route",
    "Rule",
    "Settings",
    "Usb4",
    "gather",
]
