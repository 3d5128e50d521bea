"""Four real hosts with a swapped pair of cables, by the command over ssh: the moves that it lists,
carried out, make the cluster clean.

Hosts are namespaces with an sshd each; they load the scripts of the plan.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.machines.boxes import NAMES, load, plan_and_load
from tests.machines.real_hosts import RealHosts, missing

from linkwright.cli import run

REASON = missing()
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(REASON), reason=str(REASON))]
CABLES = [
    ("n0", "eth0", "n3", "eth1"),
    ("n1", "eth0", "n2", "eth1"),
    ("n2", "eth0", "n1", "eth1"),
    ("n3", "eth0", "n0", "eth1"),
]
"""The ring, but the cables from n0 and n2 are in each other's port at their far ends."""


def verified() -> tuple[int, dict[str, Any]]:
    words = ["--hosts", ",".join(NAMES), "--probe", "-q", "-o", "found.json"]
    code = run(["verify", "boxes.yaml", *words])
    return code, json.loads(Path("found.json").read_text())


def test_the_moves_mend_swapped_cables(reached: RealHosts) -> None:
    plan_and_load(reached)
    code, found = verified()
    assert code == 1
    kinds = [one["kind"] for one in found["findings"]]
    assert kinds == ["swapped-cable", "swapped-cable"], found
    assert len(found["moves"]) == 2
    mended = moved([[cable[:2], cable[2:]] for cable in CABLES], found["moves"])
    for cable, ends in zip(CABLES, mended, strict=True):
        if [cable[:2], cable[2:]] != ends:
            reached.unplug(*cable[:2])
    for cable, ends in zip(CABLES, mended, strict=True):
        if [cable[:2], cable[2:]] != ends:
            reached.plug(*ends[0], *ends[1])
    for name in NAMES:
        load(reached, name)
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
