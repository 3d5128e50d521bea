"""Every engine against answers that are known by hand."""

from __future__ import annotations

from statistics import median

import pytest
from tests.conformance import background, cases, received
from tests.conformance.cases import Case

import linkwright
from linkwright import engines


def figure(case: Case, network: linkwright.Network, engine: str, seed: int) -> float:
    result = engines.run(
        network,
        case.workload,
        engine=engine,
        calibration=case.calibration,
        seed=seed,
        background=case.background,
    )
    return float(result.filter(metric=case.metric).values()[0])


def check(case: Case, engine: str) -> None:
    network = linkwright.compile(linkwright.Cluster.parse(case.design))
    found = median(figure(case, network, engine, seed) for seed in range(case.n_seeds))
    assert found == pytest.approx(case.expected, rel=case.tolerance[engine])


CASES = [*cases.CASES, *received.CASES, *background.CASES]
QUESTIONS = [
    pytest.param(case, engine, id=f"{case.title}-{engine}")
    for case in CASES
    for engine in case.tolerance
    if engine in engines.predictive()
]


@pytest.mark.parametrize(("case", "engine"), QUESTIONS)
def test_every_engine_gives_the_answer_known_by_hand(case: Case, engine: str) -> None:
    check(case, engine)


@pytest.mark.parametrize("engine", engines.predictive())
def test_every_engine_is_asked(engine: str) -> None:
    assert any(engine in case.tolerance for case in CASES)
