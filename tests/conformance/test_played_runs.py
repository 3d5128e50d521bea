"""The engine of a page computes the rows of the command line, to the bit, for every kind of
network, old and new hosts, seeds and faults.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.in_node import all_played, bundled, needs_node, played
from tests.kinds import KINDS, compiled, network

import linkwright
from linkwright import calibrations, faults, workloads
from linkwright.engines import playing
from linkwright.engines.inputs import Run
from linkwright.engines.playing import pack
from linkwright.errors import RunError
from linkwright.network import Network
from linkwright.results import UNREPEATABLE_FIGURES
from linkwright.workloads import Workload

pytestmark = needs_node

OLD, NEW = "pentium-pro-200-linux-2.0", "linux-6-server"
EXCHANGE = workloads.AllToAll(size_bytes=(300, 9000), repeats=2, warm_up=1)
SEED = 5


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine of a page."""
    return bundled(tmp_path_factory.mktemp("engine"))


def asked(network: Network, workload: Workload, hosts: str, *texts: str) -> Run:
    """Return the inputs of a run."""
    return Run(
        network=network,
        workload=workload,
        hosts=calibrations.load(hosts),
        seed=SEED,
        faults=faults.parse(texts, network),
    )


def rows(run: Run) -> list[tuple[Any, ...]]:
    """Return the rows of the command line, without those of this machine."""
    result = linkwright.run(
        run.network,
        run.workload,
        calibration=run.hosts,
        seed=run.seed or 0,
        placement=run.placement,
        faults=[fault.given for fault in run.faults],
    )
    return [
        (row.metric, row.value, row.unit, dict(row.parameters))
        for row in result.rows()
        if row.metric not in UNREPEATABLE_FIGURES
    ]


