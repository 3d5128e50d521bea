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

import pytest
from tests.views.html import SPITE, Page, outside_references
from tests.views.sample import manifest, network

from linkwright.errors import UsageError
from linkwright.network import Network
from linkwright.plan import Finding, Severity, check, rerouting
from linkwright.views.check_page import MOST_NODES, SHOWN, check_page


def page_of(built: Network) -> str:
    return check_page(built, check(built), rerouting(built), manifest("linkwright", "check"))


def data_of(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Page(text).scripts[1])
    return data


def failures_of(text: str) -> dict[str, Any]:
    """Return the failures in a page."""
    found: dict[str, Any] = json.loads(zlib.decompress(b64decode(data_of(text)["failures"])))
    return found


def test_the_cabling_is_in_the_page() -> None:
    built = network("torus", shape=[3, 3])
    data = data_of(page_of(built))
    ends = [built.port_ids(end).tolist() for end in (built.wiring.cable_a, built.wiring.cable_b)]
    cabling = data["cabling"]
    assert (cabling["n_nodes"], data["owner"]) == (9, list(range(9)))
    assert [cabling["link_a"], cabling["link_b"]] == ends
    assert cabling["port_start"] == built.port_start.tolist()


def test_the_proof_is_in_the_page() -> None:
    built = network("p-mesh", shape=[3, 3], lines_per_switch=1)
    failures, proof = failures_of(page_of(built)), rerouting(built)
    assert failures["names"] == [impact.name for impact in proof.impacts]
    assert failures["start"][-1] == len(failures["part_kind"]) == len(failures["part_id"])
    assert list(failures["impacts"]) == list(SHOWN)
    for name, column in failures["impacts"].items():
        assert column == [getattr(impact, name) for impact in proof.impacts]


def test_of_many_failures_the_worst_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwright.views.check_page.MOST_ROWS", 4)
    built = network("tree", nodes=16)
    proof = rerouting(built)
    text = check_page(built, [], proof, manifest())
    assert f"Of {len(proof.impacts)} failures\nthese 4 cost most." in text
    impacts = failures_of(text)["impacts"]
    disconnected = sorted((impact.n_disconnected for impact in proof.impacts), reverse=True)
    assert impacts["n_disconnected"] == disconnected[:4]


def test_without_a_proof_there_is_no_table() -> None:
    text = check_page(network("direct"), [], None, manifest())
    assert 'id="impacts"' not in text
    assert failures_of(text)["names"] == []


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
