"""Graphs of other tools, read in the way of `linkwright import`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwright.design.cluster import Cluster
from linkwright.design.importers import IMPORTERS, Drawing
from linkwright.design.importers.design_text import design_text
from linkwright.design.importers.limits import check_limits
from linkwright.design.importers.naming import named

__all__ = ["cables", "drawn", "edges", "kinds", "topology", "written"]

WHERE = "'g'"


def drawn(text: str, form: str) -> Drawing:
    return IMPORTERS[form].read(text, WHERE)


def written(drawing: Drawing, given: Mapping[str, str] | None = None) -> str:
    """Return the text of the design."""
    check_limits(drawing, WHERE)
    renamed, renamings = named(drawing, given or {})
    return design_text(renamed, name="x", catalogue="ethernet-2026", renamings=renamings)


def topology(drawing: Drawing, given: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the section `topology` of the design."""
    found: dict[str, Any] = Cluster.parse(written(drawing, given)).model_dump()["topology"]
    return found


def cables(text: str, form: str) -> list[tuple[str, ...]]:
    """Return the ends of the cables of the design."""
    return [tuple(one) for one in topology(drawn(text, form))["cables"]]


def edges(text: str, form: str) -> list[str]:
    """Return the cables as the file has them, with their ports."""
    return [
        " - ".join(f"{end.device}:{end.port}".rstrip(":") for end in one.ends)
        for one in drawn(text, form).cables
    ]


def kinds(text: str, form: str) -> dict[str, str]:
    return drawn(text, form).kinds
