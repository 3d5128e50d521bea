"""Parts: what one worker wrote at once, as a Parquet file of rows with its runs in the metadata.

A part is whole or absent. Its metadata name every run in it, also those that failed or have no
rows, so that no row is read to know what is left to do.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import ModuleType
from typing import Any

from linkwright.errors import CapabilityError, UsageError, shown_path
from linkwright.results.parquet import column_types, table_bytes
from linkwright.study.columns import RUN_COLUMNS
from linkwright.text.json_text import read_json

__all__ = [
    "Done",
    "Part",
    "damaged",
    "expect_regular",
    "metadata_in",
    "part_name",
    "pyarrow",
    "row_schema",
    "runs_of",
    "runs_table",
    "table_in",
]

RUNS = b"linkwright.runs"
REMARKS = b"linkwright.remarks"
_TYPES = {"bool": "bool_", "int": "int64", "float": "float64", "text": "string"}


@dataclass(frozen=True, slots=True)
class Done:
    """A run that has ended."""

    point: int
    repeat: int
    seed: int
    key: str
    wall_s: float
    """Time that it took."""
    kind: str = ""
    """Class of the error that ended it; empty if it has rows."""
    message: str = ""
    hint: str = ""
    place: str = ""
    """Design, axes, workload and engine of a run that failed, in words."""

    @property
    def has_failed(self) -> bool:
        """Whether it has no rows because of an error."""
        return bool(self.kind)


@dataclass(frozen=True)
class Part:
    """Rows of some runs.

    Attributes
    ----------
    columns : mapping of str to list
        Rows by column: those of the runs, of the axes, and of the result schema.
    runs : sequence of Done
        All runs of the part.
    remarks : sequence of str
        Remarks about them, each once.
    """

    columns: Mapping[str, Sequence[Any]]
    runs: Sequence[Done]
    remarks: Sequence[str] = ()

    def to_bytes(self, axes: Mapping[str, str]) -> bytes:
        """Return the content of its file; `axes` has the type of each axis column."""
        arrow, _ = pyarrow()
        metadata = {
            RUNS: json.dumps([list(asdict(run).values()) for run in self.runs]),
            REMARKS: json.dumps(list(self.remarks)),
        }
        table = arrow.table(dict(self.columns), schema=row_schema(axes))
        return table_bytes(table.replace_schema_metadata(metadata))


def runs_of(metadata: Mapping[bytes, bytes] | None) -> tuple[list[Done], list[str]]:
    """Return the runs and the remarks in the metadata of a part.

    Raises
    ------
    ValueError
        If it has none.
    """
    if not metadata or RUNS not in metadata:
        raise ValueError("is no part of a study")
    found = [Done(*run) for run in read_json(metadata[RUNS])]
    return found, list(read_json(metadata[REMARKS]))


def runs_table(runs: Sequence[Done]) -> Any:
    """Return runs as an Arrow table."""
    arrow, _ = pyarrow()
    types = {"int": arrow.int64(), "str": arrow.string(), "float": arrow.float64()}
    kinds = {one.name: types[str(one.type)] for one in fields(Done)}
    schema = arrow.schema(list({**kinds, "seed": column_types(arrow)["seed"]}.items()))
    columns = {one.name: [getattr(run, one.name) for run in runs] for one in fields(Done)}
    return arrow.table(columns, schema=schema)


def row_schema(axes: Mapping[str, str]) -> Any:
    """Return the Arrow schema of the rows of a study."""
    arrow, _ = pyarrow()
    fields = [("point", arrow.int64()), ("key", arrow.string())]
    assert tuple(name for name, _ in fields) == RUN_COLUMNS
    fields += [(name, getattr(arrow, _TYPES[kind])()) for name, kind in axes.items()]
    return arrow.schema([*fields, *column_types(arrow).items()])


def part_name(runs: Sequence[Done]) -> str:
    """Return the name of the file of a part, from its runs and their errors.

    A run that failed and was made again is in a part of another name.
    """
    ended = " ".join(f"{run.key}{run.kind}" for run in runs)
    digest = hashlib.sha256(ended.encode()).hexdigest()[:16]
    first = min(run.point for run in runs)
    return f"{first:08d}-{digest}.parquet"


def table_in(file: Path, columns: Sequence[str] | None = None) -> Any:
    """Return the Arrow table in a Parquet file of a study, or some of its columns.

    Raises
    ------
    UsageError
        If the file is damaged.
    """
    _, parquet = pyarrow()
    return _read(file, lambda: parquet.read_table(file, columns=columns, partitioning=None))


def metadata_in(file: Path, name: bytes) -> Any:
    """Return the value of a key in the metadata of a Parquet file of a study, as JSON.

    Raises
    ------
    UsageError
        If the file is damaged.
    """
    _, parquet = pyarrow()
    return _read(file, lambda: read_json(parquet.read_schema(file).metadata[name]))


def _read(file: Path, read: Callable[[], Any]) -> Any:
    arrow, _ = pyarrow()
    expect_regular(file)
    try:
        return read()
    except (arrow.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
        raise damaged(file, error) from None


def expect_regular(file: Path) -> None:
    """Refuse a folder, a device or a pipe in place of a file of a study: a pipe may have no end.

    Raises
    ------
    UsageError
        If the file exists and is no regular one.
    """
    if file.exists() and not file.is_file():
        raise damaged(file, OSError("it is no regular file"))


def damaged(file: Path, error: Exception) -> UsageError:
    """Return the error of a file of a study that cannot be read."""
    reason = next((line for line in str(error).splitlines() if line.strip()), "")
    lost = {"parts": file, "merged": file.parent}.get(file.parent.name, file.parent.parent)
    return UsageError(
        f"{shown_path(file)} is damaged: {reason}",
        f"move {shown_path(lost)} away; the command that made the study makes its runs again",
    )


def pyarrow() -> tuple[ModuleType, ModuleType]:
    """Return PyArrow and its Parquet.

    Raises
    ------
    CapabilityError
        If it is missing.
    """
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise CapabilityError(
            "studies need PyArrow and DuckDB", "install them: pip install 'linkwright[study]'"
        ) from error
    return pa, parquet
