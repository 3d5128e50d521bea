"""A recording agrees with the figures of its run: frames, collisions, losses, messages and the work
of processors, for every kind of network.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.conformance.in_node import all_played, bundled, needs_node
from tests.kinds import KINDS, compiled, network

from linkwright import calibrations, faults, workloads
from linkwright.engines.inputs import Run
from linkwright.engines.playing import pack
from linkwright.network import Network

pytestmark = needs_node

NONE = 0xFFFFFFFF
SIZES, REPEATS, WARM_UP = (300, 9000), 2, 1
EXCHANGE = workloads.AllToAll(size_bytes=SIZES, repeats=REPEATS, warm_up=WARM_UP)
OLD, NEW = "pentium-pro-200-linux-2.0", "linux-6-server"


def runs() -> dict[str, Run]:
    """Return a run on every kind, and some with faults, full queues and cold caches."""
    found = {
        f"{kind}, {hosts}": run(network(kind), hosts) for kind in KINDS for hosts in (OLD, NEW)
    }
    hub, ring = compiled({"kind": "hub", "nodes": 6}), compiled({"kind": "ring", "shape": [6]})
    found["a hub that dies"] = run(hub, OLD, "hub:0 reboot at 3ms for 40ms")
    found["a lossy hub"] = run(hub, OLD, "cable:0 loss 0.05")
    found["lossy wires"] = run(ring, OLD, "cable:0 loss 0.05", "cable:3 corrupt 1e-5")
    found["a cut cable"] = run(ring, NEW, "cable:2 down at 200us up at 30ms")
    switch = compiled({"kind": "switch", "nodes": 8})
    for constants in ({"links.arp": "cold"}, {"links.flow_control": "pause"}):
        hosts = calibrations.load(OLD).changed(constants)
        found[f"{constants}"] = replace(run(switch, OLD), hosts=hosts)
    return found


def run(network: Network, hosts: str, *texts: str) -> Run:
    """Return the inputs of a run."""
    return Run(
        network=network,
        workload=EXCHANGE,
        hosts=calibrations.load(hosts),
        seed=3,
        faults=faults.parse(texts, network),
    )


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The recordings of `runs`."""
    engine = bundled(tmp_path_factory.mktemp("engine"))
    asked = runs()
    found = all_played(engine, [(pack([one]), [{}]) for one in asked.values()])
    return dict(zip(asked, (one for [one] in found), strict=True))


@pytest.fixture(params=runs())
def recording(request: pytest.FixtureRequest, recordings: dict[str, dict[str, Any]]) -> Any:
    """One recording, its tables as arrays."""
    found = recordings[request.param]
    assert found["isWhole"]
    return {
        name: {column: np.asarray(values) for column, values in table.items()}
        if isinstance(table, dict)
        else table
        for name, table in found.items()
    }


def test_each_frame_on_a_wire_has_a_row(recording: Any) -> None:
    frames, figures = recording["frames"], recording["figures"]
    was_sent = frames["end"] > frames["start"]
    assert was_sent.sum() == figures["frame_hops"]
    assert (frames["fate"] > 0).sum() == figures["frames_dropped"]
    assert (np.diff(frames["start"]) >= 0).all()
    assert (frames["end"] >= frames["start"]).all()
    assert ((frames["kind"] <= 1) == (frames["connection"] != NONE)).all()
    assert (frames["bytes"] >= 64).all()


def test_frames_of_one_wire_follow_each_other(recording: Any) -> None:
    frames = recording["frames"]
    was_sent = (frames["end"] > frames["start"]) & (frames["to"] != NONE)
    order = np.lexsort((frames["start"][was_sent], frames["from"][was_sent]))
    port, start = (frames[name][was_sent][order] for name in ("from", "start"))
    same = port[1:] == port[:-1]
    assert (np.diff(start)[same] > 0).all()


def test_collisions_and_timeouts_are_those_counted(recording: Any) -> None:
    figures = recording["figures"]
    collisions = recording["collisions"]
    assert len(collisions["time"]) == figures["collisions"]
    assert (collisions["until"] > collisions["time"]).all()
    assert (collisions["stations"] >= 2).all()
    assert len(recording["timeouts"]["time"]) == figures["timeouts"]


def test_queues_never_hold_less_than_nothing(recording: Any) -> None:
    queues = recording["queues"]
    assert (queues["bytes"] < 1 << 31).all()
    assert (np.diff(queues["time"]) >= 0).all()
    for port in np.unique(queues["port"]):
        assert queues["bytes"][queues["port"] == port][-1] == 0, "it is empty in the end"


def test_a_processor_does_one_thing_at_a_time(recording: Any) -> None:
    work = recording["work"]
    rows = zip(work["node"], work["cpu"], work["start"], work["end"], strict=True)
    for (node, cpu, _, end), (next_node, next_cpu, start, _) in pairwise(rows):
        assert (node, cpu) != (next_node, next_cpu) or end <= start
    assert (work["end"] > work["start"]).all()


def test_a_rank_does_one_thing_at_a_time(recording: Any) -> None:
    ranks = recording["ranks"]
    for rank in np.unique(ranks["rank"]):
        is_own = ranks["rank"] == rank
        assert (ranks["start"][is_own][1:] >= ranks["end"][is_own][:-1]).all()


def test_messages_are_those_of_the_workload(recording: Any) -> None:
    messages = recording["messages"]
    n = recording["messages"]["from"].max() + 1
    exchanges = WARM_UP * [SIZES[1]] + [size for size in SIZES for _ in range(REPEATS)]
    assert messages["bytes"].sum() == n * (n - 1) * sum(exchanges)
    assert (messages["from"] != messages["to"]).all()
    assert (messages["end"] > messages["start"]).all()


@pytest.mark.parametrize("recording", ["a lossy hub", "a hub that dies"], indirect=True)
def test_data_sent_again_are_marked(recording: Any) -> None:
    frames, figures = recording["frames"], recording["figures"]
    # On one segment a frame crosses one wire.
    assert frames["isResent"].sum() == figures["retransmissions"] > 0


def test_windows_belong_to_connections(recording: Any) -> None:
    windows, connections = recording["windows"], recording["connections"]
    assert (windows["connection"] < len(connections["from"])).all()
    assert (windows["congestion"] > 0).all()
    assert (windows["inFlight"] >= 0).all()
