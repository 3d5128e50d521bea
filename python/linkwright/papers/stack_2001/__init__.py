"""STACK-2001: the stack ring and the stack mesh beside a star and a tree of switches. See README.md
in this folder.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linkwright.registry import Registry

if TYPE_CHECKING:
    from linkwright.papers.entry import Entry
    from linkwright.papers.study import Study

TITLE = "Ethernet-Based Interconnections for Massively Parallel Clusters (about 2001)"
TABLES: Registry[Callable[[], list[Entry]]] = Registry(
    __name__,
    {
        "2": "tables:table_2",
        "text": "tables:text",
    },
)
"""What can be reproduced by arithmetic, by the paper's own numbering."""
STUDIES: Registry[Callable[[], Study]] = Registry(
    __name__,
    {
        "netpipe": "runs:netpipe",
        "forwarding": "forwarding:forwarding",
        "hpl": "runs:hpl",
    },
)
"""What can be reproduced by runs."""
