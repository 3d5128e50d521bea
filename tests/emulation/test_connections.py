"""Open connections on real kernels while cables are cut, and the neighbours that kernels learn.

The times are bounded by the promise of docs/design/fallback-routes.md alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.exporters.machines import SHARED

from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network
from linkwright.plan.failures import Failure
from linkwright.verification import connections
from linkwright.verification.connections import Cuts, on_wires, sampled
from linkwright.verification.failures import FailureTrial

BOTH = (
    "addressing: {ipv4: true, ipv6: true}\n"
    "parts: {catalogue: ethernet-2026, node: {max_nics: null}}\n"
)
DESIGNS = {
    "ring": "topology: {kind: ring, shape: [3]}\nrouting: {fallback: true}\n",
    "ring of six by interface": "topology: {kind: ring, shape: [6]}\n"
    "routing: {fallback: by-interface}\n",
    "torus": "topology: {kind: torus, shape: [3, 3]}\n"
    "routing: {scheme: shortest-path, fallback: true}\n",
    "p-mesh": "topology: {kind: p-mesh, shape: [3, 3]}\nrouting: {fallback: true}\n",
}


def trial(text: str, **how: bool) -> FailureTrial:
    cluster = Cluster.parse(f"name: t\n{text}")
    return FailureTrial.emulated(cluster, compile_network(cluster), **how)


@pytest.mark.parametrize("name", DESIGNS)
def test_open_connections_survive_cuts_in_both_families(name: str) -> None:
    cuts = Cuts()
    assert list(on_wires(trial(DESIGNS[name] + BOTH), cuts)) == []
    assert 0 < cuts.n_cuts <= cuts.n_cables
    assert cuts.n_connections >= 2 * cuts.n_cuts


@pytest.mark.parametrize(
    ("idle", "most", "expected"),
    [
        ([], 3, [0, 4, 9]),
        ([0, 4, 9], 3, [1, 5, 2]),
        ([9], 3, [0, 4, 1]),
        (range(1, 10), 3, [0]),
        (range(10), 3, []),
        ([4], 99, [0, 1, 2, 3, 5, 6, 7, 8, 9]),
    ],
)
def test_another_cable_is_cut_where_one_concerns_no_pair(
    idle: Sequence[int], most: int, expected: list[int]
) -> None:
    """The idle ones of ten cables carry packets of no pair that survives the cut."""
    cables = [Failure("cable", f"c{number}", ()) for number in range(10)]
    unused = {f"c{number}" for number in idle}
    asked: list[str] = []

    def pairs_of(cable: Failure) -> list[tuple[int, int]]:
        asked.append(cable.name)
        return [] if cable.name in unused else [(0, 1)]

    found = [int(cable.name[1:]) for cable, _ in sampled(cables, most, pairs_of)]
    assert found == expected
    assert len(asked) == len(set(asked)), "a proof is not made twice"


def test_without_marks_sockets_of_ipv6_keep_their_routes(monkeypatch: pytest.MonkeyPatch) -> None:
    # Records that never come are waited for, at each of three cables, twice.
    monkeypatch.setattr(connections, "WAITED_S", 1.2 * connections.PROMISED_S)
    found = list(on_wires(trial(DESIGNS["ring"] + BOTH, has_marks=False)))
    assert found
    assert all(one.kernels.startswith("IPv6") for one in found)
    assert {one.failure for one in found} == {"cable c0", "cable c1", "cable c2"}


def test_a_design_without_backup_routes_promises_nothing() -> None:
    cuts = Cuts()
    assert list(on_wires(trial("topology: {kind: ring, shape: [3]}\n" + BOTH), cuts)) == []
    assert cuts.n_cuts == 0


@pytest.mark.parametrize("family", ["", "addressing: {ipv4: true, ipv6: true}\n"])
def test_each_port_on_a_segment_answers_for_itself(family: str) -> None:
    up = trial(SHARED + family)
    assert up.kernels.learns_neighbours
    assert list(on_wires(up)) == []


def test_ports_answer_for_each_other_without_the_setting() -> None:
    up = trial(SHARED)
    for scope in ("all", "r0", "r1"):
        up.kernels.nodes.set(f"ipv4/conf/{scope}/arp_ignore", "0")
    found = [one for one in on_wires(up) if one.tables == "neighbours"]
    assert found
    assert all(one.proof[-3:] != one.kernels[-3:] for one in found)


def test_verify_learns_neighbours_when_asked(tmp_path: Path) -> None:
    design = tmp_path / "design.yaml"
    design.write_text("name: t\n" + DESIGNS["ring"] + BOTH)
    code = "from linkwright.cli import main; main()"
    words = ["emulate", str(design), "--verify", "--neighbours", "learned", "--failures", "none"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words, "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)
    assert (done.returncode, found["disagreements"]) == (0, [])
    assert found["n_cuts"] == found["n_cables"] == 3
    assert found["worst_s"] <= found["promised_s"] == 1
