"""NAS-97-025: switch and hub-switch hybrids of the Whitney cluster. See README.md here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from linkwright.papers.nas_97_025.benchmarks import benchmarks, without_factor
from linkwright.papers.nas_97_025.collectives import collectives
from linkwright.papers.nas_97_025.hub_density import hub_density
from linkwright.papers.nas_97_025.one_hub import one_hub
from linkwright.papers.nas_97_025.point_to_point import ping_pong
from linkwright.papers.study import Study

TITLE = "Analysis of 100Mb/s Ethernet for the Whitney Commodity Computing Testbed (1997)"
STUDIES: Mapping[str, Callable[[], Study]] = MappingProxyType(
    {
        "ping-pong": ping_pong,
        "collectives": collectives,
        "npb": benchmarks,
        "npb-without-factor": without_factor,
        "hub-density": hub_density,
        "one-hub": one_hub,
    }
)
"""What can be reproduced by runs."""
