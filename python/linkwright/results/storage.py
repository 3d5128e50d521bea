"""Files: written whole or not at all.

`write_atomically` is the one place where the package writes a file that a user asked for. The
command line, the plan folder and saved results go through it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from linkwright.errors import OutputError, UsageError
from linkwright.results.manifest import Manifest
from linkwright.results.parquet import from_parquet, to_parquet
from linkwright.results.result import Result

__all__ = ["load", "manifest_path", "save", "save_manifests", "write_atomically"]

PARQUET = ".parquet"
_MAX_NAME_TRIES = 100


def write_atomically(path: str | os.PathLike[str], data: str | bytes | Iterable[str]) -> None:
    """Write a file so that it holds either all of `data` or what it held before.

    The data go into a new file beside the target, which then takes the target's place. Pipes and
    devices are written directly, symbolic links are followed.

    Parameters
    ----------
    path : path-like
        The file; its folder must exist.
    data : str, bytes, or iterable of str
        Its content, or the pieces of it; text becomes UTF-8.

    Raises
    ------
    OutputError
        When the file cannot be written; nothing is left behind.
    """
    pieces = (data,) if isinstance(data, str | bytes) else data
    content = (piece.encode() if isinstance(piece, str) else piece for piece in pieces)
    try:
        target = Path(os.path.realpath(path))
        if _is_replaceable(target):
            _replace(target, content)
        else:
            with target.open("wb") as file:
                file.writelines(content)
    except OSError as error:
        raise _output_error(path, error) from error


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
            return from_parquet(_read_bytes(path))
        except ValueError as error:
            raise UsageError(f"{path} is no result: {error}", "give a result file") from None
    result = Result.from_json(_read(path))
    beside = manifest_path(path)
    if not beside.is_file():
        return result
    return Result(result.columns, _manifests(beside))


def manifest_path(path: str | os.PathLike[str]) -> Path:
    """Return where the manifests of a result file stand."""
    return Path(path).with_suffix(".manifest.json")


def _manifests(path: Path) -> tuple[Manifest, ...]:
    try:
        return TypeAdapter(tuple[Manifest, ...]).validate_json(_read(path))
    except ValidationError as error:
        rule = error.errors(include_url=False)[0]["msg"]
        raise UsageError(f"{path} is no manifest: {rule}", "remove it or restore it") from None


def _read(path: str | os.PathLike[str]) -> str:
    try:
        return _read_bytes(path).decode()
    except UnicodeDecodeError:
        raise UsageError(f"{os.fspath(path)} is no text", "give a result file") from None


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(
            f"{os.fspath(path)} cannot be read: {error.strerror}", "give a result file"
        ) from None


def _is_replaceable(target: Path) -> bool:
    """Return whether a new file may take the target's place: not that of a pipe or device."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return True
    return stat.S_ISREG(mode)


def _replace(target: Path, content: Iterable[bytes]) -> None:
    beside, descriptor = _create_beside(target)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _create_beside(target: Path) -> tuple[Path, int]:
    """Return a new, empty file in the folder of `target`, with the rights that new files get."""
    for _ in range(_MAX_NAME_TRIES):
        beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
        with contextlib.suppress(FileExistsError):
            return beside, os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    raise FileExistsError("every name beside it is taken")


_REMEDIES: dict[type[OSError], str] = {
    FileNotFoundError: "create the folder first, or choose another",
    NotADirectoryError: "a part of the path is a file: choose another path",
    IsADirectoryError: "it is a folder: give the name of a file",
    PermissionError: "choose a folder you may write to",
}


def _output_error(path: str | os.PathLike[str], error: OSError) -> OutputError:
    remedy = _REMEDIES.get(type(error), "choose a path on a disk with room that can be written")
    return OutputError(f"{os.fspath(path)} cannot be written: {error.strerror or error}", remedy)
