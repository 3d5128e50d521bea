"""NAS-97-025: switch and hub-switch hybrids of the Whitney cluster. See README.md here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linkwright.registry import Registry

if TYPE_CHECKING:
    from linkwright.papers.study import Study

TITLE = "Analysis of 100Mb/s Ethernet for the Whitney Commodity Computing Testbed (1997)"
STUDIES: Registry[Callable[[], Study]] = Registry(
    __name__,
    {
        "ping-pong": "point_to_point:ping_pong",
        "collectives": "collectives:collectives",
        "npb": "benchmarks:benchmarks",
        "npb-without-factor": "benchmarks:without_factor",
        "hub-density": "hub_density:hub_density",
        "one-hub": "one_hub:one_hub",
    },
)
"""What can be reproduced by runs."""
