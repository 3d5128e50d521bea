"""PMESH-1998: the P-Mesh beside hub, switch, full mesh, torus and tree. See README.md in this
folder.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linkwright.registry import Registry

if TYPE_CHECKING:
    from linkwright.papers.entry import Entry
    from linkwright.papers.study import Study

TITLE = "The P-Mesh: a Commodity-based Scalable Network Architecture for Clusters (1998)"
TABLES: Registry[Callable[[], list[Entry]]] = Registry(
    __name__,
    {
        "2": "table_2:table_2",
        "3": "table_3:table_3",
        "text": "text:text",
    },
)
"""What can be reproduced by arithmetic, by the paper's own numbering."""
STUDIES: Registry[Callable[[], Study]] = Registry(
    __name__,
    {
        "ping-pong": "messages:ping_pong",
        "npb": "benchmarks:benchmarks",
        "networks": "networks:networks",
    },
)
"""What can be reproduced by runs."""
