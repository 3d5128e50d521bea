"""The disk: the one door through which files are read, and the one through which they are written.

Nothing is read without a limit, nothing is written by halves, and no output takes the place of an
input of the same command.
"""

from __future__ import annotations

from linkwright.files.claims import Claims, claimed
from linkwright.files.reading import MEBIBYTE, read_bytes, read_text
from linkwright.files.writing import check_writable, utf8, write_atomically

__all__ = [
    "MEBIBYTE",
    "Claims",
    "check_writable",
    "claimed",
    "read_bytes",
    "read_text",
    "utf8",
    "write_atomically",
]
