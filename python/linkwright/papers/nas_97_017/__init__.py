"""NAS-97-017: hub and torus of the Whitney cluster. See README.md in this folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from linkwright.papers.entry import Entry
from linkwright.papers.nas_97_017.appendix_rates import appendix_rates
from linkwright.papers.nas_97_017.benchmarks import benchmarks
from linkwright.papers.nas_97_017.collectives import collectives
from linkwright.papers.nas_97_017.front_end import front_end
from linkwright.papers.nas_97_017.point_to_point import ping_pong
from linkwright.papers.nas_97_017.text import text
from linkwright.papers.study import Study

TITLE = "Analysis of 2D Torus and Hub Topologies for the Whitney Testbed (1997)"
TABLES: Mapping[str, Callable[[], list[Entry]]] = MappingProxyType(
    {"appendix-rates": appendix_rates, "text": text}
)
"""What can be reproduced by arithmetic."""
STUDIES: Mapping[str, Callable[[], Study]] = MappingProxyType(
    {
        "ping-pong": ping_pong,
        "collectives": collectives,
        "npb": benchmarks,
        "front-end": front_end,
    }
)
"""What can be reproduced by runs."""
