"""The page: complete, free of outside references, and safe against whatever a file says.

What a browser makes of it is in tests/live.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.views.html import SPITE, Page, outside_references
from tests.views.sample import comparison, manifest, of_designs, of_draws

from linkwright.comparison.result import Measured
from linkwright.design.cluster import Cluster
from linkwright.plan import path_model, properties
from linkwright.results import Result
from linkwright.views.columns import comparison_columns
from linkwright.views.report import comparison_page

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "python" / "linkwright" / "views" / "assets"


@pytest.fixture(scope="module")
def page() -> str:
    return comparison_page(comparison(), manifest("linkwright", "compare"))


def test_every_architecture_has_a_row_and_a_drawing(page: str) -> None:
    table = page.partition('<table class="sortable">')[2].partition("</table>")[0]
    names = re.findall(r'<th scope="row"><svg.*?</svg>([^<]+)</th>', table)
    assert names == [
        "hub", "switch", "torus 4x4", "tree", "p-mesh 4x4", "direct",
    ], "fastest first, without a rank last"  # fmt: skip
    assert page.count('<svg class="topology"') == 6


def test_every_chart_has_its_place_its_data_and_its_numbers(page: str) -> None:
    parsed = Page(page)
    data = json.loads(parsed.scripts[1])
    places = [one["id"] for one in parsed.all("div") if one.get("class") == "chart"]
    assert [chart["id"] for chart in data] == places
    assert {"curve-latency", "curve-throughput", "bar-broadcast-time", "bar-barrier-time"} <= set(
        places
    )
    assert page.count("<summary>Numbers</summary>") == len(places) - 1, "the table has the costs"


def test_the_best_of_a_column_is_marked_among_networks_of_that_size(page: str) -> None:
    row = r'<tr data-network="(\d+)"( data-smaller)?.*?</tr>'
    table = page.partition('<table class="sortable">')[2].partition("</table>")[0]
    rows = re.finditer(row, table, re.DOTALL)
    best = {int(one[1]): one[0].count('class="number best"') for one in rows if one[2] is None}
    assert set(best) == {1, 2, 3, 4, 5}, "direct has two nodes and does not compete"
    assert best[1] > 0, "a hub is the cheapest"
    cheapest = page.partition('<tr data-network="1">')[2].partition("</tr>")[0]
    assert '<td class="number best" data-value="80' in cheapest


def test_the_best_outcome_of_failures_cuts_the_fewest_nodes_off(page: str) -> None:
    cells = re.findall(r'<td class="(number[^"]*)"[^>]*>\s*([\d.]+ / [\d.]+ / [\d.]+)\s*<', page)
    best = [text for kind, text in cells if "best" in kind]
    assert ("number", "10.3 / 0 / 89.7") in cells, "the tree heals most, and cuts off most"
    assert best == ["0 / 100 / 0"]


def test_the_answer_names_the_cheapest_the_fastest_and_the_price_of_a_switch(page: str) -> None:
    answer = page.partition('id="answer"')[2].partition("</section>")[0]
    sentences = re.findall(r"<li>(.*?)</li>", answer)
    mended = "None heals by itself; cheapest that new tables mend after any single failure"
    assert sentences == [
        f"{mended}: torus 4x4, 130 USD per node.",
        "Fastest: hub, 1.1 ms per broadcast at 85 USD per node.",
        "A switch costs 100 USD more per node: switch beside hub.",
    ]


def test_a_comparison_of_one_design_has_nothing_to_rank() -> None:
    row = comparison(4).architectures[1]
    text = comparison_page(comparison(4, architectures=(row,)), manifest())
    assert 'id="answer"' not in text
    assert 'id="cost-time"' not in text
    assert "first. Every network" not in text
    assert '<form id="choice" class="card" aria-label="Networks shown" hidden>' in text


def bar_charts(text: str) -> list[dict[str, Any]]:
    """Return the charts of bars in a page."""
    charts: list[dict[str, Any]] = json.loads(Page(text).scripts[1])
    return [one for one in charts if one.get("y", {}).get("places")]


def test_bars_begin_with_the_best() -> None:
    charts = bar_charts(comparison_page(comparison(), manifest()))
    bars = {one["id"]: one["series"][0]["values"] for one in charts}
    *ranked, _ = bars["bar-broadcast-time"]
    assert ranked == sorted(ranked)
    *ranked, _ = bars["bar-ping-pong-throughput"]
    assert ranked == sorted(ranked, reverse=True)


def test_a_network_of_two_nodes_has_no_rank_among_those_of_sixteen() -> None:
    for chart in bar_charts(comparison_page(comparison(), manifest())):
        assert chart["y"]["places"][-1] == "direct"
        assert chart["note"].endswith("Not ranked, with fewer nodes: direct.")
    for chart in bar_charts(comparison_page(comparison(2), manifest())):
        assert "Not ranked" not in chart["note"]


def test_latency_is_that_of_the_smallest_message_in_bars_and_table() -> None:
    def held(one: Measured) -> Measured:
        rows = [
            replace(row, value=row.value / 2) if row.parameters.get("size_bytes") == 4096 else row
            for row in one.result.rows()
        ]
        return replace(one, result=Result.from_rows(rows))

    first, second = comparison(4).architectures[:2]
    second = replace(second, measured=tuple(map(held, second.measured)))
    found = comparison(4, architectures=(first, second))
    assert second.figures_of("ping-pong")["latency"] == second.latency_s.best
    charts = {one["id"]: one["series"][0] for one in bar_charts(comparison_page(found, manifest()))}
    assert second.latency_s.best in charts["bar-ping-pong-latency"]["values"]


def test_a_range_is_judged_by_its_worst_pair() -> None:
    [torus] = [row for row in comparison().architectures if row.name == "torus"]
    columns = {one.heading: one for one in comparison_columns(comparison())}
    worst_s = torus.latency_s.worst
    assert worst_s == 2 * torus.latency_s.best
    assert columns["latency by ping-pong"].cell(torus).value == pytest.approx(1e6 * worst_s)
    cell = columns["bandwidth by ping-pong"].cell(torus)
    assert cell.value == pytest.approx(1e-6 * torus.bandwidth_Bps.worst)


def test_values_that_read_alike_are_none_of_them_best() -> None:
    first, second, third = comparison(4).architectures[1:4]
    third = replace(third, measured=first.measured)
    text = comparison_page(comparison(4, architectures=(first, second, third)), manifest())
    columns = comparison_columns(comparison(4))
    at = [one.heading for one in columns].index("barrier")
    table = text.partition('<table class="sortable">')[2].partition("</table>")[0]
    rows = re.findall(r'<tr data-network=".*?</tr>', table, re.DOTALL)
    cells = [re.findall(r'<td class="(number[^"]*)"', row) for row in rows]
    assert [row[at] for row in cells] == ["number"] * 3
    assert all(sum("best" in row[column] for row in cells) <= 1 for column in range(len(columns)))


def test_costs_and_times_of_each_network_are_in_the_chart_of_both() -> None:
    chart = json.loads(Page(comparison_page(comparison(), manifest())).scripts[1])[0]
    assert chart["kind"] == "cost"
    assert [one["name"] for one in chart["durations"]] == [
        "Broadcast: time", "Barrier: time", "Ping-pong: latency",
    ]  # fmt: skip
    assert chart["is_smaller"] == [True, False, False, False, False, False]
    latency = chart["durations"][2]["values"]
    assert latency[3] == pytest.approx(2 * 1.3 * 0.0001001), "the worst pair counts"
    assert chart["prices"][0]["values"][1:3] == [80, 180]


def test_curves_have_the_farthest_pair_dashed() -> None:
    chart = json.loads(Page(comparison_page(comparison(), manifest())).scripts[1])[1]
    assert [one["name"] for one in chart["series"] if one["is_dashed"]] == ["torus 4x4, farthest"]
    assert chart["series"][0]["x"] == [1, 4096, 65536]


def test_bars_of_draws_have_whiskers() -> None:
    text = comparison_page(of_draws(), manifest())
    charts = bar_charts(text)
    assert charts
    for chart in charts:
        [bars] = chart["series"]
        ends = zip(bars["low"], bars["values"], bars["high"], strict=True)
        assert all(low < value < high for low, value, high in ends)
        assert "90 % interval of 2 draws" in chart["note"]
    curve = next(one for one in json.loads(Page(text).scripts[1]) if one["id"] == "curve-latency")
    assert curve["series"][0]["x"] == [1, 4096, 65536]
    assert curve["series"][0]["y"][0] == pytest.approx(1.05 * 0.0001001)
    assert text.count("<small>") == 6 * 4
    assert "<dt>seeds</dt><dd>1 to 2</dd>" in text


def test_a_page_without_draws_has_no_whiskers(page: str) -> None:
    data = Page(page).scripts[1]
    assert '"low"' not in data
    assert "Whiskers" not in data
    assert "<small>" not in page


def test_both_costs_prices_with_dates_findings_and_provenance(page: str) -> None:
    for expected in (
        "16 × NIC (30) + 16 × switch port (150)",
        "180 USD",
        "185 USD",
        "1998-04-01",
        "[PMESH-1998]",
        "needs 15 ports per node, &#39;pentium-pro-200&#39; has slots for 5",
        "command: linkwright compare",
        "calibration: some-hosts",
        "torus-4x4",
    ):
        assert expected in page


def test_nothing_is_fetched_from_anywhere(page: str) -> None:
    assert outside_references(page) == []


def test_what_a_design_says_stays_text() -> None:
    design = Cluster.from_fields({"name": SPITE, "topology": {"kind": "switch", "nodes": 3}})
    text = comparison_page(of_designs(design), manifest("linkwright", SPITE))
    clean = comparison_page(of_designs(design.model_copy(update={"name": "s"})), manifest())
    assert len(Page(text).all("script")) == len(Page(clean).all("script"))
    assert not Page(text).all("img")
    assert "{{ 7 * 7 }}" in text
    assert bar_charts(text)[0]["y"]["places"] == [SPITE]


def test_what_was_left_out_is_listed_with_the_reason() -> None:
    text = comparison_page(comparison(101), manifest())
    listed = text.partition('id="left-out"')[2].partition("</tbody>")[0]
    assert '<th scope="row">switch</th>' in listed
    assert "<b>Cannot be built:</b> switch-101 needs 101 ports" in listed
    assert "the part for &#39;switch&#39; has at most 100" in listed
    drawn = text.partition('<table class="sortable">')[2].partition("</tbody>")[0]
    assert "switch" not in re.findall(r"</svg>([^<]+)</th>", drawn)
    assert 'id="left-out"' not in comparison_page(comparison(4), manifest())


def test_chosen_parts_are_named() -> None:
    rows = comparison(4).architectures
    chosen = replace(rows[1], chosen_parts={"switch": "switch-10g-24"})
    text = comparison_page(comparison(4, architectures=(rows[0], chosen)), manifest())
    assert "hub: parts chosen to fit: switch switch-10g-24" in text


def test_the_page_says_where_latency_and_bandwidth_come_from(page: str) -> None:
    assert "latency by ping-pong" in page
    rows = tuple(
        replace(row, measured=(), properties=properties(row.network, path_model()))
        for row in comparison(4).architectures
    )
    text = comparison_page(comparison(4, architectures=rows, workloads=()), manifest())
    assert "latency by path model" in text
    assert "bandwidth by path model" in text


def test_the_same_comparison_gives_the_same_page() -> None:
    pages = {comparison_page(comparison(), manifest()) for _ in range(2)}
    assert len(pages) == 1


@pytest.mark.parametrize("name", ["report.js", "check.js"])
def test_a_bundle_cannot_end_its_script_element(name: str) -> None:
    assert "</script" not in (ASSETS / name).read_text().lower()
    assert "<!--" not in (ASSETS / name).read_text()


@pytest.mark.parametrize(
    "holder",
    ["The Apache Software Foundation", "Baidu Inc.", "Mike Bostock", "Microsoft Corporation"],
)
def test_the_notices_of_bundled_libraries_are_in_the_script(holder: str) -> None:
    assert holder in (ASSETS / "report.js").read_text()
