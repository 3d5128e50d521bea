"""PMESH-1998: the P-Mesh beside hub, switch, full mesh, torus and tree. See README.md in this
folder. Tables have the paper's own numbers.
"""

from __future__ import annotations

from linkwright.papers.paper import Paper
from linkwright.registry import Registry

PAPER = Paper(
    title="The P-Mesh: a Commodity-based Scalable Network Architecture for Clusters (1998)",
    package=__name__,
    formulas=Registry(__name__, {"2": "table_2:table_2"}),
    counted=("3", "text"),
    run_tables=Registry(
        __name__,
        {
            "ping-pong": "messages:ping_pong",
            "npb": "benchmarks:benchmarks",
            "networks": "networks:networks",
        },
    ),
)
