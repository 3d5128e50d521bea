"""Four real hosts with a swapped pair of cables, by the command over ssh: the moves that it lists,
carried out, make the cluster clean.

Hosts are namespaces with an sshd each; they load the scripts of the plan.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.machines.real_hosts import RealHosts, missing, real_hosts

from linkwright.cli import run

REASON = missing()
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(REASON), reason=str(REASON))]
DESIGN = """
name: boxes
topology: {kind: ring, shape: [4]}
parts: {catalogue: ethernet-2026, node: {slots: null}, nic: nic-10g-rj45, cable: cat-6a}
addressing: {scheme: per-link, ipv4: 10.99.0.0/24}
routing: {fallback: true}
"""
NAMES = ("n0", "n1", "n2", "n3")
SWAPPED = [
    ("n0", "eth0", "n3", "eth1"),
    ("n1", "eth0", "n2", "eth1"),
    ("n2", "eth0", "n1", "eth1"),
    ("n3", "eth0", "n0", "eth1"),
]
"""The ring, but the cables from n0 and n2 are in each other's port at their far ends."""


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHosts]:
    with real_hosts(tmp_path_factory.mktemp("hosts"), NAMES, SWAPPED) as found:
        yield found


@pytest.fixture
def boxes(up: RealHosts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RealHosts:
    monkeypatch.setenv("PATH", f"{up.client(tmp_path)}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boxes.yaml").write_text(DESIGN)
    assert run(["plan", "boxes.yaml", "-o", "plan", "--for", "ip", "-q"]) == 0
    for name in NAMES:
        script = Path(f"plan/nodes/{name}/ip/up.sh")
        # The kernel of the tests may have no dummy interfaces.
        script.write_text(script.read_text().replace("made id0 dummy", "made id0 ifb"))
        load(up, name)
    return up


def load(hosts: RealHosts, name: str) -> None:
    """Give a host its part of the plan again."""
    journal = f"LINKWRIGHT_JOURNAL={Path.cwd()}/journal-{name}"
    for script in ("undo.sh", "up.sh"):
        hosts.run(name, "env", journal, "sh", f"plan/nodes/{name}/ip/{script}")


def verified() -> tuple[int, dict[str, Any]]:
    words = ["--hosts", ",".join(NAMES), "--probe", "-q", "-o", "found.json"]
    code = run(["verify", "boxes.yaml", *words])
    return code, json.loads(Path("found.json").read_text())


def test_the_moves_mend_swapped_cables(boxes: RealHosts) -> None:
    code, found = verified()
    assert code == 1
    kinds = [one["kind"] for one in found["findings"]]
    assert kinds == ["swapped-cable", "swapped-cable"], found
    assert len(found["moves"]) == 2
    mended = moved([[cable[:2], cable[2:]] for cable in SWAPPED], found["moves"])
    for cable, ends in zip(SWAPPED, mended, strict=True):
        if [cable[:2], cable[2:]] != ends:
            boxes.unplug(*cable[:2])
    for cable, ends in zip(SWAPPED, mended, strict=True):
        if [cable[:2], cable[2:]] != ends:
            boxes.plug(*ends[0], *ends[1])
    for name in NAMES:
        load(boxes, name)
    assert verified() == (0, {"findings": [], "moves": [], "not_checked": found["not_checked"]})


def moved(
    cables: list[list[tuple[str, ...]]], moves: list[dict[str, str]]
) -> list[list[tuple[str, ...]]]:
    """Return cables after moves, each of which takes one plug from its port to another."""
    to = {
        (one["node"], one["from_port"]): tuple(
            one["to_port"].split(":") if ":" in one["to_port"] else (one["node"], one["to_port"])
        )
        for one in moves
    }
    return [[to.get((end[0], end[1]), end) for end in cable] for cable in cables]
