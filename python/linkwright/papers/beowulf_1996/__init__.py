"""BEOWULF-1996: buses, bonds and meshes of 486 nodes. See README.md in this folder."""

from __future__ import annotations

from linkwright.papers.paper import Paper
from linkwright.registry import Registry

PAPER = Paper(
    title="A Design Study of Alternative Network Topologies for the Beowulf Workstation (1996)",
    package=__name__,
    counted=("text",),
    run_tables=Registry(
        __name__,
        {
            "token": "tokens:token",
            "disk-net": "files:disk_net",
        },
    ),
)
