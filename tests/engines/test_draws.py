"""Runs with drawn constants of the hosts: the uncertainty of a prediction.

tests/calibrations/test_fit.py holds the shipped draws to their targets.
"""

from __future__ import annotations

import numpy as np
import pytest

import linkwright
from linkwright import calibrations, engines
from linkwright.calibrations import Calibration
from linkwright.errors import CapabilityError, UsageError
from linkwright.fit.drawing import DOUBLE, draw_factors
from linkwright.network import Network
from linkwright.results import Result, interval_of
from linkwright.workloads import PingPong, parse

HOSTS = calibrations.load("pentium-pro-200-linux-2.0")
ONE_BYTE = PingPong(size_bytes=1)


def network(topology: str) -> Network:
    text = f"{{topology: {topology}, parts: {{catalogue: whitney-1997}}}}"
    return linkwright.compile(linkwright.Cluster.parse(text))


PAIR = network("{kind: direct}")
HUB = network("{kind: hub, nodes: 4}")


def with_draws(draws: dict[str, tuple[float, ...]]) -> Calibration:
    return Calibration.model_validate(HOSTS.model_dump() | {"draws": draws})


def figures(result: Result) -> list[tuple[object, ...]]:
    rows = (row for row in result.reproducible() if row.metric != "peak_rss_bytes")
    return [(row.metric, row.value, row.seed, row.repeat) for row in rows]


def test_draws_without_any_width_give_the_rows_of_the_same_seeds() -> None:
    certain = with_draws({"host.send.us": (HOSTS.host.send.us,) * 3})
    workload = parse("all-to-all", {"size_bytes": "4096"})
    drawn = engines.run(HUB, workload, calibration=certain, seed=5, draws=3)
    plain = engines.run(HUB, workload, calibration=HOSTS, seed=5, repeats=3)
    assert figures(drawn) == figures(plain)


def test_every_row_has_its_draw_and_every_run_its_name() -> None:
    result = engines.run(PAIR, ONE_BYTE, seed=1, draws=2)
    latency = result.filter(metric="latency")
    assert latency.parameter("draw") == (1, 2)
    assert latency.column("seed") == (1, 2)
    assert len(set(latency.column("run"))) == 2
    assert "draw" not in engines.run(PAIR, ONE_BYTE).column("parameters")[0]
    assert set(latency.column("calibration")) == {HOSTS.name}
    (manifest,) = result.manifests
    assert manifest.hosts[HOSTS.name]["draws.host.send.us"]["values"] == HOSTS.draws["host.send.us"]
    assert any("draw 18 fitted constants" in one for one in result.remarks)


def test_fewer_draws_are_the_first_of_more() -> None:
    few = engines.run(PAIR, ONE_BYTE, engine="flow", draws=2).filter(metric="latency")
    many = engines.run(PAIR, ONE_BYTE, engine="flow", draws=4).filter(metric="latency")
    assert few.to_json() == Result.from_rows(many.rows()[:2]).to_json()


@pytest.mark.parametrize("engine", ["analytic", "flow", "packet"])
def test_a_fitted_value_stays_within_its_tolerance(engine: str) -> None:
    """The latency was printed to 3 %: its interval is as wide, not as wide as its constants."""
    drawn = engines.run(PAIR, ONE_BYTE, engine=engine, draws=16).filter(metric="latency").values()
    found = interval_of(drawn.tolist())
    assert found.holds(175e-6)
    assert 0.01 < found.deviation / found.mean < 0.04


def test_a_linear_figure_has_the_deviation_of_linear_propagation() -> None:
    """A latency is linear in the cost of a system call, of which no other constant depends here."""
    relative = 0.05 / DOUBLE
    slope = np.array([[1.0 / relative]])
    factors = draw_factors(lambda one: slope @ np.log(one), slope, 200)[:, 0]
    known = 1 / np.sqrt(1 + (DOUBLE / relative) ** 2)
    costs = HOSTS.host.write_call.us * factors
    hosts = with_draws({"host.write_call.us": tuple(costs.tolist())})
    drawn = engines.run(PAIR, ONE_BYTE, engine="flow", calibration=hosts, draws=200)
    values = drawn.filter(metric="latency").values()

    def latency(us: float) -> float:
        changed = HOSTS.changed({"host.write_call.us": us})
        run = engines.run(PAIR, ONE_BYTE, engine="flow", calibration=changed)
        return float(run.filter(metric="latency").values()[0])

    slope_s_per_us = latency(10.0) - latency(9.0)
    expected = slope_s_per_us * HOSTS.host.write_call.us * DOUBLE * known
    assert values.std() == pytest.approx(expected, rel=0.1)


def test_a_constant_that_the_user_sets_is_not_drawn() -> None:
    drawn = HOSTS.changed({"messages.take.us": 40.0}).drawn(1)
    assert drawn.messages.take.us == 40.0
    assert drawn.host.read.us == HOSTS.draws["host.read.us"][0]
    assert drawn.host.read.origin == f"draw 1: {HOSTS.host.read.origin}"
    assert HOSTS.without_costs().n_draws == 0


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(UsageError, match="has no draws: no covariance is known"):
        engines.run(PAIR, ONE_BYTE, calibration="linux-6-desktop", draws=2)
    with pytest.raises(UsageError, match="has 16 draws, not 17"):
        engines.run(PAIR, ONE_BYTE, draws=17)
    with pytest.raises(UsageError, match="seed each"):
        engines.run(PAIR, ONE_BYTE, repeats=2, draws=2)
    with pytest.raises(UsageError, match="too few"):
        engines.run(PAIR, ONE_BYTE, draws=0)
    with pytest.raises(CapabilityError, match="no constants of hosts to draw"):
        engines.run(PAIR, ONE_BYTE, engine="emulation", draws=2)


@pytest.mark.parametrize(
    ("draws", "said"),
    [
        ({"host.sends.us": (1.0,)}, "'host.sends.us' is no processor time"),
        ({"host.send": (1.0,)}, "'host.send' is no processor time"),
        ({"host.send.us": (1.0,), "host.read.us": (1.0, 2.0)}, "drawn together"),
        ({"host.send.us": ()}, "drawn together"),
        ({"host.send.us": (0.0,)}, "greater than 0"),
    ],
)
def test_draws_that_are_not_sound_are_refused(
    draws: dict[str, tuple[float, ...]], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        with_draws(draws)
