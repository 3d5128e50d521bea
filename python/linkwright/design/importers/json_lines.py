"""JSON whose objects know their lines; several documents may follow each other in a text.

Python's decoder in C does not say where a value begins, its form in Python does.
"""

from __future__ import annotations

import json
import json.decoder
import json.scanner
from bisect import bisect_right
from typing import Any

from linkwright.errors import DesignError

__all__ = ["JsonText", "Lined"]


class Lined(dict[str, Any]):
    """An object of JSON and the line on which it begins."""

    line: int = 0


class JsonText:
    """A text of JSON.

    Parameters
    ----------
    text : str
        The text.
    where : str
        Name of the file, for messages.
    """

    def __init__(self, text: str, where: str) -> None:
        self.text, self._where = text, where
        self._line_ends = [at for at, character in enumerate(text) if character == "\n"]
        self._decoder = self._lined_decoder()

    def _lined_decoder(self) -> Any:
        decoder: Any = json.JSONDecoder
        decoder = decoder()
        decoder.parse_object = self._object
        scanner: Any = json.scanner
        decoder.scan_once = scanner.py_make_scanner(decoder)
        return decoder

    def line(self, place: int) -> int:
        """Return the line of a character."""
        return bisect_right(self._line_ends, place - 1) + 1

    def value(self, begin: int = 0) -> tuple[Any, int]:
        """Return the value that begins at a place or after blanks there, and its end.

        Raises
        ------
        DesignError
            If it is not JSON.
        """
        while begin < len(self.text) and self.text[begin].isspace():
            begin += 1
        try:
            value, end = self._decoder.raw_decode(self.text, begin)
        except json.JSONDecodeError as error:
            at = f"{self._where}, line {error.lineno}, column {error.colno}"
            raise DesignError(f"{at} is not JSON: {error.msg}", "check commas and quotes") from None
        except RecursionError:
            raise DesignError(f"{self._where} is nested too deeply", "give a plain graph") from None
        except ValueError as error:
            raise DesignError(f"{self._where} is not JSON: {error}", "shorten the number") from None
        return value, end

    def _object(self, begin: tuple[str, int], *settings: Any) -> tuple[Lined, int]:
        parser: Any = json.decoder
        values, end = parser.JSONObject(begin, *settings)
        found = Lined(values)
        found.line = self.line(begin[1])
        return found, end
