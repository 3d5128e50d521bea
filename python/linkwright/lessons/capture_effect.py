"""The capture effect: of stations that always have a frame, the last winner wins again.

Datagrams keep the stations ready; TCP would stop by itself and hide the effect.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwright import engines
from linkwright.lessons.lesson import Lesson
from linkwright.lessons.scene import Scene, network_of
from linkwright.results import Result
from linkwright.views.chart import Axis, Chart, Series
from linkwright.workloads import DatagramStream

__all__ = ["LESSON"]

FRAMES = 400
"""Frames of all senders together."""
SENDERS = (2, 4, 8)


def design(n_senders: int, kind: str = "hub") -> dict[str, Any]:
    """Return the design of some senders and one receiver."""
    return {
        "name": f"{kind}-{n_senders + 1}",
        "topology": {"kind": kind, "nodes": n_senders + 1},
        "parts": {"catalogue": "whitney-1998"},
    }


def back_to_back(n_senders: int) -> DatagramStream:
    """Return streams of full frames without a pause to one station."""
    return DatagramStream(pattern="incast", dst=0, count=FRAMES // n_senders)


def charts(results: Mapping[str, Result]) -> list[Chart]:
    """Return the frames of each of two senders over time."""
    del results
    _, watched = engines.watch(network_of(design(2)), back_to_back(2), seed=1)
    traffic = watched.traffic
    time_s = [round(i * traffic.span_s, 9) for i in range(len(traffic.frames_sent) + 1)]
    curves = []
    for rank in (1, 2):
        sent = traffic.frames_sent[:, traffic.ports.index(f"n{rank}:eth0")]
        curves.append(Series(f"n{rank}", time_s, [0.0, *np.cumsum(sent).astype(float).tolist()]))
    return [
        Chart(
            "Frames that each of two senders has sent",
            Axis("time", "s"),
            Axis("frames"),
            tuple(curves),
        )
    ]


LESSON = Lesson(
    title="The capture effect",
    question="A hub is fair in the long run: why does a station wait for so long all the same?",
    scenes=[
        *(
            Scene(
                key=f"{n}-senders",
                name=f"{n} senders",
                caption=f"{n} stations send full frames without a pause to n0.",
                design=design(n),
                workload=back_to_back(n),
            )
            for n in SENDERS
        ),
        Scene(
            key="2-on-a-switch",
            name="2 on a switch",
            caption="A switch lets both send at once; its queue overflows instead.",
            design=design(2, "switch"),
            workload=back_to_back(2),
        ),
    ],
    metrics=("delivered", "latency", "latency_p99", "collisions", "frames_dropped"),
    charts=charts,
    sources=("IEEE-802.3", "BOGGS-1988"),
)
