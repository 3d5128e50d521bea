"""Parts: their models (part.py), dated catalogues of them (catalogue.py), and the selection of a
design (selection.py).
"""

from linkwright.design.parts.catalogue import Catalogue, catalogue, catalogue_names
from linkwright.design.parts.part import (
    BuiltIn,
    CablePart,
    Connector,
    HubPart,
    NicPart,
    NodePart,
    Part,
    Slot,
    SwitchPart,
)
from linkwright.design.parts.selection import ROLES, PartsSection, Role

__all__ = [
    "ROLES",
    "BuiltIn",
    "CablePart",
    "Catalogue",
    "Connector",
    "HubPart",
    "NicPart",
    "NodePart",
    "Part",
    "PartsSection",
    "Role",
    "Slot",
    "SwitchPart",
    "catalogue",
    "catalogue_names",
]
