"""Bonds and order: frames that take two wires in turn overtake each other.

The hosts are those of the catalogues: Linux 2.0 on Pentium Pro, Linux 6 on computers of today.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwright import engines
from linkwright.lessons.lesson import Lesson
from linkwright.lessons.scene import Scene, network_of, value
from linkwright.results import Result
from linkwright.views.chart import Axis, Chart, Series
from linkwright.workloads import Shift

__all__ = ["LESSON"]

NODES = 4
SIZES = (62_500, 125_000, 250_000, 500_000, 1_000_000, 2_000_000)
PLAYED_BYTES = 500_000
KINDS = {"one wire": "switch", "two wires": "bonded-switches"}
YEARS: dict[str, dict[str, str]] = {
    "1998": {"catalogue": "whitney-1998"},
    "2026": {"catalogue": "ethernet-2026"},
}
WORDS = {"1998": "100 Mb/s, Linux 2.0", "2026": "10 Gb/s, Linux 6"}


def design(year: str, wires: str) -> dict[str, Any]:
    """Return the design of four nodes on one switch, or with a bond on two."""
    kind = KINDS[wires]
    return {
        "name": f"{kind}-{year}",
        "topology": {"kind": kind, "nodes": NODES},
        "parts": YEARS[year],
    }


def charts(results: Mapping[str, Result]) -> list[Chart]:
    """Return the time against the size of a message, for both kinds of hosts."""
    del results
    return [_chart(year) for year in YEARS]


def _chart(year: str) -> Chart:
    curves = []
    for wires in KINDS:
        network = network_of(design(year, wires))
        runs = (engines.run(network, Shift(size_bytes=size), seed=1) for size in SIZES)
        times = [value(run, "time") for run in runs]
        curves.append(Series(wires, SIZES, times, links={PLAYED_BYTES: _key(year, wires)}))
    return Chart(
        f"Time of a message from each node to the next, {WORDS[year]}",
        Axis("bytes of a message", log=10),
        Axis("time", "s", log=10),
        tuple(curves),
    )


def _key(year: str, wires: str) -> str:
    return f"{year}-{wires.replace(' ', '-')}"


LESSON = Lesson(
    title="Bonds and order",
    question="Two wires carry twice as much: why can TCP be slower over both than over one?",
    scenes=[
        Scene(
            key=_key(year, wires),
            name=f"{year}, {wires}",
            caption=f"Each node sends 500 kB to the next: {WORDS[year]}, {wires}.",
            design=design(year, wires),
            workload=Shift(size_bytes=PLAYED_BYTES),
        )
        for year in reversed(YEARS)
        for wires in KINDS
    ],
    metrics=("time", "retransmissions", "frames_dropped", "frame_hops"),
    charts=charts,
    sources=("BEOWULF-1996", "RFC-5681", "RFC-8985", "LINUX"),
)
