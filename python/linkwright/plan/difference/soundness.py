"""Whether the tables of a plan folder, which anybody may have edited, belong together: no line is
cut short, and every device that is named stands in `devices.csv`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from linkwright.plan.difference.change import Row

_DEVICE_COLUMNS = ("node", "parent", "a_device", "b_device")
"""Columns that name a device; only `parent` may be empty."""


def first_fault(tables: Mapping[str, Sequence[Row]], columns: Mapping[str, Sequence[str]]) -> str:
    """Return the first fault of a plan's tables, as a sentence's end; empty where there is none.

    Parameters
    ----------
    tables : mapping of str to sequence of Row
        Rows per file name, those of `devices.csv` among them.
    columns : mapping of str to sequence of str
        Per file the columns that are looked at.
    """
    known = {row["device"] for row in tables["devices.csv"]}
    for name, rows in tables.items():
        named = [column for column in _DEVICE_COLUMNS if column in columns[name]]
        for number, row in enumerate(rows, start=2):
            if any(row[column] is None for column in columns[name]):
                return f"line {number} of {name} is cut short"
            for column in named:
                if row[column] not in known and (row[column] or column != "parent"):
                    return f"line {number} of {name} names '{row[column]}', which is no device"
    return ""
