"""JSON of users, with one kind of error for every invalid text.

The parser of the standard library also raises Python's own errors for numbers with thousands of
digits and for lists nested thousands deep.
"""

from __future__ import annotations

import json
from typing import Any

__all__ = ["JsonError", "read_json"]


class JsonError(ValueError):
    """A text that is not JSON; its message gives the place and the reason."""


def read_json(text: str | bytes) -> Any:
    """Return the value in a JSON text.

    Raises
    ------
    JsonError
        If it is not JSON, has a number with thousands of digits or is nested too deeply.

    Examples
    --------
    >>> read_json('{"nodes": [4, 9]}')
    {'nodes': [4, 9]}
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise JsonError(str(error)) from None
    except UnicodeDecodeError:
        raise JsonError("it is not text") from None
    except RecursionError:
        raise JsonError("its lists or objects are nested too deeply") from None
    except ValueError:
        raise JsonError("a number has too many digits") from None
