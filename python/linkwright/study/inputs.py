"""The inputs of a study as one value that needs no other file: designs written out, files copied.

A copied file is named by its content, so that a run's key covers it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.design.document import HINT, read_document
from linkwright.errors import DesignError, UsageError, shown, shown_path, unknown_name
from linkwright.files import MEBIBYTE, read_bytes, read_text
from linkwright.study.study_file import Axes, DesignEntry, HostsEntry, Span, Study, WorkloadEntry
from linkwright.workloads import PATTERNS, WORKLOADS, Workload

__all__ = ["FILES", "Inputs", "kind_named", "put"]

FILES = "files"
"""Folder of the copied files, in that of the inputs."""
_MOST_BYTES = 256 * MEBIBYTE
_HINT = "correct the path in the study"


@dataclass(frozen=True)
class Inputs:
    """A study without references to other files, and the files that it was made with.

    Attributes
    ----------
    study : Study
        Its paths are relative to the folder of the inputs.
    files : mapping of str to bytes
        Content by path relative to that folder.
    """

    study: Study
    files: Mapping[str, bytes]

    @classmethod
    def of(cls, study: Study) -> Inputs:
        """Return the inputs of a study, read from its files.

        Raises
        ------
        DesignError
            If a design is not valid with the first value of each of its axes, or a file is missing.
        UsageError
            If a workload is unknown.
        """
        copies = _Copies(study.folder)
        background = study.background and copies.workload(study.background)
        changes = {
            "designs": [copies.design(one) for one in study.designs],
            "workloads": [copies.workload(one) for one in study.workloads],
            "hosts": [copies.hosts(one) for one in study.hosts],
            "placements": [copies.placement(one) for one in study.placements],
            "background": background,
        }
        whole = study.model_copy(update=changes)
        whole._text = study.text
        return cls(whole, copies.files)


class _Copies:
    """Entries of a study with their files replaced by copies."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.files: dict[str, bytes] = {}

    def design(self, entry: DesignEntry) -> DesignEntry:
        """Return a design written out."""
        folder, fields = self._folder, entry.design or {}
        if entry.file is not None:
            file = self._folder / entry.file
            text = read_text(file, "design file", hint=HINT, error=DesignError)
            folder, fields = file.parent, read_document(text, f"design file {shown_path(file)}")
        first = fields
        for path, value in _first_values(entry.axes):
            first = put(first, path, value)
        cluster = Cluster.from_fields(first, folder)
        for place, file_named in _paths(cluster):
            fields = put(fields, place, self._copied(folder / file_named))
        return DesignEntry(design=fields, axes=entry.axes)

    def workload(self, entry: WorkloadEntry) -> WorkloadEntry:
        """Return a workload whose files are copies."""
        settings = dict(entry.settings)
        for name, field in kind_named(entry.name).model_fields.items():
            if field.annotation is Path and name in settings:
                settings[name] = self._copied(self._folder / str(settings[name]))
        return entry.model_copy(update={"settings": settings})

    def hosts(self, entry: HostsEntry) -> HostsEntry:
        """Return hosts whose calibration is a name or a copy."""
        name = entry.calibration
        if name is None or not name.endswith(".toml"):
            if name is not None:
                calibrations.load(name)
            return entry
        return entry.model_copy(update={"calibration": self._copied(self._folder / name)})

    def placement(self, text: str) -> str:
        """Return a placement whose file is a copy."""
        return f"@{self._copied(self._folder / text[1:])}" if text.startswith("@") else text

    def _copied(self, file: Path) -> str:
        content = read_bytes(file, "", most_bytes=_MOST_BYTES, hint=_HINT, error=DesignError)
        name = f"{FILES}/{hashlib.sha256(content).hexdigest()[:12]}-{file.name}"
        self.files[name] = content
        return name


def kind_named(name: str) -> type[Workload]:
    """Return the workload or pattern of that name.

    Raises
    ------
    UsageError
        If there is none.
    """
    if name in WORKLOADS:
        return WORKLOADS[name]
    if name in PATTERNS:
        return PATTERNS[name]
    raise UsageError(f"unknown workload {shown(name)}", unknown_name(name, WORKLOADS))


def put(fields: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return nested tables with another value at a path; the original stays.

    Raises
    ------
    DesignError
        If something on the way is no table.

    Examples
    --------
    >>> put({"topology": {"kind": "ring"}}, "topology.shape", [4])
    {'topology': {'kind': 'ring', 'shape': [4]}}
    """
    key, _, rest = path.partition(".")
    if not rest:
        return {**fields, key: value}
    inner = fields.get(key) or {}
    if not isinstance(inner, Mapping):
        raise DesignError(
            f"axis '{path}' leads through '{key}', which holds {inner!r} and no keys",
            "write the value as a table of keys in the design",
        )
    return {**fields, key: put(inner, rest, value)}


def _first_values(axes: Axes) -> Iterator[tuple[str, Any]]:
    for path, values in axes.items():
        if isinstance(values, Span):
            yield path, round(values.least) if values.whole else values.least
        else:
            yield path, values[0]


def _paths(model: BaseModel, place: str = "") -> Iterator[tuple[str, Path]]:
    """Yield the place and value of every path in a model and the models inside it."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, Path):
            yield place + name, value
        elif isinstance(value, BaseModel):
            yield from _paths(value, f"{place}{name}.")
