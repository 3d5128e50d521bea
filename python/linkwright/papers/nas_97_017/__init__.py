"""NAS-97-017: hub and torus of the Whitney cluster. See README.md in this folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linkwright.registry import Registry

if TYPE_CHECKING:
    from linkwright.papers.entry import Entry
    from linkwright.papers.study import Study

TITLE = "Analysis of 2D Torus and Hub Topologies for the Whitney Testbed (1997)"
TABLES: Registry[Callable[[], list[Entry]]] = Registry(
    __name__,
    {
        "appendix-rates": "appendix_rates:appendix_rates",
        "text": "text:text",
    },
)
"""What can be reproduced by arithmetic."""
STUDIES: Registry[Callable[[], Study]] = Registry(
    __name__,
    {
        "ping-pong": "point_to_point:ping_pong",
        "collectives": "collectives:collectives",
        "npb": "benchmarks:benchmarks",
        "front-end": "front_end:front_end",
    },
)
"""What can be reproduced by runs."""