def rows_of(recording: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a page."""
    assert "trouble" not in recording, recording
    return [
        tuple(row[key] for key in ("metric", "value", "unit", "parameters"))
        for row in recording["rows"]
    ]


def runs_of_kinds() -> dict[str, Run]:
    """Return a run on every kind of network, by old and by new hosts."""
    return {
        f"{kind}, {hosts}": asked(network(kind), EXCHANGE, hosts)
        for kind in KINDS
        for hosts in (OLD, NEW)
    }


@pytest.fixture(scope="module")
def of_kinds(engine: Path) -> dict[str, list[dict[str, Any]]]:
    """The recordings of `runs_of_kinds`, with their own seed and with another."""
    runs = runs_of_kinds()
    changes = [{}, {"seed": SEED + 1}]
    found = all_played(engine, [(pack([run]), changes) for run in runs.values()])
    return dict(zip(runs, found, strict=True))


@pytest.mark.parametrize("name", runs_of_kinds())
def test_every_kind_plays_as_it_is_simulated(
    of_kinds: dict[str, list[dict[str, Any]]], name: str
) -> None:
    run = runs_of_kinds()[name]
    first, second = of_kinds[name]
    assert rows_of(first) == rows(run)
    assert rows_of(second) == rows(replace(run, seed=SEED + 1))


@pytest.mark.parametrize(
    "workload",
    [
        workloads.PingPong(size_bytes=(1, 20_000), repeats=3),
        workloads.Broadcast(size_bytes=5000, repeats=2),
        workloads.Broadcast(size_bytes=5000, repeats=2, closing_barrier=False),
        workloads.AllReduce(size_bytes=800, repeats=2),
        workloads.Barrier(repeats=3),
        workloads.Token(size_bytes=(8, 64), exchanges=5, runs=2),
        workloads.Shift(size_bytes=3000),
        workloads.Incast(size_bytes=3000),
        workloads.Neighbour(size_bytes=3000),
        workloads.parse("netpipe", {"largest_bytes": "3000", "repeats": "2"}),
        workloads.DatagramStream(count=300),
        workloads.DatagramStream(count=40, pattern="incast", rate_bps=2e7),
        workloads.parse("keep-alive", {"count": "5", "spacing_s": "0.01"}),
        workloads.parse("keep-alive", {"count": "5", "spacing_s": "0.01", "protocol": "tcp"}),
        workloads.parse("file-server", {"count": "9", "cached": "true"}),
        workloads.parse("hpl", {"n": "48", "nb": "16", "rate": "1e8"}),
        workloads.parse("npb.is", {"class": "S", "rate": "1e8", "iterations": "9"}),
        workloads.parse("npb.lu", {"class": "S", "rate": "1e8", "iterations": "3"}),
    ],
    ids=lambda workload: workload.name,
)
def test_workloads_are_measured_by_the_same_formulas(engine: Path, workload: Workload) -> None:
    run = asked(compiled({"kind": "torus", "shape": [3, 3]}), workload, OLD)
    assert rows_of(played(engine, pack([run]))[0]) == rows(run)


def test_sizes_are_programs_of_one_run(engine: Path) -> None:
    ring = compiled({"kind": "ring", "shape": [5]})
    runs = [asked(ring, workloads.Broadcast(size_bytes=size), OLD) for size in (100, 10_000)]
    found = played(engine, pack(runs), [{"program": place} for place in (0, 1)])
    assert [rows_of(one) for one in found] == [rows(run) for run in runs]


def test_a_pulled_cable_is_the_fault_of_the_command_line(engine: Path) -> None:
    ring = compiled({"kind": "ring", "shape": [6]}, routing={"fallback": True})
    text = "cable:c1 down at 0.002s up at 0.3s"
    plain, cut = (asked(ring, EXCHANGE, OLD, *texts) for texts in ((), (text,)))
    pulled = {"kind": "cable", "id": 1, "time": 0.002, "until": 0.3}
    changed = played(engine, pack([plain]), [{"faults": [pulled]}, {"faults": []}])
    assert rows_of(changed[0]) == rows(cut)
    assert rows_of(changed[1]) == rows(plain)
    given = played(engine, pack([cut]))[0]
    assert rows_of(given) == rows(cut)
    assert (
        given["faults"]
        == changed[0]["faults"]
        == {
            "part": ["cable:c1"] * 2,
            "time": [0.002, 0.3],
            "isRepair": [0, 1],
        }
    )


@pytest.mark.parametrize(
    "texts",
    [
        ("cable:0 loss 0.02",),
        ("cable:1 corrupt 1e-5 from 1ms to 50ms", "nic:n2:eth0 down at 4ms for 30ms"),
        ("hub:0 reboot at 3ms for 40ms",),
    ],
)
def test_faults_strike_the_same_frames(engine: Path, texts: tuple[str, ...]) -> None:
    hub = compiled({"kind": "hub", "nodes": 5})
    run = asked(hub, EXCHANGE, OLD, *texts)
    assert rows_of(played(engine, pack([run]))[0]) == rows(run)


def test_a_run_that_cannot_finish_says_why(engine: Path) -> None:
    run = asked(compiled({"kind": "ring", "shape": [4]}), EXCHANGE, OLD)
    pulled = {"kind": "node", "id": 2, "time": 0.001}
    died, whole = played(engine, pack([run]), [{"faults": [pulled]}, {}])
    with pytest.raises(RunError) as error:
        rows(replace(run, faults=faults.parse(["node:n2 down at 0.001s"], run.network)))
    assert error.value.message.startswith(f"{died['trouble']}; the run has faults")
    assert rows_of(whole) == rows(run), "the engine goes on"


def test_a_run_that_becomes_too_long_is_ended(
    engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The limit ends a run at its next poll, every 4096 events.
    monkeypatch.setattr(playing, "MOST_HOPS", 20_000)
    ring = compiled({"kind": "ring", "shape": [4]})
    runs = [asked(ring, workloads.Shift(size_bytes=size), OLD) for size in (10_000, 10**12)]
    short, long = played(engine, pack(runs), [{"program": place} for place in (0, 1)])
    assert rows_of(short) == rows(runs[0])
    assert "more than 20,000 frames on wires" in long["trouble"]
    assert long["trouble"].endswith(". Choose a smaller size, or undo the changes")


def test_a_seed_that_places_ranks_is_not_changed(engine: Path) -> None:
    ring = compiled({"kind": "ring", "shape": [6]})
    run = replace(asked(ring, EXCHANGE, OLD), placement="random")
    same, other = played(engine, pack([run]), [{"seed": SEED}, {"seed": SEED + 1}])
    assert rows_of(same) == rows(run)
    assert other["trouble"].startswith("The seed places the ranks")
