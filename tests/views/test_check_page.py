"""The page of a check: what is written into it, and that names from a design stay text.

What a browser makes of it is in tests/live.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.views.html import SPITE, Page, outside_references
from tests.views.sample import manifest, network

from linkwright.errors import UsageError
from linkwright.network import Network
from linkwright.plan import Finding, Severity, check, survival
from linkwright.views.check_page import MOST_NODES, check_page
from linkwright.views.packed import packed


def page_of(built: Network) -> str:
    return check_page(built, check(built), survival(built), manifest("linkwright", "check"))


def data_of(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Page(text).scripts[1])
    return data


def unpacked(column: dict[str, Any]) -> list[int]:
    values = np.frombuffer(b64decode(column["data"]), dtype=f"<u{column['bytes']}")
    return [int(value) + column["least"] for value in values]


@pytest.mark.parametrize(
    ("values", "size"),
    [([], 1), ([7], 1), ([-2, 253], 1), ([-2, 254], 2), ([0, 65536], 4), ([[1, 2], [3, 4]], 1)],
)
def test_integers_are_packed_into_the_fewest_bytes(values: list[Any], size: int) -> None:
    column = packed(values)
    assert column["bytes"] == size
    assert unpacked(column) == np.ravel(values).tolist()


def test_the_routes_of_all_nodes_are_in_the_page() -> None:
    built = network("torus", shape=[3, 3])
    data = data_of(page_of(built))
    ports, via = unpacked(data["ways"]["port"]), unpacked(data["ways"]["via"])
    start = unpacked(data["port_start"])
    for node, address in ((0, 4), (3, 8), (8, 0)):
        (_, _, out), (next_node, into, _), *_ = built.core.path(
            node, int(built.addresses.identity[address])
        )
        assert ports[address * 9 + node] == out
        assert via[address * 9 + node] == start[next_node] + into
    assert [ports[node * 9 + node] for node in range(9)] == [-2] * 9


def test_the_proof_is_in_the_page() -> None:
    built = network("p-mesh", shape=[3, 3])
    data, proof = data_of(page_of(built)), survival(built)
    assert data["failures"]["names"] == [toll.name for toll in proof.tolls]
    assert unpacked(data["tolls"]["cut_off"]) == [toll.n_cut_off for toll in proof.tolls]
    assert unpacked(data["tolls"]["worst_extra_hops"]) == [
        toll.worst_extra_hops for toll in proof.tolls
    ]


def test_of_many_failures_the_worst_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwright.views.check_page.MOST_ROWS", 4)
    built = network("tree", nodes=16)
    proof = survival(built)
    text = check_page(built, [], proof, manifest())
    assert f"Of {len(proof.tolls)} failures\nthese 4 cost most." in text
    cut_off = sorted((toll.n_cut_off for toll in proof.tolls), reverse=True)
    assert unpacked(data_of(text)["tolls"]["cut_off"]) == cut_off[:4]


def test_without_a_proof_there_is_no_table() -> None:
    text = check_page(network("direct"), [], None, manifest())
    assert 'id="tolls"' not in text
    assert data_of(text)["failures"]["names"] == []


def test_findings_are_shown() -> None:
    built = network("direct")
    finding = Finding(Severity.WARNING, "n0", "rule", "too <warm>", "open a window")
    text = check_page(built, [finding], None, manifest("linkwright"))
    assert "too &lt;warm&gt;" in text
    assert "Remedy: open a window." in text


def test_nothing_is_fetched_from_anywhere() -> None:
    assert outside_references(page_of(network("tree", nodes=16))) == []


def test_what_a_design_says_stays_text() -> None:
    built = network("switch", nodes=3)
    names = tuple(f"{name}{SPITE}" for name in built.device_names)
    parts = {role: part.model_copy(update={"key": SPITE}) for role, part in built.parts.items()}
    spiteful = replace(built, name=SPITE, device_names=names, parts=parts)
    text, clean = page_of(spiteful), page_of(built)
    assert len(Page(text).all("script")) == len(Page(clean).all("script"))
    assert not Page(text).all("img")
    assert data_of(text)["names"] == list(names)
    assert data_of(text)["parts"] == [SPITE] * 4


def test_a_network_too_large_for_a_page_is_refused() -> None:
    pair = network("direct")
    built = replace(pair, wiring=replace(pair.wiring, n_nodes=MOST_NODES + 1))
    with pytest.raises(UsageError, match=f"takes {MOST_NODES} nodes at most"):
        check_page(built, [], None, manifest())


def test_the_page_of_a_large_network_stays_small() -> None:
    text = page_of(network("p-mesh", shape=[12, 12]))
    assert len(text) < 1_000_000
    assert len(re.findall(r'data-device="', text)) == 144 + 24


def test_the_same_network_gives_the_same_page() -> None:
    assert len({page_of(network("ring", shape=[3])) for _ in range(2)}) == 1
