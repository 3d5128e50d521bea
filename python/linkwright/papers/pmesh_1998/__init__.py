"""PMESH-1998: the P-Mesh beside hub, switch, full mesh, torus and tree. See README.md in this
folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from linkwright.papers.entry import Entry
from linkwright.papers.pmesh_1998.benchmarks import benchmarks
from linkwright.papers.pmesh_1998.messages import ping_pong
from linkwright.papers.pmesh_1998.networks import networks
from linkwright.papers.pmesh_1998.table_2 import table_2
from linkwright.papers.pmesh_1998.table_3 import table_3
from linkwright.papers.pmesh_1998.text import text
from linkwright.papers.study import Study

TITLE = "The P-Mesh: a Commodity-based Scalable Network Architecture for Clusters (1998)"
TABLES: Mapping[str, Callable[[], list[Entry]]] = MappingProxyType(
    {"2": table_2, "3": table_3, "text": text}
)
"""What can be reproduced by arithmetic, by the paper's own numbering."""
STUDIES: Mapping[str, Callable[[], Study]] = MappingProxyType(
    {"ping-pong": ping_pong, "npb": benchmarks, "networks": networks}
)
"""What can be reproduced by runs."""
