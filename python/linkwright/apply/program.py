"""The program that runs on a machine: its parts as one text, which needs nothing but Python's
standard library.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["program"]

FUTURE = "from __future__ import annotations\n"
OWN_IMPORTS = re.compile(
    r"^from linkwright\.apply\.\w+ import (?:\([^)]*\)|[^\n(]+)\n", re.MULTILINE
)
PARTS = (
    *("present", "contents", "allowed", "placed", "managers", "state", "journal", "guard"),
    *("timer", "looks", "keeper"),
)
"""Each part uses those before it alone."""


@cache
def program() -> str:
    """Return the text of the program."""
    folder = files("linkwright.apply")
    texts = [(folder / f"{name}.py").read_text(encoding="utf-8") for name in PARTS]
    first, *others = (OWN_IMPORTS.sub("", text) for text in texts)
    return first + "".join(text.replace(FUTURE, "") for text in others)
