"""Delayed acknowledgements: a stream of small messages that waits for a timer of the other end.

A stream of NetPIPE of one size, on the hosts of three generations of Linux.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwright import engines
from linkwright.lessons.lesson import Lesson
from linkwright.lessons.scene import Scene, network_of, value
from linkwright.results import Result
from linkwright.views.chart import Axis, Chart, Series
from linkwright.workloads import NetPipe

__all__ = ["LESSON"]

PAIR: dict[str, Any] = {
    "name": "pair",
    "topology": {"kind": "direct"},
    "parts": {"catalogue": "whitney-1998"},
}
HOSTS = {
    "Linux 2.0": "pentium-pro-200-linux-2.0",
    "Linux 2.2": "pentium-ii-400-linux-2.2",
    "Linux 6": "linux-6-desktop",
}
SIZES = (128, 256, 512, 768, 1024, 1460)
MESSAGES = 100
PLAYED = (("Linux 2.0", 256), ("Linux 2.0", 1024), ("Linux 2.2", 256), ("Linux 6", 256))


def stream(size_bytes: int) -> NetPipe:
    """Return a stream of messages of one size."""
    return NetPipe(
        smallest_bytes=size_bytes,
        largest_bytes=size_bytes,
        perturbation=0,
        streaming=True,
        repeats=MESSAGES,
    )


def charts(results: Mapping[str, Result]) -> list[Chart]:
    """Return the time per message against its size, for each system."""
    del results
    network = network_of(PAIR)
    curves = []
    for name, hosts in HOSTS.items():
        runs = (engines.run(network, stream(size), calibration=hosts, seed=1) for size in SIZES)
        scenes = {float(size): _key(name, size) for played, size in PLAYED if played == name}
        curves.append(Series(name, SIZES, [value(run, "time") for run in runs], links=scenes))
    return [
        Chart(
            f"Time per message in a stream of {MESSAGES}",
            Axis("bytes of a message", log=10),
            Axis("time", "s", log=10),
            tuple(curves),
        )
    ]


def _key(name: str, size_bytes: int) -> str:
    return f"{name}-{size_bytes}-bytes".lower().replace(" ", "-").replace(".", "-")


LESSON = Lesson(
    title="Delayed acknowledgements",
    question="Why can smaller messages take longer than larger ones?",
    scenes=[
        Scene(
            key=_key(name, size),
            name=f"{name}, {size} bytes",
            caption=f"{MESSAGES} messages of {size} bytes from n0 to n1, one after the other.",
            design=PAIR,
            workload=stream(size),
            calibration=HOSTS[name],
        )
        for name, size in PLAYED
    ],
    metrics=("time", "throughput", "frame_hops"),
    charts=charts,
    sources=("RFC-1122", "LONCARIC-1999", "LINUX-2.0"),
)
