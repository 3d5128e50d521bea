"""Importers: graphs of other tools to design files of kind custom; one format per file, registered
here by its name.

An importer returns a Drawing: names and cables as the file has them, with their lines. naming.py
makes names that a design accepts, and imported.py the design. XML, YAML, JSON and tables are
read by libraries that are there anyway; DOT and the rest by small readers of our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from linkwright.design.importers.drawing import Drawing
from linkwright.design.importers.imported import Imported, imported
from linkwright.design.importers.importer import GraphFile, Importer
from linkwright.design.importers.rename_table import read_renamings
from linkwright.errors import DesignError, shown_path, unknown_name
from linkwright.files import MEBIBYTE, read_text
from linkwright.registry import Registry

__all__ = [
    "IMPORTERS",
    "Drawing",
    "GraphFile",
    "Imported",
    "drawing_of",
    "imported",
    "read_drawing",
    "read_renamings",
]

IMPORTERS: Registry[Importer] = Registry(
    "linkwright.design.importers",
    {
        "cables": "cables_csv:CABLES_CSV",
        "dot": "dot:DOT",
        "graphml": "graphml:GRAPHML",
        "node-link": "node_link:NODE_LINK",
        "lldp": "lldp:LLDP",
        "containerlab": "containerlab:CONTAINERLAB",
        "netlab": "netlab:NETLAB",
        "simgrid": "simgrid:SIMGRID",
        "ibnetdiscover": "ibnetdiscover:IBNETDISCOVER",
        "htsim": "htsim:HTSIM",
    },
)
"""Formats by name; where several have a suffix, the first that recognises a text reads it."""

STANDARD_INPUT = Path("-")
_MOST_BYTES = 16 * MEBIBYTE
_MOST_FILES = 4096


def read_drawing(paths: Sequence[Path], form: str | None = None) -> Drawing:
    """Return the graph in a file, in the files of a folder, or in several files.

    Parameters
    ----------
    paths : sequence of Path
        Files; a folder stands for the files in it, and "-" for standard input.
    form : str, optional
        Name of the format. Default: by suffix and content.

    Raises
    ------
    DesignError
        If a file cannot be read, its format is unknown, or it breaks a rule of its format.
    """
    _expect_known(form)
    every = [one for path in paths for one in _files(path)]
    if len(every) > _MOST_FILES:
        raise DesignError(f"{len(every):,} files, at most {_MOST_FILES:,} are read", "name fewer")
    if not every:
        raise DesignError(f"folder {shown_path(paths[0])} has no file", "name a file with a graph")
    return drawing_of([_read(one) for one in every], form)


def drawing_of(files: Sequence[GraphFile], form: str | None = None) -> Drawing:
    """Return the graph in the texts of one or more files.

    Parameters
    ----------
    files : sequence of GraphFile
    form : str, optional
        Name of the format. Default: by suffix and content.

    Raises
    ------
    DesignError
        If the format is unknown, or a text breaks a rule of its format.
    """
    _expect_known(form)
    importer = IMPORTERS[form] if form else _importer(files[0])
    if importer.read_many is not None:
        return importer.read_many(files)
    if len(files) > 1:
        raise DesignError(
            f"{len(files)} files, and this format has its graph in one: {importer.source}",
            "name one file",
        )
    return importer.read(files[0].text, files[0].where)


def _expect_known(form: str | None) -> None:
    if form is not None and form not in IMPORTERS:
        raise DesignError(f"there is no format '{form}'", unknown_name(form, list(IMPORTERS)))


def _files(path: Path) -> list[Path]:
    if path != STANDARD_INPUT and path.is_dir():
        return sorted(
            one for one in path.iterdir() if one.is_file() and not one.name.startswith(".")
        )
    return [path]


def _read(path: Path) -> GraphFile:
    is_input = path == STANDARD_INPUT
    text = read_text(
        path,
        "graph",
        most_bytes=_MOST_BYTES,
        hint=f"give a graph of one of the formats {', '.join(IMPORTERS)}",
        error=DesignError,
    )
    where = "standard input" if is_input else shown_path(path)
    return GraphFile.named("" if is_input else path.name, text, where)


def _importer(file: GraphFile) -> Importer:
    """Return the importer of a file: by its suffix and, where that leaves it open, its content."""
    of_suffix = [one for one in IMPORTERS.values() if file.suffix in one.suffixes]
    if len(of_suffix) == 1:
        return of_suffix[0]
    for one in of_suffix or IMPORTERS.values():
        if one.recognises(file.text):
            return one
    raise DesignError(
        f"{file.where} is of no known format", f"name it: --format with {', '.join(IMPORTERS)}"
    )
