"""The secret in the address of the page: the same at every start in a folder, so that a tab that is
open finds its server again.

It follows from a key that the user keeps, from the folder and from the port. Without a place for
the key each start has a secret of its own.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from pathlib import Path

from linkwright.files import private_key

__all__ = ["secret"]

SECRET_BYTES = 24


def secret(folder: Path, port: int) -> str:
    """Return the secret of a folder's server on a port."""
    message = b"%s\0%d" % (bytes(folder), port)
    found = hmac.digest(private_key(_key_path()), message, hashlib.sha256)
    return base64.urlsafe_b64encode(found[:SECRET_BYTES]).decode()


def _key_path() -> Path:
    """Return the file of the key; by the rule of XDG, a relative folder counts as none."""
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    folder = state if state.is_absolute() else Path.home() / ".local" / "state"
    return folder / "linkwright" / "workbench.key"
