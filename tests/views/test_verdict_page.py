"""The page of `verify`: moves in their order, wrong cables in the drawing, names that stay text.

How it looks is tested in tests/live/test_plain_pages.py.
"""

from __future__ import annotations

import re

import pytest
from tests.as_built.planted import DESIGN, FAULTS
from tests.as_built.rendered import Rendered, facts_of, rendered
from tests.kinds import KINDS, network
from tests.views.html import SPITE, Page, outside_references
from tests.views.sample import manifest

from linkwright.views.verdict_page import verdict_page


def paged(facts: Rendered) -> str:
    return verdict_page(facts.verify(), manifest("linkwright", "verify"))


def with_faults(*names: str) -> Rendered:
    facts = rendered(DESIGN)
    for name in names:
        FAULTS[name].plant(facts)
    return facts


def test_moves_are_numbered_in_the_list_and_in_the_drawing() -> None:
    text = paged(with_faults("swapped cables", "20 of 40 Gb/s"))
    steps = re.findall(r"from <b>([^<]+)</b> to <b>([^<]+)</b>", text)
    assert steps == [("n1:eth0", "n0:eth0"), ("n0:eth0", "n1:eth0")]
    badges = re.findall(r'class="badge (\w+)"><title>move (\d): [a-z ]+ (\S+)</title>', text)
    assert sorted(badges) == [
        ("enters", "1", "n0:eth0"),
        ("enters", "2", "n1:eth0"),
        ("leaves", "1", "n1:eth0"),
        ("leaves", "2", "n0:eth0"),
    ]
    assert len(re.findall(r'<path class="cable absent"', text)) == 2
    assert len(re.findall(r'<path class="cable misplaced"', text)) == 2
    assert 'id="moves"' in text


def test_a_missing_cable_has_no_moves() -> None:
    text = paged(with_faults("missing cable"))
    assert len(re.findall(r'<path class="cable absent"', text)) == 1
    assert 'id="moves"' not in text


@pytest.mark.parametrize("kind", KINDS)
def test_a_clean_cluster_has_no_red_cable(kind: str) -> None:
    text = paged(facts_of(network(kind)))
    assert not re.findall(r'class="cable[^"]* (?:absent|misplaced|doubted)', text)
    assert "All machines are as planned." in text
    assert outside_references(text) == []


def test_texts_of_machines_stay_text() -> None:
    facts = with_faults("MTU")
    facts.given["machines"].append({"name": SPITE[:200], "hostname": SPITE})
    facts.machine("n0")["settings"]["environment"]["UCX_NET_DEVICES"] = SPITE
    facts.machine("n1")["names"]["n2"] = [SPITE]
    text = paged(facts)
    assert Page(text).scripts == []
    assert Page(text).all("img") == []
    assert outside_references(text) == []
    assert "UCX_NET_DEVICES" in text
