"""The inputs of a study as one value that needs no other file: designs written out, files copied.

A copied file is named by its content, so that a run's key covers it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.design.document import HINT, read_document
from linkwright.errors import DesignError, UsageError, shown, shown_path, unknown_name
from linkwright.files import MEBIBYTE, read_bytes, read_text
from linkwright.study.study_file import (
    Axes,
    DesignEntry,
    HostsEntry,
    Span,
    Study,
    Values,
    WorkloadEntry,
)
from linkwright.workloads import PATTERNS, WORKLOADS, Workload

__all__ = ["FILES", "Inputs", "kind_named", "put"]

FILES = "files"
"""Folder of the copied files, in that of the inputs."""
_MOST_BYTES = 256 * MEBIBYTE
_HINT = "correct the path in the study"
_COPY = re.compile(r"^[0-9a-f]{12}-")
"""Beginning of the name of a copy."""


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
        self.first = Cluster.parse("topology: {kind: direct}")
        """The design read last, with the first value of each of its axes."""

    def design(self, entry: DesignEntry) -> DesignEntry:
        """Return a design written out."""
        folder, fields = self._folder, entry.design or {}
        if entry.file is not None:
            file = self._folder / entry.file
            text = read_text(file, "design file", hint=HINT, error=DesignError)
            folder, fields = file.parent, read_document(text, f"design file {shown_path(file)}")
        where = "a design of the study" if entry.file is None else shown_path(entry.file)
        first = fields
        for path, value in _first_values(entry.axes):
            first = put(first, path, value)
        self.first = Cluster.from_fields(first, folder, where)
        axes = dict(entry.axes)
        for place in _path_places(Cluster):
            if isinstance(given := _at(fields, place), str):
                fields = put(fields, place, self._copied(folder / given))
            if place in axes:
                axes[place] = self._axis(axes[place], folder)
        return DesignEntry(design=fields, axes=axes)

    def workload(self, entry: WorkloadEntry) -> WorkloadEntry:
        """Return a workload whose files are copies."""
        settings, axes = dict(entry.settings), dict(entry.axes)
        for name in kind_named(entry.name).files:
            if name in settings:
                settings[name] = self._copied(self._folder / str(settings[name]))
            if name in axes:
                axes[name] = self._axis(axes[name], self._folder)
        return entry.model_copy(update={"settings": settings, "axes": axes})

    def hosts(self, entry: HostsEntry) -> HostsEntry:
        """Return hosts whose calibration is a name or a copy."""
        name = entry.calibration
        is_file = name is not None and name.endswith(".toml")
        hosts = calibrations.load(
            str(self._folder / str(name)) if is_file else name or self.first.calibration
        )
        hosts.changed({**entry.constants, **dict(_first_values(entry.axes))})
        if not is_file:
            return entry
        return entry.model_copy(update={"calibration": self._copied(self._folder / str(name))})

    def placement(self, text: str) -> str:
        """Return a placement whose file is a copy."""
        return f"@{self._copied(self._folder / text[1:])}" if text.startswith("@") else text

    def _axis(self, values: Values, folder: Path) -> Values:
        """Return the values of an axis of files as copies; None stays."""
        if isinstance(values, Span):
            return values
        return [self._copied(folder / one) if isinstance(one, str) else one for one in values]

    def _copied(self, path: Path) -> str:
        """Copy a file, or a folder with its files; return its place in the folder of inputs."""
        files = [path]
        if path.is_dir():
            files = sorted(one for one in path.rglob("*") if one.is_file())
        contents = {one.relative_to(path).as_posix(): _content(one) for one in files}
        digest = hashlib.sha256()
        for name, content in contents.items():
            digest.update(f"{name} {len(content)} ".encode())
            digest.update(content)
        # A copy of a copy keeps its name.
        name = f"{digest.hexdigest()[:12]}-{_COPY.sub('', path.name)}"
        for below, content in contents.items():
            self.files[(Path(FILES) / name / below).as_posix()] = content
        return f"{FILES}/{name}"


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


def _content(file: Path) -> bytes:
    return read_bytes(file, "", most_bytes=_MOST_BYTES, hint=_HINT, error=DesignError)


def _at(fields: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path of keys; None if there is none."""
    found: Any = fields
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _first_values(axes: Axes) -> Iterator[tuple[str, Any]]:
    for path, values in axes.items():
        if isinstance(values, Span):
            yield path, round(values.least) if values.whole else values.least
        else:
            yield path, values[0]


def _path_places(model: type[BaseModel], place: str = "") -> Iterator[str]:
    """Yield the place of every path in a model and the models inside it."""
    for name, field in model.model_fields.items():
        annotation = field.annotation
        if annotation is Path or Path in get_args(annotation):
            yield place + name
        elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield from _path_places(annotation, f"{place}{name}.")
