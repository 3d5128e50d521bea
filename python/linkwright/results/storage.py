"""Result files: JSON, CSV or Parquet, with their manifests.

Files are read and written in linkwright.files.
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

    A Parquet file holds the manifests too. The manifests of `name.json` are in
    `name.manifest.json`; there is no such file without manifests.

    Raises
    ------
    UsageError
        If the suffix is none of .json, .csv and .parquet.
    CapabilityError
        If the library that writes Parquet is missing.
    OutputError
        If a file cannot be written.
    """
    forms: dict[str, Callable[[], str | bytes]] = {
        ".json": result.to_json,
        ".csv": result.to_csv,
        PARQUET: lambda: to_parquet(result),
    }
    suffix = Path(path).suffix.lower()
    if suffix not in forms:
        raise UsageError(f"'{suffix}' is no format of results", "choose .json, .csv or .parquet")
    write_atomically(path, forms[suffix]())
    if suffix != PARQUET:
        save_manifests(result, path)


def save_manifests(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the manifests of a result next to the file of its rows; nothing if it has none.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    if result.manifests:
        lines = ",\n".join(manifest.model_dump_json() for manifest in result.manifests)
        write_atomically(manifest_path(path), f"[\n{lines}\n]\n")


def load(path: str | os.PathLike[str]) -> Result:
    """Return a result saved as JSON or Parquet, with its manifests if there are any.

    Raises
    ------
    UsageError
        If the file cannot be read or is not a result.
    CapabilityError
        If the library that reads Parquet is missing.
    """
    if Path(path).suffix.lower() == PARQUET:
        try:
            return from_parquet(read_bytes(path, "", most_bytes=_MOST_BYTES, hint=_HINT))
        except ValueError as error:
            raise UsageError(f"{path} is not a result: {error}", _HINT) from None
    result = Result.from_json(read_text(path, "", most_bytes=_MOST_BYTES, hint=_HINT))
    manifests = manifest_path(path)
    if not manifests.is_file():
        return result
    return Result(result.columns, _manifests(manifests))


def manifest_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of the manifests of a result file."""
    return Path(path).with_suffix(".manifest.json")


def _manifests(path: Path) -> tuple[Manifest, ...]:
    text = read_text(path, "", most_bytes=_MOST_BYTES, hint=_HINT)
    try:
        return TypeAdapter(tuple[Manifest, ...]).validate_json(text)
    except ValidationError as error:
        rule = error.errors(include_url=False)[0]["msg"]
        raise UsageError(f"{path} is not a manifest: {rule}", "remove it or restore it") from None
