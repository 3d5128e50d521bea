"""PMESH-1998: every printed number beside ours, corrected ones marked, and the rows that carry
them.
"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from linkwright.errors import UsageError
from linkwright.papers import PAPERS, Entry, Verdict, entries, reproduce
from linkwright.papers.clusters import network_of
from linkwright.plan.properties import bisection

ERRATA = (Path(__file__).parents[2] / "docs" / "errata.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", PAPERS["PMESH-1998"].tables)
def test_every_number_agrees_or_is_corrected(table: str) -> None:
    found = entries(f"PMESH-1998/{table}")
    assert found
    assert [entry for entry in found if entry.verdict is Verdict.DIFFERS] == []


def at(entry: Entry) -> tuple[str, str]:
    return entry.claim.row, entry.claim.metric


# Row, metric, the value that rounding to the printed digit must show.
SHOWN = [
    ("3", "direct", "cost_per_node", 30),
    ("3", "hub", "cost_per_node", 80),
    ("3", "switch", "cost_per_node", 180),
    ("3", "torus", "cost_per_node", 120),
    ("3", "tree", "cost_per_node", 597),
    ("3", "tree-one-uplink", "cost_per_node", 388),
    ("3", "p-mesh", "cost_per_node", 360),
    ("3", "direct", "latency_worst", 175e-6),
    ("3", "switch", "latency_worst", 180e-6),
    ("3", "tree", "latency_worst", 190e-6),
    ("3", "p-mesh", "latency_worst", 225e-6),
    ("3", "torus", "latency_worst", 295e-6),
    ("3", "torus", "bandwidth_worst", 4.0e6),
    ("3", "p-mesh", "bandwidth_worst", 6.0e6),
    ("3", "direct", "bisection_per_node", 12.5e6),
    ("3", "hub", "bisection_per_node", 0.8e6),
    ("3", "switch", "bisection_per_node", 9.4e6),
    ("3", "torus", "bisection_per_node", 12.5e6),
    ("3", "tree", "bisection_per_node", 10.4e6),
    ("3", "p-mesh", "bisection_per_node", 9.4e6),
    ("text", "tree", "nodes", 768),
    ("text", "tree", "gigabit_port_break_even", 1080),
    ("text", "p-mesh-24x24", "address_bits", 11),
]


@pytest.mark.parametrize(("table", "row", "metric", "shown"), SHOWN)
def test_ours_shows_the_right_number(table: str, row: str, metric: str, shown: float) -> None:
    found = entries(f"PMESH-1998/{table}")
    (entry,) = [one for one in found if at(one) == (row, metric)]
    assert round(entry.ours / entry.claim.digit) == round(shown / entry.claim.digit)


def test_corrections_are_those_of_the_errata_page() -> None:
    corrected = [one for one in entries("PMESH-1998") if one.verdict is Verdict.CORRECTED]
    assert {one.claim.erratum for one in corrected} >= {
        "full-mesh-bisection",
        "hub-bisection",
        "p-mesh-bisection",
        "p-mesh-route-rule",
        "p-mesh-switch-count",
        "torus-bisection",
        "torus-diameter",
    }
    known = set(re.findall(r'<a id="([^"]+)">', ERRATA))
    assert {one.claim.erratum for one in corrected} <= known
    assert all(one.claim.reason for one in corrected)


def test_a_wrong_value_is_seen() -> None:
    (hub,) = [one for one in entries("PMESH-1998/3") if at(one) == ("hub", "bisection_per_node")]
    assert hub.verdict is Verdict.CORRECTED
    assert hub.claim.printed is not None
    assert hub.claim.verdict(hub.claim.printed) is Verdict.DIFFERS


def test_the_leaves_backplane_would_bound_the_tree() -> None:
    bounded, free = (
        bisection(network_of("linkwright.papers.pmesh_1998", name))
        for name in ("tree-768-backplanes", "tree-768")
    )
    assert bounded.per_node_Bps < free.per_node_Bps


def comparisons_as_json() -> str:
    return reproduce("PMESH-1998/3").rows().to_json()


def test_rows_stand_in_pairs_of_printed_and_predicted() -> None:
    rows = reproduce("PMESH-1998/3").rows().rows()
    assert [row.origin for row in rows] == ["printed", "predicted"] * (len(rows) // 2)
    for printed, ours in zip(rows[::2], rows[1::2], strict=True):
        assert (printed.design, printed.metric, printed.unit) == (
            ours.design,
            ours.metric,
            ours.unit,
        )
        assert ours.parameters["verdict"] in {"agrees", "corrected"}
    assert comparisons_as_json() == comparisons_as_json()


@pytest.mark.parametrize("key", ["PMESH-1999", "PMESH-1998/4", ""])
def test_an_unknown_paper_or_table_is_a_usage_error(key: str) -> None:
    with pytest.raises(UsageError):
        reproduce(key)


def test_every_cluster_is_used() -> None:
    folder = resources.files("linkwright.papers.pmesh_1998") / "clusters"
    names = {entry.name.removesuffix(".yaml") for entry in folder.iterdir()}
    shown = {one.network.name for one in entries("PMESH-1998") if one.network}
    assert names == shown | {"tree-768-backplanes"}
