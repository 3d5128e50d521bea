"""Write a folder in one step: readers find all of its old files or all of the new ones.

The new folder is prepared next to its target. Then one call of the kernel exchanges the two, so
that a program killed at any time leaves one whole folder. Other files of the old folder are first
linked into the new one, and so stay. See docs/design/files.md.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from linkwright.errors import OutputError, shown_path
from linkwright.files.claims import claimed
from linkwright.files.pieces import Content, byte_pieces
from linkwright.files.writing import lock

__all__ = ["write_folder"]

_STAGING_PREFIX = ".linkwright-"
_STAGING = re.compile(re.escape(_STAGING_PREFIX) + r"[a-z0-9_]{8}")
_NEW = "new"
"""Name of the prepared folder inside the staging folder."""
_AT_FDCWD, _RENAME_EXCHANGE, _RENAME_SWAP = -100, 2, 2


def write_folder(files: Mapping[str, Content], directory: Path, *, force: bool = False) -> None:
    """Write `files` into `directory`, all of them or none.

    Writing the same files again changes nothing. A folder that holds anything else is refused
    unless `force` is given; then files of the same names are replaced and all others stay.

    Parameters
    ----------
    files : mapping of str to str, bytes or Pieces
        Content per file name, relative to the folder, with `/` between its parts.
    directory : Path
        The folder; made if it does not exist.
    force : bool
        Whether to write into a folder that holds something else.

    Raises
    ------
    OutputError
        If the folder holds other files, or cannot be read, written or replaced.
    UsageError
        If one of its files is an input of the same command.
    """
    with _clear_errors(directory):
        target = Path(os.path.realpath(directory))
        if target.exists() and not force and any(_entries(target)):
            if not _holds_exactly(files, target):
                raise OutputError(
                    f"folder {shown_path(directory)} holds something other than this plan",
                    "choose another folder with -o, or replace the plan's files in it with --force",
                )
            return
        for name in files:
            claimed().write(target / name)
        _write(files, target)


def _write(files: Mapping[str, Content], target: Path) -> None:
    if not target.exists():
        _write_new(files, target)
        return
    obstacle = _why_fixed(target)
    if not obstacle:
        with _staging(target.parent) as staging:
            _exchange(_prepared(files, staging, target), target)
    elif not any((target / name).exists() for name in files):
        _fill(files, target)
    else:
        raise _cannot_replace(target, obstacle)


def _cannot_replace(target: Path, obstacle: str) -> OutputError:
    return OutputError(
        f"the files in {shown_path(target)} cannot be replaced in one step: {obstacle}",
        "name a new folder, or one elsewhere, with -o",
    )


@contextmanager
def _clear_errors(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"folder {shown_path(directory)} cannot be written: {reason[:1].lower()}{reason[1:]}",
            "choose a folder that you may write to with -o",
        ) from error


def _entries(directory: Path) -> Iterator[Path]:
    """Yield the entries of a folder, except leftovers of killed writers."""
    return (path for path in directory.iterdir() if not _STAGING.fullmatch(path.name))


def _holds_exactly(files: Mapping[str, Content], directory: Path) -> bool:
    below = (
        path
        for entry in _entries(directory)
        for path in (entry, *(entry.rglob("*") if entry.is_dir() else ()))
    )
    present = {path for path in below if not path.is_dir()}
    if present != {directory / name for name in files}:
        return False
    return all(_holds(directory / name, content) for name, content in files.items())


def _holds(path: Path, content: Content) -> bool:
    """Return whether a file has some content; pipes and devices are not read."""
    if not stat.S_ISREG(path.stat().st_mode):
        return False
    with path.open("rb") as file:
        is_alike = all(file.read(len(piece)) == piece for piece in byte_pieces(content))
        return is_alike and not file.read(1)


def _write_new(files: Mapping[str, Content], target: Path) -> None:
    missing = [folder for folder in target.parents if not folder.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with _staging(target.parent) as staging:
            _prepared(files, staging, None).rename(target)
    except OSError:
        for folder in missing:
            if folder.exists():
                folder.rmdir()
        raise


def _why_fixed(target: Path) -> str:
    """Return the reason why another folder cannot replace this one; empty if it can.

    A shell whose working directory is replaced stays in the old folder.
    """
    here = Path.cwd()
    if target == here or target in here.parents:
        return "the working directory is in it"
    if any(path.is_mount() for path in (target, *target.rglob("*")) if path.is_dir()):
        return "another file system is mounted in it"
    if not os.access(target.parent, os.W_OK):
        return f"{target.parent} is read-only"
    return ""


def _fill(files: Mapping[str, Content], target: Path) -> None:
    """Move files into a folder that has none of them and cannot be exchanged."""
    with _staging(target) as staging:
        new = _prepared(files, staging, None)
        for name in files:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
        for name in files:
            (new / name).replace(target / name)


def _prepared(files: Mapping[str, Content], staging: Path, old: Path | None) -> Path:
    """Return a folder with the files, and with all other files of an old folder."""
    new = staging / _NEW
    if old is None:
        new.mkdir()
    else:
        left = _Left(set(files), old)
        shutil.copytree(old, new, symlinks=True, ignore=left, copy_function=_link)
    for name, content in files.items():
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.writelines(byte_pieces(content))
            os.fsync(file.fileno())
    return new


class _Left:
    """Selects the files of an old folder that are not linked: new versions, and leftovers."""

    def __init__(self, names: set[str], old: Path) -> None:
        self._names, self._old = names, old

    def __call__(self, folder: str, names: list[str]) -> set[str]:
        inside = Path(folder).relative_to(self._old)
        return {
            name
            for name in names
            if (inside / name).as_posix() in self._names or _STAGING.fullmatch(name)
        }


def _link(source: str, target: str) -> None:
    """Give a file a second name, or copy it if that is not possible."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def _exchange(new: Path, target: Path) -> None:
    """Exchange two folders by one call of the kernel."""
    library = ctypes.CDLL(None, use_errno=True)
    paths = (os.fsencode(new), os.fsencode(target))
    if hasattr(library, "renameat2"):
        failed = library.renameat2(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE)
    elif hasattr(library, "renamex_np"):  # macOS
        failed = library.renamex_np(*paths, _RENAME_SWAP)
    else:
        raise _cannot_replace(target, "this system cannot exchange folders")
    if failed:
        reason = os.strerror(ctypes.get_errno()).lower()
        raise _cannot_replace(target, f"the two folders cannot be exchanged here ({reason})")


@contextmanager
def _staging(parent: Path) -> Iterator[Path]:
    """Make a locked staging folder, after removing leftovers of killed writers."""
    _remove_leftovers(parent)
    staging, descriptor = _create_staging(parent)
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        os.close(descriptor)


def _create_staging(parent: Path) -> tuple[Path, int]:
    while True:
        staging = Path(tempfile.mkdtemp(prefix=_STAGING_PREFIX, dir=parent))
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(staging, os.O_RDONLY | os.O_DIRECTORY)
            # Until it is locked, another writer may remove it as a leftover.
            if lock(descriptor) and os.fstat(descriptor).st_nlink:
                return staging, descriptor
            os.close(descriptor)


def _remove_leftovers(parent: Path) -> None:
    for path in parent.iterdir():
        if not _STAGING.fullmatch(path.name):
            continue
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if lock(descriptor):
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(descriptor)
