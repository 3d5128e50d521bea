"""A folder as one zip archive in memory: the same files give the same bytes.

Entries lie below one folder. A name that could leave it on the reader's machine is a bug of the
caller, who writes the names.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import PurePosixPath

from linkwright.files.pieces import Content, byte_pieces

__all__ = ["zip_of"]

_OLDEST = (1980, 1, 1, 0, 0, 0)
"""The time of every entry, the earliest that the format has."""
_MODE = 0o644 << 16


def zip_of(files: Mapping[str, Content], folder: str) -> bytes:
    """Return files as a zip archive.

    Parameters
    ----------
    files : mapping of str to str, bytes or Pieces
        Content per file name, relative to the folder, with `/` between its parts.
    folder : str
        Name of the folder that holds them in the archive.

    Examples
    --------
    >>> zipfile.ZipFile(io.BytesIO(zip_of({"a/b.csv": "x"}, "plan"))).namelist()
    ['plan/a/b.csv']
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{folder}/{name}", _OLDEST)
            assert _stays_inside(entry.filename), f"{name} leads out of the archive"
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = _MODE
            with archive.open(entry, "w", force_zip64=True) as writer:
                for piece in byte_pieces(files[name]):
                    writer.write(piece)
    return buffer.getvalue()


def _stays_inside(name: str) -> bool:
    """Return whether every reader unpacks a name below the folder it is in."""
    parts = PurePosixPath(name).parts
    return not name.startswith("/") and ".." not in parts and not set(name) & set("\\\0")
