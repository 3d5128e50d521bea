"""The disk: all reading and writing of files.

Every read has a limit, every file is written whole or not at all, and no output replaces an input
of the same command.
"""

from __future__ import annotations

from linkwright.files.claims import STREAM, Claims, claimed
from linkwright.files.fence import confined
from linkwright.files.pieces import Pieces
from linkwright.files.private import private_key
from linkwright.files.reading import MEBIBYTE, named, read_bytes, read_text
from linkwright.files.writing import check_writable, utf8, write_atomically

__all__ = [
    "MEBIBYTE",
    "STREAM",
    "Claims",
    "Pieces",
    "check_writable",
    "claimed",
    "confined",
    "named",
    "private_key",
    "read_bytes",
    "read_text",
    "utf8",
    "write_atomically",
]
