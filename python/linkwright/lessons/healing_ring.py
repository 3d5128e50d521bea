"""A ring that heals: a cable is cut during a transfer, with three kinds of static routes.

The cable comes back after 100 ms, so that every run ends.
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

TRANSFER = Shift(k=1, size_bytes=2_000_000)
CUT = ("cable:0 down at 1ms up at 100ms",)
RINGS = (3, 4, 5, 6, 8)
BACKUP, BY_INTERFACE = "backup routes", "by interface"
FALLBACK: dict[str, Any] = {BACKUP: True, BY_INTERFACE: "by-interface"}


def design(n_nodes: int, routes: str) -> dict[str, Any]:
    """Return the design of a ring of mini PCs."""
    return {
        "name": f"ring-{n_nodes}",
        "topology": {"kind": "ring", "shape": [n_nodes]},
        "parts": {
            "catalogue": "ethernet-2026",
            "node": "mini-pc",
            "nic": "usb4-amd",
            "cable": "usb4-cable",
        },
        "addressing": {"scheme": "per-link", "ipv4": "10.99.0.0/24"},
        "routing": {"fallback": FALLBACK[routes]},
    }


def charts(results: Mapping[str, Result]) -> list[Chart]:
    """Return how long a connection stands still against the length of the ring."""
    del results

    def still_s(n_nodes: int, routes: str) -> float:
        network = network_of(design(n_nodes, routes))
        return value(engines.run(network, TRANSFER, faults=CUT, seed=1), "recovery_s")

    scenes = {
        BACKUP: {3.0: "three", 5.0: "five"},
        BY_INTERFACE: {5.0: "five-by-interface"},
    }
    curves = (
        Series(routes, RINGS, [still_s(n, routes) for n in RINGS], links=scenes.get(routes))
        for routes in FALLBACK
    )
    return [
        Chart(
            "How long the cut connection stands still",
            Axis("nodes of the ring"),
            Axis("time", "s", log=10),
            tuple(curves),
        )
    ]


def _scene(key: str, name: str, caption: str, n_nodes: int, routes: str, *cut: str) -> Scene:
    return Scene(
        key=key,
        name=name,
        caption=caption,
        design=design(n_nodes, routes),
        workload=TRANSFER,
        faults=cut,
    )


LESSON = Lesson(
    title="A ring that heals",
    question="A ring has two ways to every node: do packets find the other one on their own?",
    scenes=[
        _scene(
            "whole", "whole ring of 3", "Each of three nodes sends 2 MB to the next.", 3, BACKUP
        ),
        _scene(
            "three",
            "3 nodes, cut",
            "The cable between n0 and n1 is cut after 1 ms; n0 has a backup route.",
            3,
            BACKUP,
            *CUT,
        ),
        _scene(
            "five",
            "5 nodes, cut",
            "The same cut in a ring of five: the next node sends the packets back.",
            5,
            BACKUP,
            *CUT,
        ),
        _scene(
            "five-by-interface",
            "5 nodes, routes by interface",
            "A packet that comes back by the NIC of its own route goes the other way round.",
            5,
            BY_INTERFACE,
            *CUT,
        ),
    ],
    metrics=("time", "recovery_s", "frames_lost", "timeouts", "frame_hops"),
    charts=charts,
    sources=("NELAKUDITI-2007", "RFC-6298"),
)
