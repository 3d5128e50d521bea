"""STACK-2001: the stack ring and the stack mesh beside a star and a tree of switches. See README.md
in this folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from linkwright.papers.entry import Entry
from linkwright.papers.stack_2001.forwarding import forwarding
from linkwright.papers.stack_2001.runs import hpl, netpipe
from linkwright.papers.stack_2001.tables import table_2, text
from linkwright.papers.study import Study

TITLE = "Ethernet-Based Interconnections for Massively Parallel Clusters (about 2001)"
TABLES: Mapping[str, Callable[[], list[Entry]]] = MappingProxyType({"2": table_2, "text": text})
"""What can be reproduced by arithmetic, by the paper's own numbering."""
STUDIES: Mapping[str, Callable[[], Study]] = MappingProxyType(
    {"netpipe": netpipe, "forwarding": forwarding, "hpl": hpl}
)
"""What can be reproduced by runs."""
