"""A graph of another tool as a design: what `linkwright import` writes, of files in the browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from linkwright.design.importers import GraphFile, drawing_of, imported
from linkwright.errors import UsageError, shown
from linkwright.progress import Report
from linkwright.web.answers import Imported

__all__ = ["design_imported"]

MOST_REMARKS = 20
MOST_NAME = 100
Event = tuple[str, Any]


def design_imported(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the text of a design, with the remarks on what is changed or left out.

    Parameters
    ----------
    request : mapping
        The `files` with name and text, the `format` or an empty word, the `catalogue`, and patterns
        of names of `switches`, `hubs` and `routers`.
    report : callable
        Not called: the answer is short.
    """
    del report
    files = [
        GraphFile.named(one["name"], one["text"], shown(one["name"])) for one in _files(request)
    ]
    drawing = drawing_of(files, request["format"] or None)
    found = imported(
        drawing.with_kinds(
            switch=request["switches"], hub=request["hubs"], router=request["routers"]
        ),
        name=files[0].stem.strip("-")[:MOST_NAME] or "imported",
        where=files[0].where,
        catalogue=request["catalogue"],
        given={},
    )
    remarks = [*found.remarks, *map(str, found.renamings)]
    more = len(remarks) - MOST_REMARKS
    answer: Imported = {
        "text": found.text,
        "remarks": [*remarks[:MOST_REMARKS], *([f"and {more} more"] if more > 0 else [])],
    }
    yield "imported", answer


def _files(request: Mapping[str, Any]) -> list[Mapping[str, str]]:
    files: list[Mapping[str, str]] = request["files"]
    if not any(one["text"].strip() for one in files):
        raise UsageError("there is no graph", "choose a file, or paste its text")
    return files
