"""Departures of the engines from each other: what is asked, what is said, what is drawn."""

from __future__ import annotations

import pytest

from linkwright import engines
from linkwright.agreement import agreement as study
from linkwright.agreement.agreement import Departure, agreement
from linkwright.views.agreement_plot import agreement_plot


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        study, "NETWORKS", {"cable": "{kind: direct}", "hub": "{kind: hub, nodes: 4}"}
    )
    monkeypatch.setattr(study, "LOADS", {"ping-pong": (1, 4096), "shift": (4096,)})


@pytest.mark.usefixtures("small")
def test_every_engine_is_set_beside_the_packet_engine_in_a_fixed_order() -> None:
    others = [engine for engine in engines.predictive() if engine != "packet"]
    departures = agreement("ideal-reno")
    asked = [(one.network, one.workload, one.size_bytes, one.engine) for one in departures]
    assert asked == [
        (network, workload, size, engine)
        for network in ("cable", "hub")
        for workload, size in (("ping-pong", 1), ("ping-pong", 4096), ("shift", 4096))
        for engine in others
    ]
    assert agreement("ideal-reno", n_jobs=1) == departures


@pytest.mark.usefixtures("small")
def test_a_message_alone_takes_the_same_time_in_every_engine() -> None:
    departures = agreement("ideal-reno")
    alone = [one for one in departures if one.workload == "ping-pong" and one.network == "cable"]
    assert alone
    assert all(abs(one.relative) < 1e-6 for one in alone)


def test_a_departure_is_what_the_engine_says_more() -> None:
    assert Departure("hub", "shift", 1, "flow", 3.0, 2.0).relative == 0.5
    assert Departure("hub", "shift", 1, "flow", 1.0, 2.0).relative == -0.5


def test_a_plot_has_a_panel_per_network_and_a_curve_per_workload_and_is_repeatable() -> None:
    departures = [
        Departure(network, workload, size, engine, 1.0 + size, 2.0)
        for network in ("a hub", "a torus")
        for workload in ("shift", "incast")
        for size in (1, 1024)
        for engine in ("flow", "analytic")
    ]
    svg = agreement_plot(departures, "flow").svg()
    assert svg.startswith("<?xml")
    assert "</svg>" in svg
    assert all(f"<!-- {text} -->" in svg for text in ("a hub", "a torus", "shift", "incast"))
    assert svg == agreement_plot(departures, "flow").svg()
