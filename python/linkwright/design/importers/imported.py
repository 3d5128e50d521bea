"""The design of a drawing: limits, names, parts and text, and the remarks on the way.

The text is read as a design once more, so that none is written that no other command takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from linkwright.design.cluster import Cluster
from linkwright.design.importers.design_text import design_text
from linkwright.design.importers.drawing import Drawing
from linkwright.design.importers.limits import check_limits
from linkwright.design.importers.naming import Renaming, named
from linkwright.design.importers.part_choice import chosen_parts
from linkwright.design.importers.routers import with_routers

__all__ = ["Imported", "imported"]


@dataclass(frozen=True)
class Imported:
    """A design as text, with remarks on things left out, and the names that changed."""

    text: str
    remarks: tuple[str, ...]
    renamings: tuple[Renaming, ...]


def imported(
    drawing: Drawing,
    *,
    name: str,
    where: str,
    catalogue: str,
    given: Mapping[str, str],
    is_strict: bool = False,
) -> Imported:
    """Return the design of a drawing.

    Parameters
    ----------
    drawing : Drawing
        Devices and cables.
    name : str
        Name of the design.
    where : str
        Name of the file, for messages.
    catalogue : str
        Catalogue of its parts.
    given : mapping of str to str
        New names by DEVICE or DEVICE:PORT.
    is_strict : bool
        Whether names that the user does not give must stay.

    Raises
    ------
    DesignError
        If the drawing breaks a limit of custom graphs, or a name must stay and cannot.
    """
    drawing = with_routers(drawing)
    check_limits(drawing, where)
    renamed, renamings = named(drawing, given, is_strict=is_strict)
    parts = chosen_parts(renamed, catalogue)
    text = design_text(renamed, name=name, catalogue=catalogue, renamings=renamings, parts=parts)
    Cluster.parse(text)
    return Imported(text, (*drawing.remarks, *parts.remarks), renamings)
