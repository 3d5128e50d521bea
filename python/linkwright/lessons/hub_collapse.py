"""A hub under load: all stations share one wire, and at some number of them TCP stands still.

Charts: the time against the number of stations, over TCP, and the latency of datagrams against the
load.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwright import calibrations, engines
from linkwright.lessons.lesson import Lesson
from linkwright.lessons.scene import Scene, network_of, value
from linkwright.results import Result
from linkwright.views.chart import Axis, Chart, Series
from linkwright.workloads import DatagramStream, Uniform, Workload

__all__ = ["LESSON"]

STATIONS = (4, 8, 16, 32)
ALL_TO_ALL = Uniform(size_bytes=4096)
LOADS = (0.25, 0.5, 0.75, 0.9, 1.0, 1.25, 1.5)
"""Offered user data over the rate of the hub."""
RATE_BPS = 100e6
DATAGRAMS = 1200
"""Datagrams of all stations together."""
LOADED = ((16, 0.5), (16, 1.0))
"""Stations and load of the scenes with datagrams."""
STANDARD = calibrations.load("pentium-pro-200-linux-2.0").changed(
    {"queues.pauses_backoff": False, "queues.avoids_capture": False}
)
"""Hosts of 1997 whose interfaces follow the standard."""
SEED = 2
"""Seed of the transfers over TCP. With the first one of eight, eight stations lose a frame."""


def design(n_stations: int, kind: str = "hub") -> dict[str, Any]:
    """Return the design of some stations on one hub or switch."""
    return {
        "name": f"{kind}-{n_stations}",
        "topology": {"kind": kind, "nodes": n_stations},
        "parts": {"catalogue": "whitney-1998"},
    }


def stream(n_stations: int, load: float) -> Workload:
    """Return a stream of full frames from each station to the next, with some load in all."""
    return DatagramStream(count=DATAGRAMS // n_stations, rate_bps=load * RATE_BPS / n_stations)


def loaded(n_stations: int, load: float) -> Scene:
    """Return the scene of a stream."""
    per_cent = round(100 * load)
    return Scene(
        key=f"{n_stations}-stations-at-{per_cent}",
        name=f"{n_stations} stations, load of {per_cent} %",
        caption="Datagrams at a fixed rate: nobody waits for an answer, what is lost stays lost.",
        design=design(n_stations),
        workload=stream(n_stations, load),
        calibration=STANDARD,
    )


def charts(results: Mapping[str, Result]) -> list[Chart]:
    """Return the time against the number of stations, and the latency against the load."""
    on_hub = [value(results[f"{n}-stations"], "time") for n in STATIONS]
    switches = [network_of(design(n, "switch")) for n in STATIONS]
    runs = (engines.run(one, ALL_TO_ALL, calibration=STANDARD, seed=SEED) for one in switches)
    switched = [value(run, "time") for run in runs]
    scenes = {float(n): f"{n}-stations" for n in STATIONS}
    time = Chart(
        "Time until every station has sent 4 KiB to every other",
        Axis("stations", log=10),
        Axis("time", "s", log=10),
        (
            Series("hub", STATIONS, on_hub, links=scenes),
            Series("switch", STATIONS, switched, links={16.0: "16-on-a-switch"}),
        ),
    )
    latency = Chart(
        "Mean latency of the datagrams that arrive",
        Axis("offered load (share of 100 Mb/s)"),
        Axis("latency", "s", log=10),
        tuple(map(_latencies, STATIONS)),
    )
    return [time, latency]


def _latencies(n_stations: int) -> Series:
    network = network_of(design(n_stations))
    runs = (
        engines.run(network, stream(n_stations, load), calibration=STANDARD, seed=1)
        for load in LOADS
    )
    scenes = {load: loaded(n, load).key for n, load in LOADED if n == n_stations}
    latencies = [value(run, "latency") for run in runs]
    return Series(f"{n_stations} stations", LOADS, latencies, links=scenes)


LESSON = Lesson(
    title="A hub under load",
    question="How many stations can share a hub, and why does it fail all at once?",
    scenes=[
        *(
            Scene(
                key=f"{n}-stations",
                name=f"{n} stations",
                caption="Every station sends 4 KiB to every other over TCP.",
                design=design(n),
                workload=ALL_TO_ALL,
                calibration=STANDARD,
                seed=SEED,
            )
            for n in STATIONS
        ),
        Scene(
            key="16-on-a-switch",
            name="16 on a switch",
            caption="The same messages through a switch: no collision is possible.",
            design=design(16, "switch"),
            workload=ALL_TO_ALL,
            calibration=STANDARD,
            seed=SEED,
        ),
        *(loaded(n, load) for n, load in LOADED),
    ],
    metrics=("time", "latency", "delivered", "collisions", "frames_dropped", "timeouts"),
    charts=charts,
    sources=("IEEE-802.3", "BOGGS-1988", "SHOCH-1980", "RFC-6298"),
)
