"""STACK-2001: the stack ring and the stack mesh beside a star and a tree of switches. See README.md
in this folder. Tables have the paper's own numbers.
"""

from __future__ import annotations

from linkwright.papers.paper import Paper
from linkwright.registry import Registry

PAPER = Paper(
    title="Ethernet-Based Interconnections for Massively Parallel Clusters (about 2001)",
    package=__name__,
    counted=("2", "text"),
    run_tables=Registry(
        __name__,
        {
            "netpipe": "runs:netpipe",
            "forwarding": "forwarding:forwarding",
            "hpl": "runs:hpl",
        },
    ),
)
