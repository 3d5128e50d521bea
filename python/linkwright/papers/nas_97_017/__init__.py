"""NAS-97-017: hub and torus of the Whitney cluster. See README.md in this folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from linkwright.papers.entry import Entry
from linkwright.papers.nas_97_017.appendix_rates import appendix_rates

TITLE = "Analysis of 2D Torus and Hub Topologies for the Whitney Testbed (1997)"
TABLES: Mapping[str, Callable[[], list[Entry]]] = MappingProxyType(
    {"appendix-rates": appendix_rates}
)
"""What can be reproduced."""
