"""Networks whose parts no cable joins: one finding, whatever the number of pairs.

The parts are lines of nodes of several sizes, in every family of addresses.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from linkwright.design.cluster import Cluster
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import Severity, check, plan


def islands(sizes: list[int], **sections: Any) -> Network:
    """Return lines of nodes, each line an island: p0 - p1 - p2, q0 - q1 and so on."""
    nodes: dict[str, Mapping[str, Any]] = {}
    cables = []
    for island, size in zip("pqrstuvw", sizes, strict=False):
        names = [f"{island}{node}" for node in range(size)]
        for place, name in enumerate(names):
            ends = [f"e{port}" for port in (0, 1) if 0 <= place + port - 1 < size - 1]
            nodes[name] = {"nics": dict.fromkeys(ends)}
        cables += [[f"{a}:e1", f"{b}:e0"] for a, b in pairwise(names)]
    topology = {"kind": "custom", "nodes": nodes, "cables": cables}
    parts = {"catalogue": "ethernet-2026", "node": "server"}
    return compile_network(Cluster.from_fields({"topology": topology, "parts": parts, **sections}))


@pytest.mark.parametrize(
    "sections",
    [
        {},
        {"routing": {"fallback": True}},
        {"addressing": {"ipv4": True, "ipv6": True}},
        {"addressing": {"scheme": "per-segment", "identities": "interface"}},
    ],
)
@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ([2, 2], "the 2 parts of the network: p0, p1; q0, q1"),
        ([3, 2, 6], "the 3 parts of the network: p0, p1, p2; q0, q1; r0, r1, r2, r3 and 2 more"),
        ([6, 2], "the 2 parts of the network: p0, p1, p2, p3 and 2 more; q0, q1"),
        ([2] * 6, "6 parts of the network: p0, p1; q0, q1; r0, r1; s0, s1; and 2 more"),
    ],
)
def test_islands_are_one_error(sizes: list[int], words: str, sections: dict[str, Any]) -> None:
    errors = [one for one in check(islands(sizes, **sections)) if one.severity is Severity.ERROR]
    assert [one.rule for one in errors] == ["islands"]
    assert words in errors[0].reason
    assert errors[0].fix


def test_a_lost_pair_of_one_island_is_found_beside_them(tmp_path: Path) -> None:
    """The tables of a design's own lack a route within the first island."""
    lines = plan(islands([3, 2]))["routes.csv"].splitlines()
    kept = [line for line in lines if not line.startswith("p0,")]
    assert len(kept) < len(lines)
    (tmp_path / "routes.csv").write_text("\n".join(kept) + "\n")
    explicit = {"scheme": "explicit", "table": str(tmp_path / "routes.csv")}
    found = check(islands([3, 2], routing=explicit))
    rules = {one.rule for one in found if one.severity is Severity.ERROR}
    assert rules == {"islands", "unreachable"}
    places = [one.place for one in found if one.rule == "unreachable"]
    assert all(place.startswith("p0 to ") for place in places)


def test_one_piece_is_no_island() -> None:
    assert [one for one in check(islands([4])) if one.rule == "islands"] == []
