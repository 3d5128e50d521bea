"""New names that the user gives: a table with a line OLD,NEW for each device or DEVICE:PORT."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from linkwright.errors import DesignError, shown_path
from linkwright.files import MEBIBYTE, read_text
from linkwright.text.csv_text import CsvError, csv_lines

__all__ = ["read_renamings"]

_HEADER = ["old", "new"]
_HINT = "write OLD,NEW on each line, such as gpu_box_3,gpu3 or gpu_box_3:eth1,p1"


def read_renamings(path: Path) -> Mapping[str, str]:
    """Return the new names in a file.

    Raises
    ------
    DesignError
        If it cannot be read, or a line is no pair of names.
    """
    text = read_text(path, "table of names", most_bytes=MEBIBYTE, hint=_HINT, error=DesignError)
    where = shown_path(path)
    found: dict[str, str] = {}
    try:
        for line, cells in csv_lines(text):
            pair = [cell.strip() for cell in cells]
            if not any(pair) or pair[0].startswith("#") or (not found and pair == _HEADER):
                continue
            if len(pair) != len(_HEADER) or not all(pair):
                raise DesignError(f"{where}, line {line}: no pair of names", _HINT)
            if pair[0] in found:
                raise DesignError(f"{where}, line {line}: a second new name for {pair[0]!r}", _HINT)
            found[pair[0]] = pair[1].removeprefix(f"{pair[0].partition(':')[0]}:")
    except CsvError as error:
        raise DesignError(f"{where}, {error}", _HINT) from None
    return found
