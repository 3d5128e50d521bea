"""NAS-97-017: hub and torus of the Whitney cluster. See README.md in this folder."""

from __future__ import annotations

from linkwright.papers.paper import Paper
from linkwright.registry import Registry

PAPER = Paper(
    title="Analysis of 2D Torus and Hub Topologies for the Whitney Testbed (1997)",
    package=__name__,
    formulas=Registry(__name__, {"appendix-rates": "appendix_rates:appendix_rates"}),
    counted=("text",),
    run_tables=Registry(
        __name__,
        {
            "ping-pong": "point_to_point:ping_pong",
            "collectives": "collectives:collectives",
            "npb": "benchmarks:benchmarks",
            "front-end": "front_end:front_end",
        },
    ),
)
