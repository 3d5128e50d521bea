"""TOML of users: every text that is none is one kind of error, whatever the parser stumbles over.

The parser of the standard library passes on what Python says of numbers with thousands of digits
and of arrays nested thousands deep.
"""

from __future__ import annotations

import tomllib
from typing import Any

__all__ = ["TomlError", "read_toml"]


class TomlError(ValueError):
    """A text that is not TOML; its message says where and why."""


def read_toml(text: str) -> dict[str, Any]:
    r"""Return the table that a TOML text holds.

    Raises
    ------
    TomlError
        When it is not TOML, has a number of thousands of digits or is nested too deeply.

    Examples
    --------
    >>> read_toml("[tcp]\ninitial_window = 2")
    {'tcp': {'initial_window': 2}}
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(str(error)) from None
    except RecursionError:
        raise TomlError("its arrays or tables are nested too deeply") from None
    except ValueError:
        raise TomlError("a number has too many digits") from None
