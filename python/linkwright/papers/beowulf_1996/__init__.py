"""BEOWULF-1996: buses, bonds and meshes of 486 nodes. See README.md in this folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linkwright.registry import Registry

if TYPE_CHECKING:
    from linkwright.papers.entry import Entry
    from linkwright.papers.study import Study

TITLE = "A Design Study of Alternative Network Topologies for the Beowulf Workstation (1996)"
TABLES: Registry[Callable[[], list[Entry]]] = Registry(
    __name__,
    {
        "text": "text:text",
    },
)
"""What can be reproduced by arithmetic."""
STUDIES: Registry[Callable[[], Study]] = Registry(
    __name__,
    {
        "token": "tokens:token",
        "disk-net": "files:disk_net",
    },
)
"""What can be reproduced by runs."""
