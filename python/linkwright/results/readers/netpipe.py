"""Logs of NetPIPE: its output on the terminal, or the file of `-o`, both with half round trips.

The rates are left out: their megabits are 2^20 bits, and they follow from size and time.
"""

from __future__ import annotations

import re

from linkwright.results.readers.figure import Figure, Reader, number, ping_pong

__all__ = ["NETPIPE"]

LINE = re.compile(
    r"^[ \t]*\d+:[ \t]+(\d{1,15}) bytes[ \t]+\d+ times -->[ \t]+\S+ [MG]bps in[ \t]+(\S+) usec",
    re.MULTILINE,
)
"""A line on the terminal: size in bytes and microseconds."""
ROW = re.compile(r"^[ \t]*(\d{1,15})[ \t]+(\d+\.\d+)[ \t]+(\d+\.\d{6,})[ \t\r]*$", re.MULTILINE)
"""A line of the file: size in bytes, megabits per second, and seconds."""
FEWEST = 3


def _is_own(text: str) -> bool:
    return len(LINE.findall(text)) > 0 or len(ROW.findall(text)) >= FEWEST


def _read(text: str, _: str) -> list[Figure]:
    lines = [(size, number(usec), 1e-6) for size, usec in LINE.findall(text)]
    lines = lines or [(size, number(seconds), 1.0) for size, _rate, seconds in ROW.findall(text)]
    return [
        figure
        for size, value, unit in lines
        if value is not None
        for figure in ping_pong(int(size), value * unit)
    ]


NETPIPE = Reader(_is_own, _read)
