"""Words of papers: figures of shapes, bounds, and how a claim is read from several seeds.

Whether they hold is tested in test_studies.py.
"""

from __future__ import annotations

import pytest

from linkwright.papers import PAPERS, Runner, Verdict, Words, shapes
from linkwright.papers.printed import printed_numbers
from linkwright.papers.study import Experiment, Study, WordClaim, mean_of
from linkwright.workloads import Barrier

NUMBERS = {"1": 4.0, "2": 8.0, "3": 6.0}


@pytest.mark.parametrize(
    ("shape", "figure"),
    [
        (shapes.last_over_first, 1.5),
        (shapes.first_over_largest_other, 0.5),
        (shapes.largest_fall, 0.25),
        (shapes.largest_rise, 1.0),
        (shapes.spread_of, 2.0),
        (shapes.between, 2.0),
    ],
)
def test_shapes(shape: shapes.Shape, figure: float) -> None:
    assert shape(NUMBERS) == pytest.approx(figure)


def test_a_curve_that_only_rises_has_no_fall() -> None:
    assert shapes.largest_fall({"1": 1.0, "2": 2.0}) == 0
    assert shapes.largest_rise({"1": 2.0, "2": 1.0}) == 0


@pytest.mark.parametrize(
    ("at_least", "at_most", "holding", "failing"),
    [
        (1.05, None, (1.05, 3.0), (1.04,)),
        (None, 0.5, (0.5, -1.0), (0.51,)),
        (1.0, 1.1, (1.0, 1.1), (0.99, 1.11)),
    ],
)
def test_bounds(
    at_least: float | None, at_most: float | None, holding: tuple[float], failing: tuple[float]
) -> None:
    words = some_words(at_least=at_least, at_most=at_most)
    assert all(map(words.allow, holding))
    assert not any(map(words.allow, failing))


def test_a_claim_means_over_seeds_and_uses_what_was_played_once_beside_each() -> None:
    package = "linkwright.papers.nas_97_017"
    hub = experiment("hub", package, "hub-16", seeds=3)
    torus = experiment("torus", package, "torus-4x4", seeds=1)
    claim = WordClaim(
        words=some_words(at_least=1.0),
        of=("hub", "torus"),
        numbers=lambda one, two: {"hub": mean_of("time")(one), "torus": mean_of("time")(two)},
        judged=shapes.first_over_second,
        unit="s",
    )
    study = Study(experiments=(hub, torus))
    results = Runner().run({"trial": study})["trial"]
    found = claim.beside(results, {"hub": hub, "torus": torus})
    times = results["hub"].filter(metric="time").values()
    assert len(times) == found.seeds == 3
    assert found.spread > 0
    assert found.numbers["hub"] == pytest.approx(times.mean())
    assert found.ours == pytest.approx(times.mean() / found.numbers["torus"])
    assert found.verdict is Verdict.HOLDS


def test_every_word_has_its_claim() -> None:
    for key, paper in PAPERS.items():
        judged = {
            (name, claim.words.row)
            for name in paper.studies
            for claim in paper.studies[name]().words
        }
        package = f"linkwright.papers.{key.lower().replace('-', '_')}"
        said = printed_numbers(package).document.get("words", {})
        assert judged == {(table, row) for table, rows in said.items() for row in rows}


def some_words(**bounds: float | None) -> Words:
    return Words(paper="", table="", row="", says="", figure="", reason="", **bounds)


def experiment(name: str, package: str, cluster: str, seeds: int) -> Experiment:
    return Experiment(
        name=name,
        package=package,
        cluster=cluster,
        workload=Barrier(ranks=16, repeats=20),
        seeds=seeds,
    )
