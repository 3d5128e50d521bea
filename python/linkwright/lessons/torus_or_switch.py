"""A torus or a switch: nodes that forward for each other, or a device that does.

Square tori with the parts of 1998, for which the reports of the time have measurements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from linkwright import engines
from linkwright.lessons.lesson import Lesson
from linkwright.lessons.scene import Scene, network_of, value
from linkwright.results import Result
from linkwright.views.chart import Axis, Chart, Series
from linkwright.workloads import AllToAll, Neighbour, PingPong, Workload

__all__ = ["LESSON"]

SIDES = (2, 3, 4, 5, 6)
"""Nodes along a side of the torus."""
SIDE = 4
NEIGHBOURS = Neighbour(size_bytes=4096)
EVERYONE = AllToAll(size_bytes=(4096,), repeats=1, warm_up=1)
KINDS = ("torus", "switch")


def design(kind: str, side: int) -> dict[str, Any]:
    """Return the design of a square number of nodes."""
    shape = {"shape": [side, side]} if kind == "torus" else {"nodes": side * side}
    return {
        "name": f"{kind}-{side * side}",
        "topology": {"kind": kind, **shape},
        "parts": {"catalogue": "whitney-1998"},
    }


def farthest(side: int) -> Workload:
    """Return short messages between node 0 and the one that is farthest from it in the torus."""
    return PingPong(dst=(side // 2) * (side + 1), size_bytes=(8,))


def charts(results: Mapping[str, Result]) -> list[Chart]:
    """Return the figures of the scenes against the number of nodes."""
    del results
    return [
        _chart("Latency of 8 bytes to the farthest node", "far", "latency", farthest),
        _chart("Time of 4 KiB to each neighbour", "neighbours", "time", lambda _: NEIGHBOURS),
        _chart("Time of 4 KiB to everyone", "everyone", "time", lambda _: EVERYONE),
    ]


def _chart(title: str, key: str, metric: str, workload: Callable[[int], Workload]) -> Chart:
    def figure(kind: str, side: int) -> float:
        network = network_of(design(kind, side))
        return value(engines.run(network, workload(side), seed=1), metric)

    nodes = [float(side * side) for side in SIDES]
    curves = (
        Series(
            kind,
            nodes,
            [figure(kind, side) for side in SIDES],
            links={float(SIDE**2): f"{key}-{kind}"},
        )
        for kind in KINDS
    )
    return Chart(title, Axis("nodes"), Axis(metric, "s"), tuple(curves))


def _scenes(kind: str) -> list[Scene]:
    place = "the torus" if kind == "torus" else "one switch"
    given = (
        (
            "far",
            "far away",
            "8 bytes back and forth between the nodes farthest apart",
            farthest(SIDE),
        ),
        ("neighbours", "neighbours", "4 KiB to each of the four neighbours of a node", NEIGHBOURS),
        ("everyone", "everyone", "4 KiB from every node to every other", EVERYONE),
    )
    return [
        Scene(
            key=f"{key}-{kind}",
            name=f"{name}, {kind}",
            caption=f"{caption}, on {place}.",
            design=design(kind, SIDE),
            workload=workload,
        )
        for key, name, caption, workload in given
    ]


LESSON = Lesson(
    title="A torus or a switch",
    question="Nodes with a cable to each neighbour need no switch: when is that as good?",
    scenes=[scene for pair in zip(*map(_scenes, KINDS), strict=True) for scene in pair],
    metrics=("time", "latency", "frame_hops"),
    charts=charts,
    sources=("NAS-97-017", "PMESH-1998"),
)
