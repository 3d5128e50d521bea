"""Results kept as files: JSON, CSV or Parquet, with their manifests.

How a file is read and written is in linkwright.files.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from linkwright.errors import UsageError
from linkwright.files import MEBIBYTE, read_bytes, read_text, write_atomically
from linkwright.results.manifest import Manifest
from linkwright.results.parquet import from_parquet, to_parquet
from linkwright.results.result import Result

__all__ = ["load", "manifest_path", "save", "save_manifests"]

PARQUET = ".parquet"
_MOST_BYTES = 1024 * MEBIBYTE
_HINT = "give a result file"


def save(result: Result, path: str | os.PathLike[str]) -> None:
    """Write a result as JSON, CSV or Parquet by the suffix of `path`.

    A Parquet file holds the manifests too. Those of `name.json` stand beside it in
    `name.manifest.json`; without manifests there is no such file.

    Raises
    ------
    UsageError
        When the suffix is none of .json, .csv and .parquet.
    CapabilityError
        When what writes Parquet is missing.
    OutputError
        When a file cannot be written.
    """
    forms: dict[str, Callable[[], str | bytes]] = {
        ".json": result.to_json,
        ".csv": result.to_csv,
        PARQUET: lambda: to_parquet(result),
    }
    suffix = Path(path).suffix.lower()
    if suffix not in forms:
        raise UsageError(f"results are not written as '{suffix}'", "choose .json, .csv or .parquet")
    write_atomically(path, forms[suffix]())
    if suffix != PARQUET:
        save_manifests(result, path)


def save_manifests(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the manifests of a result beside the file that holds its rows; nothing without any.

    Raises
    ------
    OutputError
        When the file cannot be written.
    """
    if result.manifests:
        lines = ",\n".join(manifest.model_dump_json() for manifest in result.manifests)
        write_atomically(manifest_path(path), f"[\n{lines}\n]\n")


def load(path: str | os.PathLike[str]) -> Result:
    """Return a result saved as JSON or Parquet, with its manifests where there are any.

    Raises
    ------
    UsageError
        When the file cannot be read or is no result.
    CapabilityError
        When what reads Parquet is missing.
    """
    if Path(path).suffix.lower() == PARQUET:
        try:
            return from_parquet(read_bytes(path, "", most_bytes=_MOST_BYTES, hint=_HINT))
        except ValueError as error:
            raise UsageError(f"{path} is no result: {error}", _HINT) from None
    result = Result.from_json(read_text(path, "", most_bytes=_MOST_BYTES, hint=_HINT))
    beside = manifest_path(path)
    if not beside.is_file():
        return result
    return Result(result.columns, _manifests(beside))


def manifest_path(path: str | os.PathLike[str]) -> Path:
    """Return where the manifests of a result file stand."""
    return Path(path).with_suffix(".manifest.json")


def _manifests(path: Path) -> tuple[Manifest, ...]:
    text = read_text(path, "", most_bytes=_MOST_BYTES, hint=_HINT)
    try:
        return TypeAdapter(tuple[Manifest, ...]).validate_json(text)
    except ValidationError as error:
        rule = error.errors(include_url=False)[0]["msg"]
        raise UsageError(f"{path} is no manifest: {rule}", "remove it or restore it") from None
