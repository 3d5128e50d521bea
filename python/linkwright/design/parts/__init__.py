"""Parts: what they are (part.py), dated lists of them (catalogue.py), a design's choice
(selection.py).
"""

from linkwright.design.parts.catalogue import Catalogue, catalogue, catalogue_names
from linkwright.design.parts.part import (
    CablePart,
    Connector,
    HubPart,
    NicPart,
    NodePart,
    Part,
    SwitchPart,
)
from linkwright.design.parts.selection import ROLES, PartsSection, Role

__all__ = [
    "ROLES",
    "CablePart",
    "Catalogue",
    "Connector",
    "HubPart",
    "NicPart",
    "NodePart",
    "Part",
    "PartsSection",
    "Role",
    "SwitchPart",
    "catalogue",
    "catalogue_names",
]
