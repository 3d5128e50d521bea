"""Logs of perftest: `ib_write_bw`, `ib_send_lat` and the like, over RDMA.

MB in its tables are 2^20 bytes, Gb are 10^9 bits. A latency is the typical one: half a round trip
of a write or of a send, but a whole one of a read or of an atomic operation, which is no ping-pong.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping

from linkwright.results.readers.figure import Figure, Reader, columns_of, number, ping_pong

__all__ = ["PERFTEST"]

TITLE = re.compile(
    r"^[ \t]{0,40}(Send|RDMA_Write|RDMA_Read|Atomic|Raw Ethernet)\b"
    r"([^\n]{0,60}?) (?:BW|Latency) Test",
    re.MULTILINE,
)
WHOLE = ("rdma-read", "atomic")
"""Operations whose time is a whole round trip."""
RATES = re.compile(r"#bytes\s+#?iterations\s+BW[ _]peak\[(MB|Gb)/sec\]")
TIMES = re.compile(r"#bytes\s+#iterations\s+(t_min\[usec\].*t_typical|t_avg)\[usec\]")
FACTORS = {"MB": float(1 << 20), "Gb": 1e9 / 8}
MICRO = 1e-6
OF_RATE, OF_TYPICAL, OF_MEAN = 3, 4, 2
"""Places of the average rate, of the typical time, and of the mean where nothing else is shown."""


def _is_own(text: str) -> bool:
    return RATES.search(text) is not None or TIMES.search(text) is not None


def _read(text: str, _: str) -> list[Figure]:
    found: list[Figure] = []
    titles = list(TITLE.finditer(text))
    starts = [one.start() for one in titles]
    headings = sorted([*RATES.finditer(text), *TIMES.finditer(text)], key=lambda one: one.start())
    ends = [one.start() for one in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends, strict=True):
        body, before = text[heading.end() : end], bisect_left(starts, heading.start())
        about = _about(titles[before - 1]) if before else {}
        if heading.re is RATES:
            found += _rates(body, FACTORS[heading[1]], about)
        else:
            place = OF_MEAN if heading[1] == "t_avg" else OF_TYPICAL
            found += _times(body, place, about.get("operation", ""))
    return found


def _about(title: re.Match[str]) -> dict[str, str]:
    """Return the operation of the title before a table, and the directions if they are two."""
    both = {"direction": "bidirectional"} if "Bidirectional" in title[2] else {}
    return {"operation": title[1].lower().replace("_", "-").replace(" ", "-"), **both}


def _rates(body: str, factor: float, about: Mapping[str, str]) -> list[Figure]:
    rows = [(int(one[0]), number(one[OF_RATE])) for one in columns_of(body, OF_RATE + 1)]
    return [
        Figure("stream", "throughput", value * factor, "B/s", {"size_bytes": size, **about})
        for size, value in rows
        if value is not None
    ]


def _times(body: str, place: int, operation: str) -> list[Figure]:
    """Return half round trips as ping-pongs, whole ones as times of their operation."""
    rows = [(int(one[0]), number(one[place])) for one in columns_of(body, place + 1)]
    times = [(size, value * MICRO) for size, value in rows if value is not None]
    if operation in WHOLE:
        return [Figure(operation, "time", one, "s", {"size_bytes": size}) for size, one in times]
    return [figure for size, one in times for figure in ping_pong(size, one)]


PERFTEST = Reader(_is_own, _read)
