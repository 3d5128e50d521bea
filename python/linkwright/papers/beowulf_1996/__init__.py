"""BEOWULF-1996: buses, bonds and meshes of 486 nodes. See README.md in this folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from linkwright.papers.beowulf_1996.files import disk_net
from linkwright.papers.beowulf_1996.text import text
from linkwright.papers.beowulf_1996.tokens import token
from linkwright.papers.entry import Entry
from linkwright.papers.study import Study

TITLE = "A Design Study of Alternative Network Topologies for the Beowulf Workstation (1996)"
TABLES: Mapping[str, Callable[[], list[Entry]]] = MappingProxyType({"text": text})
"""What can be reproduced by arithmetic."""
STUDIES: Mapping[str, Callable[[], Study]] = MappingProxyType(
    {"token": token, "disk-net": disk_net}
)
"""What can be reproduced by runs."""
