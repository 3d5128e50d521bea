"""The folder that the server was started in: what is listed, opened and saved there.

A name from the page is a path below this folder, also after all links are followed; nothing outside
is read or written. A design is saved beside the others, whole or not at all, and not over a file
that another program has changed since it was opened.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from linkwright.errors import LinkwrightError, OutputError, UsageError, shown
from linkwright.files import MEBIBYTE, read_bytes, read_text, write_atomically
from linkwright.web.answers import Listed, Opened, Saved

__all__ = ["ChangedOnDiskError", "Workspace", "digest"]

DESIGNS, RESULTS = (".yaml", ".yml"), (".csv", ".json", ".parquet")
STUDY_MANIFEST, STUDY_INPUTS = "manifest.json", "inputs"
STUDY_KEYS = re.compile(r"^(designs|workloads):", re.MULTILINE)
"""Keys of a study file, which a design does not have."""
STUDY_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")
MOST_LISTED = 500
MOST_DEPTH = 3
MOST_NAME = 120
"""Letters of a new file's name."""


class ChangedOnDiskError(OutputError):
    """The file holds something else than when it was opened."""


class Workspace:
    """A folder with designs, results and studies."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.path.realpath(folder))

    def listed(self) -> Listed:
        """Return the designs, results and studies in the folder, as paths below it."""
        found: dict[str, list[str]] = {"designs": [], "results": [], "studies": []}
        for number, (kind, path) in enumerate(_entries(self.folder, MOST_DEPTH)):
            if number >= MOST_LISTED:
                break
            found[kind].append(path.relative_to(self.folder).as_posix())
        designs, results, studies = map(sorted, found.values())
        return {"designs": designs, "results": results, "studies": studies}

    def path(self, name: str) -> Path:
        """Return the path of a name from the page.

        Raises
        ------
        UsageError
            If it leads out of the folder, or to a hidden file.
        """
        if "\0" in name or not name or Path(name).is_absolute():
            raise UsageError(f"{shown(name)} names no file here", "choose one of the list")
        found = Path(os.path.realpath(self.folder / name))
        if not found.is_relative_to(self.folder):
            raise UsageError(f"{shown(name)} is outside of the folder", "choose one of the list")
        if any(part.startswith(".") for part in found.relative_to(self.folder).parts):
            raise UsageError(f"{shown(name)} is hidden", "choose another name")
        return found

    def design(self, name: str) -> Opened:
        """Return the text of a design with its name and the digest of the file."""
        path = self.path(name)
        if path.suffix.lower() not in DESIGNS:
            raise UsageError(f"{shown(name)} is no design", "choose a .yaml file")
        text = read_text(path, "design file", hint="choose a design of the list")
        return {"name": name, "text": text, "digest": digest(path)}

    def study_folder(self, name: str) -> Path:
        """Return the folder for the rows of a study, which may be new.

        Raises
        ------
        UsageError
            If the name is none of a folder directly in this one.
        """
        if not STUDY_NAME.fullmatch(name):
            raise UsageError(
                f"{shown(name)} is no name of a study", "use letters, digits, -, _ and ."
            )
        return self.path(name)

    def save(self, name: str, text: str, known: str | None, *, is_forced: bool) -> Saved:
        """Write a design whole; return its name and new digest.

        Parameters
        ----------
        name : str
            File of the design below the folder, which may be new.
        text : str
            Its text.
        known : str or None
            Digest of the file when the page opened it; None for a file that was not there.
        is_forced : bool
            Whether to overwrite a file that was changed meanwhile.

        Raises
        ------
        ChangedOnDiskError
            If the file is not the one that the page knows.
        UsageError
            If the name is none of a design in this folder.
        """
        path = self.path(name)
        if path.suffix.lower() not in DESIGNS or len(name) > MOST_NAME:
            raise UsageError(
                f"{shown(name)} is no name of a design", "give a name such as ring.yaml"
            )
        if not path.parent.is_dir():
            raise UsageError(f"{shown(name)}: there is no such folder", "give a name without one")
        if not is_forced and digest(path) != known:
            raise ChangedOnDiskError(
                f"{name} was changed by another program since it was opened here",
                "save it under another name, or overwrite it",
            )
        write_atomically(path, text)
        return {"name": name, "digest": digest(path)}


def digest(path: Path) -> str | None:
    """Return a digest of a file's content; None if there is no file."""
    if not path.exists():
        return None
    content = read_bytes(path, "", most_bytes=MEBIBYTE, hint="choose another file")
    return hashlib.sha256(content).hexdigest()


def _entries(folder: Path, depth: int) -> Iterator[tuple[str, Path]]:
    """Yield all that the page can open, with its kind; hidden files and links are left out."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        path = Path(entry.path)
        if entry.is_dir():
            if (path / STUDY_MANIFEST).is_file() and (path / STUDY_INPUTS).is_dir():
                yield "studies", path
            elif depth > 0:
                yield from _entries(path, depth - 1)
        elif path.suffix.lower() in DESIGNS:
            if not _is_study_file(path):
                yield "designs", path
        elif path.suffix.lower() in RESULTS and not path.name.endswith(".manifest.json"):
            yield "results", path


def _is_study_file(path: Path) -> bool:
    """Return whether a file asks a study's question about designs instead of being one."""
    try:
        text = read_text(path, "", hint="")
    except LinkwrightError:
        return False  # opening it gives the reason
    return STUDY_KEYS.search(text) is not None
