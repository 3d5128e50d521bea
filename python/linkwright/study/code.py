"""The version of the program, to the byte: rows of one version are not taken for another's."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

__all__ = ["code_digest"]

_ONLY_READ_RESULTS = {"papers", "views", "cli", "comparison", "fit", "verification", "agreement"}
"""Parts of the package that no row of a study depends on."""


@cache
def code_digest() -> str:
    """Return a digest of the files of the package that a row depends on."""
    package, digest = Path(__file__).parents[1], hashlib.sha256()
    for file in sorted(package.rglob("*")):
        part = file.relative_to(package).parts[0]
        if part not in _ONLY_READ_RESULTS and file.suffix in {".py", ".so", ".toml", ".yaml"}:
            digest.update(file.read_bytes())
    return digest.hexdigest()
