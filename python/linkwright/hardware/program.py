"""The program that runs on a machine: `rank_program.py` and `agent_program.py` as one text, which
needs nothing but Python's standard library.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["program"]

FUTURE = "from __future__ import annotations\n"
OWN_IMPORTS = re.compile(r"^from linkwright\.hardware\.rank_program import [^\n]+\n", re.MULTILINE)


@cache
def program() -> str:
    """Return the text of the program."""
    folder = files("linkwright.hardware")
    first, second = (
        (folder / name).read_text(encoding="utf-8")
        for name in ("rank_program.py", "agent_program.py")
    )
    return first + OWN_IMPORTS.sub("", second.replace(FUTURE, ""))
