"""The page of a check: what is written into it, and that names from a design stay text.

What a browser makes of it is in tests/live.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.views.html import SPITE, Page, outside_references
from tests.views.sample import manifest, network

from linkwright.errors import UsageError
from linkwright.network import Network
from linkwright.plan import Finding, Severity, check, rerouting
from linkwright.views.check_page import MOST_NODES, SHOWN, check_page
from linkwright.views.packed import packed


def page_of(built: Network) -> str:
    return check_page(built, check(built), rerouting(built), manifest("linkwright", "check"))


def data_of(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Page(text).scripts[1])
    return data


def unpacked(text: str) -> list[list[int]]:
    """Return the columns of a text that `packed` made."""
    data, found = zlib.decompress(b64decode(text)), []
    while data:
        n, least, size = np.frombuffer(data, dtype="<i4", count=3).tolist()
        values = np.frombuffer(data, dtype=f"<u{size}", count=n, offset=12)
        found.append([int(value) + least for value in values])
        data = data[12 + 4 * -(-n * size // 4) :]
    return found


COLUMNS: list[list[Any]] = [
    [], [7], [-2, 253], [-2, 254], [0, 65536], [1, 2, 3, 4, 5], [2**32 - 1, 2**31]
]  # fmt: skip


@pytest.mark.parametrize("column", COLUMNS)
def test_integers_come_back_as_they_were_packed(column: list[Any]) -> None:
    assert unpacked(packed([column])) == [column]


def test_columns_come_back_in_turn() -> None:
    assert unpacked(packed(COLUMNS[:-1])) == COLUMNS[:-1]
    assert unpacked(packed([[[1, 2], [3, 4]]])) == [[1, 2, 3, 4]]


def test_the_routes_of_all_nodes_are_in_the_page() -> None:
    built = network("torus", shape=[3, 3])
    columns = unpacked(data_of(page_of(built))["network"])
    (n_nodes, _), start, _, _, _, _, owner, n_routes, port, via, *_ = columns
    first = np.cumsum([0, *n_routes])
    assert (n_nodes, owner) == (9, list(range(9)))
    for node, address in ((0, 4), (3, 8), (8, 0)):
        (_, _, out), (next_node, into, _), *_ = built.core.path(
            node, int(built.addresses.identity[address])
        )
        best = first[address * 9 + node]
        assert port[best] == out
        assert via[best] == start[next_node] + into
    assert [n_routes[node * 9 + node] for node in range(9)] == [0] * 9


def test_the_proof_is_in_the_page() -> None:
    built = network("p-mesh", shape=[3, 3], lines_per_switch=1)
    failures, proof = data_of(page_of(built))["failures"], rerouting(built)
    assert failures["names"] == [impact.name for impact in proof.impacts]
    _, _, _, *counts = unpacked(failures["columns"])
    for name, column in zip(SHOWN, counts, strict=True):
        assert column == [getattr(impact, name) for impact in proof.impacts]


def test_of_many_failures_the_worst_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwright.views.check_page.MOST_ROWS", 4)
    built = network("tree", nodes=16)
    proof = rerouting(built)
    text = check_page(built, [], proof, manifest())
    assert f"Of {len(proof.impacts)} failures\nthese 4 cost most." in text
    columns = unpacked(data_of(text)["failures"]["columns"])
    disconnected = sorted((impact.n_disconnected for impact in proof.impacts), reverse=True)
    assert columns[3 + SHOWN.index("n_disconnected")] == disconnected[:4]


def test_without_a_proof_there_is_no_table() -> None:
    text = check_page(network("direct"), [], None, manifest())
    assert 'id="impacts"' not in text
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
    text = page_of(network("p-mesh", shape=[12, 12], lines_per_switch=1))
    assert len(text) < 500_000
    assert len(re.findall(r'data-device="', text)) == 144 + 24


def test_the_same_network_gives_the_same_page() -> None:
    assert len({page_of(network("ring", shape=[3])) for _ in range(2)}) == 1
