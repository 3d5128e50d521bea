"""Write a plan into a folder, whole or not at all, and read the tables of one.

A new folder is prepared beside its place and then renamed into it. An existing folder may be
somebody's working directory, so it stays in place: the files are prepared in a hidden folder inside
it and then moved, one rename each, when all of them are complete. Files that are not the plan's are
never touched.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from linkwright.errors import OutputError, UsageError

STAGING_PREFIX = ".linkwright-"


def write_folder(files: Mapping[str, str], directory: Path, *, force: bool = False) -> None:
    """Write `files` into `directory`.

    Writing the same files again changes nothing. A folder that holds anything else is refused
    unless `force` is given; then files of the same names are replaced and all others stay.

    Parameters
    ----------
    files : mapping of str to str
        Text per file name, relative to the folder, with `/` between its parts.
    directory : Path
        The folder; made if it does not exist.
    force : bool
        Whether to write into a folder that holds something else.

    Raises
    ------
    OutputError
        When the folder holds something else, or cannot be read or written.
    """
    with _clear_errors(directory):
        if not directory.exists():
            _write_new(files, directory)
        elif force or not any(directory.iterdir()):
            _write_into(files, directory)
        elif not _holds_exactly(files, directory):
            raise OutputError(
                f"folder '{directory}' holds something other than this plan",
                "choose another folder with -o, or replace the plan's files in it with --force",
            )


def read_tables(directory: Path, columns: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the texts of some tables of a plan folder.

    Parameters
    ----------
    directory : Path
        The folder.
    columns : mapping of str to sequence of str
        For each file the columns that it must have.

    Raises
    ------
    UsageError
        When the folder, a file or a column is missing, or a file cannot be read.
    """
    return {name: _table_text(directory, name, needed) for name, needed in columns.items()}


def _table_text(directory: Path, name: str, needed: Sequence[str]) -> str:
    remedy = "name a folder that `linkwright plan DESIGN -o DIR` wrote"
    try:
        text = (directory / name).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        what = f"it has no {name}" if directory.is_dir() else "there is no such folder"
        raise UsageError(f"'{directory}' is no plan folder: {what}", remedy) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"'{directory / name}' cannot be read: {error}", remedy) from None
    header = text.partition("\n")[0].strip().split(",")
    missing = [column for column in needed if column not in header]
    if missing:
        raise UsageError(
            f"'{directory}' is no plan folder: {name} has no column '{missing[0]}'", remedy
        )
    return text


@contextmanager
def _clear_errors(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"folder '{directory}' cannot be written: {reason[:1].lower()}{reason[1:]}",
            "choose a folder that you may write to with -o",
        ) from error


def _holds_exactly(files: Mapping[str, str], directory: Path) -> bool:
    present = {path for path in directory.rglob("*") if not path.is_dir()}
    if present != {directory / name for name in files}:
        return False
    return all((directory / name).read_bytes() == text.encode() for name, text in files.items())


def _write_new(files: Mapping[str, str], directory: Path) -> None:
    missing = [folder for folder in directory.parents if not folder.exists()]
    directory.parent.mkdir(parents=True, exist_ok=True)
    try:
        with _staging(directory.parent) as staging:
            _write_files(files, staging / "plan")
            (staging / "plan").rename(directory)
    except OSError:
        for folder in missing:
            if folder.exists():
                folder.rmdir()
        raise


def _write_into(files: Mapping[str, str], directory: Path) -> None:
    with _staging(directory) as staging:
        _write_files(files, staging)
        for name in files:
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
        for name in files:
            (staging / name).replace(directory / name)


@contextmanager
def _staging(parent: Path) -> Iterator[Path]:
    staging = Path(tempfile.mkdtemp(prefix=STAGING_PREFIX, dir=parent))
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _write_files(files: Mapping[str, str], directory: Path) -> None:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
