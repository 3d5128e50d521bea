"""The program that runs on a machine: `present.py` and `keeper.py` as one text, which needs nothing
but Python's standard library.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["program"]

FUTURE = "from __future__ import annotations\n"
OWN_IMPORTS = re.compile(r"^from linkwright\.apply\.present import [^\n]+\n", re.MULTILINE)


@cache
def program() -> str:
    """Return the text of the program."""
    folder = files("linkwright.apply")
    first, second = (
        (folder / name).read_text(encoding="utf-8") for name in ("present.py", "keeper.py")
    )
    return first + OWN_IMPORTS.sub("", second.replace(FUTURE, ""))
