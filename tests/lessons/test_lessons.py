"""Lessons: their scenes run, their charts show what the scenes play, and what their texts claim
holds for the figures.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

from linkwright.engines import observe
from linkwright.errors import UsageError
from linkwright.lessons import LESSONS, healing_ring, lesson_named
from linkwright.lessons.scene import network_of, value
from linkwright.lessons.sources import SOURCES
from linkwright.plan import rerouting
from linkwright.results import Result
from linkwright.views.chart import Chart

ROOT = Path(__file__).parents[2]
NAMES = list(LESSONS)


@cache
def results(name: str) -> dict[str, Result]:
    """Return the results of a lesson's scenes by key."""
    return {scene.key: observe(scene.run).result for scene in LESSONS[name].scenes}


@cache
def charts(name: str) -> tuple[Chart, ...]:
    """Return the charts of a lesson."""
    return tuple(LESSONS[name].charts(results(name)))


def figure(name: str, key: str, metric: str) -> float:
    """Return a figure of a scene."""
    return value(results(name)[key], metric)


def text(name: str) -> str:
    """Return the text of a lesson as it is written."""
    folder = resources.files("linkwright.views") / "templates" / "lessons"
    return (folder / f"{name}.html.j2").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_scene_has_a_figure_that_the_page_compares(name: str) -> None:
    for key, result in results(name).items():
        found = {row.metric for row in result.rows()} & set(LESSONS[name].metrics)
        assert len(found) >= 2, key


@pytest.mark.parametrize("name", NAMES)
def test_a_point_that_leads_to_a_scene_has_its_figure(name: str) -> None:
    linked = 0
    for chart in charts(name):
        links = [
            (curve, x, key) for curve in chart.curves for x, key in (curve.links or {}).items()
        ]
        for curve, x, key in links:
            y = curve.y[list(curve.x).index(x)]
            metrics = [row.value for row in results(name)[key].rows()]
            assert y in metrics, (curve.name, x, key)
            linked += 1
    assert linked or name == "capture-effect"


@pytest.mark.parametrize("name", NAMES)
def test_a_text_leads_to_every_scene_and_to_no_other_place(name: str) -> None:
    assert set(re.findall(r'href="#([^"]+)"', " ".join(text(name).split()))) <= set(results(name))
    asked = re.findall(r'(?:figure|share)\(\s*"([^"]+)",\s*"([^"]+)"', text(name))
    assert asked
    for key, metric in asked:
        assert metric in LESSONS[name].metrics
        figure(name, key, metric)


@pytest.mark.parametrize("name", NAMES)
def test_sources_are_cited_and_listed(name: str) -> None:
    listed = (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
    cited = set(re.findall(r"[A-Z]+-[\d.-]*\d|LINUX", text(name)))
    for key in LESSONS[name].sources:
        assert key in SOURCES
        assert f"\n{key}\n: " in listed, key
        assert key in text(name), key
    assert cited <= set(LESSONS[name].sources)


def test_all_sources_are_used() -> None:
    assert set(SOURCES) == {key for name in NAMES for key in LESSONS[name].sources}


def test_an_unknown_lesson_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no lesson 'hubs'"):
        lesson_named("hubs")


def test_a_hub_collapses_between_eight_and_sixteen_stations() -> None:
    lesson = "hub-collapse"
    assert figure(lesson, "16-stations", "time") > 50 * figure(lesson, "8-stations", "time")
    assert figure(lesson, "8-stations", "timeouts") == 0
    assert figure(lesson, "16-stations", "frames_dropped") > 0
    assert figure(lesson, "16-on-a-switch", "time") < figure(lesson, "8-stations", "time")
    assert figure(lesson, "16-stations-at-50", "delivered") == 1
    assert 0.9 < figure(lesson, "16-stations-at-100", "delivered") < 1


def test_one_of_two_stations_captures_the_hub_for_milliseconds() -> None:
    [chart] = charts("capture-effect")
    first, second = ([b - a for a, b in zip(c.y, c.y[1:], strict=False)] for c in chart.curves)
    alone = sum(1 for a, b in zip(first, second, strict=True) if (a == 0) != (b == 0))
    assert alone > 0.8 * len(first)
    assert abs(sum(first) - sum(second)) < 0.05 * sum(first)
    tail = figure("capture-effect", "2-senders", "latency_p99")
    assert tail > 2 * figure("capture-effect", "2-senders", "latency")


def test_neighbours_do_better_on_a_large_torus_and_distance_costs_it_more() -> None:
    far, neighbours, _ = charts("torus-or-switch")
    torus, switch = far.curves
    assert torus.y[-1] > torus.y[0]
    assert switch.y[-1] == pytest.approx(switch.y[0])
    torus, switch = neighbours.curves
    assert torus.y[1] == pytest.approx(torus.y[-1], rel=0.01)
    assert torus.y[0] > switch.y[0]
    assert torus.y[-1] < switch.y[-1]


def test_small_messages_are_slower_than_larger_ones_where_the_timer_rings() -> None:
    [chart] = charts("delayed-acknowledgements")
    found = {curve.name: list(curve.y) for curve in chart.curves}
    assert found["Linux 2.0"][0] > 10 * found["Linux 2.0"][4]
    assert found["Linux 2.2"][0] > 10 * found["Linux 2.2"][4]
    assert found["Linux 6"] == sorted(found["Linux 6"])


def test_rings_from_five_nodes_on_heal_by_interface_alone() -> None:
    [chart] = charts("healing-ring")
    backup, by_interface = ([time_s < 0.01 for time_s in curve.y] for curve in chart.curves)
    assert backup == [n < 5 for n in chart.curves[0].x]
    assert all(by_interface)
    still_s = dict(zip(chart.curves[1].x, chart.curves[1].y, strict=True))
    assert max(still_s.values()) < 2 * still_s[5]


@pytest.mark.parametrize("n_nodes", healing_ring.RINGS)
@pytest.mark.parametrize("routes", healing_ring.FALLBACK)
def test_a_proof_of_every_pair_agrees_with_the_ring_that_heals(n_nodes: int, routes: str) -> None:
    proof = rerouting(network_of(healing_ring.design(n_nodes, routes)))
    if routes == healing_ring.BY_INTERFACE or n_nodes == 3:
        assert all(kind.n_by_itself == kind.n_failures for kind in proof.kinds)
    else:
        [cables] = [kind for kind in proof.kinds if kind.kind == "cable"]
        assert cables.n_by_itself == (2 if n_nodes == 4 else 0)


def test_a_bond_is_slower_than_a_wire_today_and_was_faster_in_1998() -> None:
    old, new = charts("bonds-and-order")
    # The smallest message ends with a tail that waits for a tick of the clock, sooner or later.
    assert all(two < one for one, two in zip(*(c.y[1:] for c in old.curves), strict=True))
    assert all(two > one for one, two in zip(*(c.y for c in new.curves), strict=True))
    assert figure("bonds-and-order", "2026-two-wires", "frames_dropped") == 0
    assert figure("bonds-and-order", "2026-two-wires", "retransmissions") > 0
