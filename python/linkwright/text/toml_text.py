"""TOML of users, with one kind of error for every invalid text.

The parser of the standard library also raises Python's own errors for numbers with thousands of
digits and for arrays nested thousands deep.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

__all__ = ["TomlError", "inline_table", "read_toml"]


class TomlError(ValueError):
    """A text that is not TOML; its message gives the place and the reason."""


def read_toml(text: str) -> dict[str, Any]:
    r"""Return the table in a TOML text.

    Raises
    ------
    TomlError
        If it is not TOML, has a number with thousands of digits or is nested too deeply.

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


def inline_table(values: Mapping[str, Any]) -> str:
    """Return values as an inline table.

    Examples
    --------
    >>> print(inline_table({"us": 2.5, "origin": "fit"}))
    { us = 2.5, origin = "fit" }
    """
    parts = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items())
    return "{ " + ", ".join(parts) + " }"
