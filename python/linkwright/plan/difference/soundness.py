"""A check that the tables of a plan folder, which people may have edited, fit together.

No line is cut short, every named device is in `devices.csv`, and routes lead to prefixes.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from functools import cache

from linkwright.errors import shown
from linkwright.plan.difference.change import Row

_DEVICE_COLUMNS = ("node", "parent", "a_device", "b_device")
"""Columns that name a device; only `parent` may be empty."""
_ANY = "0.0.0.0/0"
"""Used as the destination of a line that has none."""


def first_fault(tables: Mapping[str, Sequence[Row]], columns: Mapping[str, Sequence[str]]) -> str:
    """Return the first fault of a plan's tables, as the end of a sentence; empty if there is none.

    Parameters
    ----------
    tables : mapping of str to sequence of Row
        Rows per file name, those of `devices.csv` among them.
    columns : mapping of str to sequence of str
        Checked columns per file.
    """
    known = {row["device"] for row in tables["devices.csv"]}
    for name, rows in tables.items():
        named = [column for column in _DEVICE_COLUMNS if column in columns[name]]
        for number, row in enumerate(rows, start=2):
            if any(row[column] is None for column in columns[name]):
                return f"line {number} of {name} is cut short"
            for column in named:
                if row[column] not in known and (row[column] or column != "parent"):
                    return f"line {number} of {name} names {shown(row[column])}, which is no device"
            if not _is_prefix(row.get("destination", _ANY)):
                return f"line {number} of {name}: {shown(row['destination'])} is no address prefix"
    return ""


@cache
def _is_prefix(text: str) -> bool:
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True
