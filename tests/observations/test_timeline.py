"""The time line of a run: well-formed events of Chrome's trace event format, whose sums are the
figures of the run, by every engine.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linkwright import engines, workloads
from linkwright.cli import run
from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.observations.timeline import (
    CONNECTIONS,
    HUBS,
    PROCESSORS,
    RANKS,
    WIRES,
    timeline_json,
)
from linkwright.results import Result

RING = "name: t\ntopology: {kind: ring, shape: [4]}\n"
HUB = "name: t\ntopology: {kind: hub, nodes: 4}\n"
FAST = f"{RING}parts: {{catalogue: ethernet-2026}}\nrouting: {{fallback: true}}\n"
SIZE = 5000
EXCHANGE = workloads.AllToAll(size_bytes=SIZE, repeats=2, warm_up=0)
KEYS = {"X": {"name", "dur"}, "C": {"name", "args"}, "M": {"name", "args"}}
KEYS |= {"i": {"name", "s"}, "s": {"name", "id", "cat"}, "f": {"name", "id", "cat", "bp"}}
Event = dict[str, Any]


def network(text: str) -> Network:
    return compile_network(Cluster.parse(text))


def watched(text: str, engine: str = "packet", **options: Any) -> tuple[Result, list[Event]]:
    result, seen = engines.watch(
        network(text),
        EXCHANGE,
        engine=engine,
        has_capture=False,
        has_traffic=False,
        has_timeline=True,
        **options,
    )
    trace = json.loads("".join(seen.timeline))
    assert trace["otherData"] == {"design": "t", "is_whole": True}
    return result, trace["traceEvents"]


def value(result: Result, metric: str) -> float:
    return float(result.filter(metric=metric).values()[0])


@pytest.mark.parametrize("engine", ["analytic", "flow", "packet"])
def test_messages_have_their_own_bytes_on_a_stream_without_headers(engine: str) -> None:
    _, events = watched(FAST, engine, calibration="ideal-reno")
    sizes = {event["name"] for event in events if event["ph"] == "s"}
    assert sizes == {"0 B", f"{SIZE} B"}


@pytest.mark.parametrize("engine", ["analytic", "flow", "packet"])
@pytest.mark.parametrize("text", [RING, HUB])
def test_events_are_well_formed(text: str, engine: str) -> None:
    result, events = watched(text, engine)
    last_us = value(result, "simulated_s") * 1e6
    for event in events:
        assert KEYS[event["ph"]] <= event.keys()
        assert isinstance(event["pid"], int)
        assert isinstance(event["tid"], int)
        if event["ph"] != "M":
            assert event["ts"] >= 0
        if event["ph"] == "X":
            assert event["dur"] >= 0
            assert event["tid"] > 0, "Perfetto takes thread 0 for the first of its process"
    of_ranks = [event for event in events if event["pid"] == RANKS and event["ph"] != "M"]
    assert max(one["ts"] + one.get("dur", 0) for one in of_ranks) <= last_us + 1e-3


@pytest.mark.parametrize(
    ("text", "engine", "faults"),
    [
        (RING, "packet", ()),
        (RING, "flow", ()),
        (RING, "analytic", ()),
        (RING, "packet", ("cable:0 loss 0.1",)),
        (HUB, "packet", ()),
        (FAST, "packet", ()),
        (FAST, "packet", ("cable:0 down at 100us",)),
    ],
    ids=["ring", "flow", "analytic", "losses", "hub", "fast", "cut"],
)
def test_slices_of_one_track_do_not_overlap(text: str, engine: str, faults: tuple[str]) -> None:
    """Perfetto rounds times and durations to whole nanoseconds, and drops slices that overlap."""
    tracks = defaultdict(list)
    options = {"faults": faults} if faults else {}
    for event in watched(text, engine, **options)[1]:
        if event["ph"] == "X":
            span = (round(event["ts"] * 1000), round(event["dur"] * 1000))
            tracks[event["pid"], event["tid"]].append(span)
    expected = {RANKS, PROCESSORS, WIRES} if engine == "packet" else {RANKS}
    assert expected <= {pid for pid, _ in tracks}
    for track, slices in tracks.items():
        start, length = np.array(sorted(slices)).T
        assert (start[:-1] + length[:-1] <= start[1:]).all(), track


@pytest.mark.parametrize("engine", ["analytic", "flow", "packet"])
def test_each_message_has_an_arrow(engine: str) -> None:
    events = watched(RING, engine)[1]
    begins = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    assert begins.keys() == ends.keys()
    sizes = Counter(event["name"] for event in begins.values())
    assert sizes[f"{SIZE} B"] == 2 * 4 * 3
    for number, begin in begins.items():
        assert begin["ts"] < ends[number]["ts"]
        assert begin["tid"] != ends[number]["tid"]


def test_frames_and_collisions_are_those_of_the_figures() -> None:
    result, events = watched(HUB)
    slices = Counter(event["pid"] for event in events if event["ph"] == "X")
    assert slices[WIRES] == value(result, "frame_hops")
    assert slices[HUBS] == value(result, "collisions") > 0


def test_lost_frames_and_timeouts_are_marked() -> None:
    result, events = watched(RING, faults=["cable:0 loss 0.1"])
    names = Counter(event["name"] for event in events if event["ph"] == "i")
    assert names["dropped: lost"] == value(result, "frames_dropped") > 0
    assert names["time-out"] == value(result, "timeouts") > 0
    counters = [event for event in events if event["ph"] == "C"]
    assert {event["pid"] for event in counters} == {WIRES, CONNECTIONS}


def test_ranks_are_named_with_their_nodes() -> None:
    _, events = watched(RING, placement="2:2,0:1,1:1")
    named = [event for event in events if event["name"] == "thread_name" and event["pid"] == RANKS]
    assert [event["args"]["name"] for event in named] == [
        "rank 0 on n2",
        "rank 1 on n2",
        "rank 2 on n0",
        "rank 3 on n1",
    ]


def test_a_trace_of_nothing_is_still_a_trace() -> None:
    columns = ("rank", "start", "end", "state", "from", "to", "bytes")
    nothing: dict[str, Any] = {f"ranks.{name}": np.zeros(0) for name in columns[:4]}
    nothing["places.node"] = np.arange(4)
    nothing |= {f"messages.{name}": np.zeros(0) for name in columns[1:3] + columns[4:]}
    text = "".join(timeline_json(network(RING), {**nothing, "is_whole": True}))
    assert json.loads(text)["traceEvents"] == []


def test_only_predictive_engines_have_a_time_line() -> None:
    with pytest.raises(CapabilityError, match="the emulation engine has no time line"):
        watched(RING, "emulation")


def test_the_command_writes_a_time_line_beside_other_files(tmp_path: Path) -> None:
    design, trace, counts = (tmp_path / name for name in ("t.yaml", "run.json", "run.csv"))
    design.write_text(RING)
    words = ["simulate", str(design), "-w", "barrier", "--timeline", str(trace)]
    assert run([*words, "--traffic", str(counts), "--quiet"]) == 0
    phases = Counter(event["ph"] for event in json.loads(trace.read_text())["traceEvents"])
    assert phases["s"] == phases["f"] > 0
    assert counts.read_text().startswith("time_s")
