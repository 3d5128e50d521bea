"""Logs of the OSU micro-benchmarks: latency, bandwidth and collectives of MPI, versions 2 to 7.

A log may hold several benchmarks one after the other. Times are microseconds, MB are 10^6 bytes.
One-sided operations, such as MPI_Put, are no ping-pong: no message answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkwright.results.readers.figure import Figure, Reader, columns_of, number, ping_pong

__all__ = ["OSU"]

TITLE = re.compile(r"^# OSU (?:MPI(?:-\w+|_(\w+))?|\w+) (.+?) Test(?: \(?[vV].*)?$", re.MULTILINE)
COLLECTIVES = {
    "allreduce": "all-reduce",
    "broadcast": "broadcast",
    "bcast": "broadcast",
    "allgather": "all-gather",
    "all-to-all personalized exchange": "all-to-all",
    "all-to-all": "all-to-all",
    "alltoall": "all-to-all",
    "barrier": "barrier",
}
"""Names of collectives in titles -> workloads with the same size of messages."""
MICRO, MB = 1e-6, 1e6


def _is_own(text: str) -> bool:
    return TITLE.search(text) is not None


def _read(text: str, _: str) -> list[Figure]:
    titles = list(TITLE.finditer(text))
    ends = [one.start() for one in titles[1:]] + [len(text)]
    return [
        figure
        for title, end in zip(titles, ends, strict=True)
        for figure in _figures(title, text[title.end() : end])
    ]


def _figures(found: re.Match[str], body: str) -> Iterator[Figure]:
    """Yield the figures of one benchmark."""
    operation, title = (found[1] or "").lower(), found[2].strip().lower()
    first = title.removesuffix("latency").strip()
    if first == "barrier":
        for line in body.splitlines():
            value = number(line.split()[0]) if line.split() else None
            if value is not None:
                yield Figure("barrier", "time", value * MICRO, "s")
                return
        return
    for words in columns_of(body, 2):
        size_bytes, value = int(words[0]), number(words[1])
        if value is None:
            continue
        if "bandwidth" in title:
            about = {"size_bytes": size_bytes, "direction": title.removesuffix(" bandwidth")}
            about |= {"operation": operation} if operation else {}
            yield Figure("stream", "throughput", value * MB, "B/s", about)
        elif operation:
            yield Figure(f"mpi-{operation}", "time", value * MICRO, "s", {"size_bytes": size_bytes})
        elif title in ("latency", "multi-threaded latency"):
            yield from ping_pong(size_bytes, value * MICRO)
        else:
            workload = COLLECTIVES.get(first, first.replace(" ", "-"))
            yield Figure(workload, "time", value * MICRO, "s", {"size_bytes": size_bytes})


OSU = Reader(_is_own, _read)
