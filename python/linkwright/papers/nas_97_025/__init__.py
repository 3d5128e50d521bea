"""NAS-97-025: switch and hub-switch hybrids of the Whitney cluster. See README.md here."""

from __future__ import annotations

from linkwright.papers.paper import Paper
from linkwright.registry import Registry

PAPER = Paper(
    title="Analysis of 100Mb/s Ethernet for the Whitney Commodity Computing Testbed (1997)",
    package=__name__,
    run_tables=Registry(
        __name__,
        {
            "ping-pong": "point_to_point:ping_pong",
            "collectives": "collectives:collectives",
            "npb": "benchmarks:benchmarks",
            "npb-without-factor": "benchmarks:without_factor",
            "hub-density": "hub_density:hub_density",
            "one-hub": "one_hub:one_hub",
        },
    ),
)
