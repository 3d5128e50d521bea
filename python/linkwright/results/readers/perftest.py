"""Logs of perftest: `ib_write_bw`, `ib_send_lat` and the like, over RDMA.

MB in its tables are 2^20 bytes, Gb are 10^9 bits. A latency is the typical one, half a round trip
of a write or of a send.
"""

from __future__ import annotations

import re

from linkwright.results.readers.figure import Figure, Reader, columns_of, number, ping_pong

__all__ = ["PERFTEST"]

RATES = re.compile(r"#bytes\s+#iterations\s+BW[ _]peak\[(MB|Gb)/sec\]")
TIMES = re.compile(r"#bytes\s+#iterations\s+(t_min\[usec\].*t_typical|t_avg)\[usec\]")
FACTORS = {"MB": float(1 << 20), "Gb": 1e9 / 8}
MICRO = 1e-6
OF_RATE, OF_TYPICAL, OF_MEAN = 3, 4, 2
"""Places of the average rate, of the typical time, and of the mean where nothing else is shown."""


def _is_own(text: str) -> bool:
    return RATES.search(text) is not None or TIMES.search(text) is not None


def _read(text: str, _: str) -> list[Figure]:
    found: list[Figure] = []
    headings = sorted([*RATES.finditer(text), *TIMES.finditer(text)], key=lambda one: one.start())
    ends = [one.start() for one in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends, strict=True):
        body = text[heading.end() : end]
        if heading.re is RATES:
            found += _rates(body, FACTORS[heading[1]])
        else:
            found += _times(body, OF_MEAN if heading[1] == "t_avg" else OF_TYPICAL)
    return found


def _rates(body: str, factor: float) -> list[Figure]:
    rows = [(int(one[0]), number(one[OF_RATE])) for one in columns_of(body, OF_RATE + 1)]
    return [
        Figure("stream", "throughput", value * factor, "B/s", {"size_bytes": size})
        for size, value in rows
        if value is not None
    ]


def _times(body: str, place: int) -> list[Figure]:
    rows = [(int(one[0]), number(one[place])) for one in columns_of(body, place + 1)]
    return [
        figure
        for size, value in rows
        if value is not None
        for figure in ping_pong(size, value * MICRO)
    ]


PERFTEST = Reader(_is_own, _read)
