"""Importers: graphs of other tools to design files of kind custom; one per format, registered here
by the suffix of its files.

An importer returns a Drawing: names and cables, as the file has them. design_text.py writes the
design. No library is needed: tables, XML and the plain part of DOT are read by Python alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from linkwright.design.importers.design_text import design_text
from linkwright.design.importers.drawing import Drawing
from linkwright.errors import DesignError, shown_path, unknown_name
from linkwright.files import MEBIBYTE, read_text
from linkwright.registry import Registry

__all__ = ["IMPORTERS", "Drawing", "design_text", "read_drawing"]

IMPORTERS: Registry[Callable[[str, str], Drawing]] = Registry(
    "linkwright.design.importers",
    {
        "csv": "cables_csv:read_csv",
        "dot": "dot:read_dot",
        "gv": "dot:read_dot",
        "graphml": "graphml:read_graphml",
    },
)
"""Suffix -> reader of a text; its second argument names the file in messages."""

_MOST_BYTES = 16 * MEBIBYTE


def read_drawing(path: Path) -> Drawing:
    """Return the graph in a file.

    Raises
    ------
    DesignError
        If the file cannot be read, its suffix is unknown, or it breaks a rule of its format.
    """
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in IMPORTERS:
        raise DesignError(
            f"{shown_path(path)} is of no known format", unknown_name(suffix, list(IMPORTERS))
        )
    text = read_text(
        path,
        "graph",
        most_bytes=_MOST_BYTES,
        hint="give a graph as .csv, .dot or .graphml",
        error=DesignError,
    )
    return IMPORTERS[suffix](text, shown_path(path))
