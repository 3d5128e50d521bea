"""A key that one user of a machine has for good, readable by that user alone."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

__all__ = ["private_key"]

KEY_BYTES = 32


def private_key(path: Path) -> bytes:
    """Return the key in a file, which is made first if there is none.

    Parameters
    ----------
    path : Path
        The file; its folders are made too, for this user alone.

    Returns
    -------
    bytes
        The key; a new one that is kept nowhere, if the file is of no use: others can read it, it
        has another length, or it cannot be written.
    """
    key = secrets.token_bytes(KEY_BYTES)
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            _make(path, key)
        return _kept(path) or key
    return key


def _make(path: Path, key: bytes) -> None:
    """Write a key whole: two servers that start at once have the same."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(key)
        os.link(draft, path)
    finally:
        draft.unlink()


def _kept(path: Path) -> bytes | None:
    """Return the key in a file that this user alone can read."""
    with path.open("rb") as file:
        state = os.fstat(file.fileno())
        key = file.read(KEY_BYTES + 1)
    is_own = state.st_uid == os.getuid() and not state.st_mode & 0o077
    return key if is_own and len(key) == KEY_BYTES else None
