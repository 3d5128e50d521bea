"""Claims: reductions and measures by name, bounds, how ours is read from runs, mistakes in rows.

Whether they hold is tested in test_studies.py.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

from linkwright.errors import DesignError
from linkwright.papers import PAPERS, Claim, Runner, Verdict
from linkwright.papers.claims_file import claims_in, claims_of
from linkwright.papers.measures import MEASURES
from linkwright.papers.reading import read
from linkwright.papers.reductions import REDUCTIONS
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.results import Result, Row
from linkwright.text.toml_text import read_toml
from linkwright.workloads import Barrier

NUMBERS = [4.0, 8.0, 6.0]

REDUCED = [
    ("max", {}, NUMBERS, 8.0),
    ("min", {}, NUMBERS, 4.0),
    ("mean", {}, NUMBERS, 6.0),
    ("share", {"of": 4}, [6.0], 1.5),
    ("first_over_second", {}, [4.0, 8.0], 0.5),
    ("last_over_first", {}, NUMBERS, 1.5),
    ("first_over_largest_other", {}, NUMBERS, 0.5),
    ("first_over_least_other", {}, NUMBERS, 2 / 3),
    ("largest_over_least", {}, NUMBERS, 2.0),
    ("largest_fall", {}, NUMBERS, 0.25),
    ("largest_fall", {}, [1.0, 2.0], 0.0),
    ("largest_rise", {}, NUMBERS, 1.0),
    ("largest_rise", {}, [2.0, 1.0], 0.0),
    ("part_lost", {}, [8.0, 6.0], 0.25),
    ("rise_per_step", {"steps": 2}, NUMBERS, 1.0),
    ("position_between", {}, NUMBERS, 2.0),
    ("leading_over_rest", {"n": 1}, NUMBERS, 4 / 7),
    ("marginal_over_mean", {"fewer": 4, "more": 7}, [4.0, 5.5], 0.5),
    ("part_not_computed", {"slower": 0.5}, [10.0, 18.0], 0.2),
]


@pytest.mark.parametrize(("name", "parameters", "numbers", "expected"), REDUCED)
def test_reductions(
    name: str, parameters: dict[str, float], numbers: list[float], expected: float
) -> None:
    assert REDUCTIONS[name](numbers, **parameters) == pytest.approx(expected)


def test_every_reduction_is_tested() -> None:
    assert {name for name, *_ in REDUCED} == set(REDUCTIONS)


@pytest.mark.parametrize("functions", [REDUCTIONS, MEASURES])
def test_every_function_that_rows_may_name_is_named(
    functions: dict[str, Callable[..., float]],
) -> None:
    claims = [claim for paper in PAPERS.values() for claim in every_claim(paper.package)]
    named = {one.name for claim in claims for one in claim.reduction}
    named |= {claim.measure.name if claim.measure else claim.metric for claim in claims}
    assert set(functions) <= named


@pytest.mark.parametrize(
    ("bounds", "holding", "failing"),
    [
        ({"at_least": 1.05}, (1.05, 3.0), (1.04,)),
        ({"at_most": 0.5}, (0.5, -1.0), (0.51,)),
        ({"at_least": 1.0, "at_most": 1.1}, (1.0, 1.1), (0.99, 1.11)),
    ],
)
def test_bounds(
    bounds: dict[str, float], holding: tuple[float, ...], failing: tuple[float, ...]
) -> None:
    claim = some_words(**bounds)
    assert {claim.verdict(ours) for ours in holding} == {Verdict.HOLDS}
    assert {claim.verdict(ours) for ours in failing} == {Verdict.FAILS}


def test_a_printed_number_allows_its_last_digit_or_its_tolerance() -> None:
    place = {"paper": "P", "table": "1", "row": "r", "metric": "time", "unit": "s"}
    claim = Claim(**place, digit=0.1, printed=2.0, tolerance=0.01)
    assert claim.verdict(2.05) is Verdict.AGREES
    assert claim.verdict(2.051) is Verdict.DIFFERS
    wider = claim.model_copy(update={"tolerance": 0.2, "corrected": 3.0})
    assert wider.verdict(3.6) is Verdict.CORRECTED
    assert wider.verdict(2.0) is Verdict.DIFFERS


def test_axes_are_reduced_from_the_innermost_and_shown_by_their_label() -> None:
    results = {
        f"{kind}-{n}": some_result({1: scale * n, 8: scale * n + 1})
        for kind, scale in (("a", 1.0), ("b", 10.0))
        for n in (1, 2)
    }
    axes = {"kind": ["a", "b"], "n": [1, 2]}
    by_size = some_words(
        at_least=0,
        experiment="{kind}-{n}",
        over=axes,
        reduction=["max", "first_over_second", "max"],
    )
    found = read(by_size, results, 0)
    assert found.numbers == {"a 1": 2.0, "a 2": 3.0, "b 1": 11.0, "b 2": 21.0}
    assert (found.value, found.unit) == (2 / 3, "s")

    reduced = by_size.model_copy(update={"label": "kind {kind}"})
    found = read(reduced, results, 0)
    assert found.numbers == {"kind a": 2 / 3, "kind b": 11 / 21}
    assert (found.value, found.unit) == (2 / 3, "1")

    of_sizes = some_words(
        at_least=0,
        experiment="a-1",
        over={"size_bytes": [8, 1]},
        beside={"limit": 4.0},
        reduction="first_over_largest_other",
    )
    found = read(of_sizes, results, 0)
    assert (found.numbers, found.value) == ({"8 B": 2.0, "1 B": 1.0, "limit": 4.0}, 0.5)


def test_a_claim_means_over_seeds_and_uses_what_was_played_once_beside_each() -> None:
    hub = experiment("hub", "hub-16", seeds=3)
    torus = experiment("torus", "torus-4x4", seeds=1)
    claim = some_words(
        at_least=1.0,
        experiment="{network}",
        over={"network": ["hub", "torus"]},
        reduction="first_over_second",
    )
    study = RunTable(experiments=(hub, torus), claims=(claim,))
    results = Runner().run({"trial": study})["trial"]
    (found,) = study.entries(results)
    times = results["hub"].filter(metric="time").values()
    assert len(times) == found.seeds == 3
    assert found.spread > 0
    assert found.numbers["hub"] == pytest.approx(times.mean())
    assert found.ours == pytest.approx(times.mean() / found.numbers["torus"])
    assert found.verdict is Verdict.HOLDS


def test_every_row_is_a_claim_of_its_table() -> None:
    for paper in PAPERS.values():
        answered = {*paper.counted, *paper.run_tables}
        assert {claim.table for claim in every_claim(paper.package)} <= answered
        for table, build in paper.run_tables.items():
            judged = build().claims
            assert all(claim in judged for claim in claims_of(paper.package, table))


METRICS = """paper = "X"
[metrics]
latency = { unit = "s", scale = 1e-6, decimals = 0 }
"""

MISTAKES = {
    "[t": ("no TOML", "correct the line"),
    "[t]\na.latency = 3": ("t.a.latency is no table", "[table.row.metric]"),
    '[t]\na.latncy = { printed = 1, experiment = "e" }': ("no 'latncy'", "'latency'"),
    '[t]\na.latency = { printd = 1, experiment = "e" }': ("t.a.latency.printd", "'printed'"),
    '[t]\na.latency = { experiment = "e" }': ("t.a.latency: there is neither", "give printed"),
    "[t]\na.latency = { printed = 1 }": ("no rule for ours", "name an experiment"),
    '[t]\na.latency = { printed = "1 us", experiment = "e" }': ("'1 us'", "number"),
    '[t]\na.latency = { printed = 1, corrected = 2, cluster = "c", measure = "nodes" }': (
        "erratum",
        "docs/errata.md",
    ),
    '[t]\na.latency = { printed = 1, tolerance = 0.1, experiment = "e" }': ("reason", "give it"),
    '[t]\na.latency = { printed = 1, cluster = "c" }': ("'latency' is no measure", "measures.py"),
    '[t]\na.latency = { printed = 1, experiment = "e", cluster = "c" }': ("either", "not both"),
    '[t]\na.latency = { printed = 1, experiment = "{n}" }': ("no axis sets {n}", "over.n"),
    '[t]\na.latency = { printed = 1, experiment = "e", reduction = "maximum" }': (
        "t.a.latency.reduction",
        "'max'",
    ),
    '[t]\na.latency = { printed = 1, experiment = "e", reduction = "share" }': (
        "'share' takes of",
        '{ name = "share", of = ... }',
    ),
    '[t]\na.latency = { printed = 1, experiment = "{n}", over.n = 3, reduction = "max" }': (
        "t.a.latency.over",
        "over.NAME",
    ),
    '[t]\na.latency = { printed = 1, experiment = "{n}", over.n = [], reduction = "max" }': (
        "t.a.latency.over",
        "over.NAME",
    ),
    '[t.a.words]\nsays = "x"\nfigure = "f"\nreason = "r"\nat_least = 1\nexperiment = "{n}"\n'
    'reads = "time"\nover.p = { x = { n = 1 }, y = {} }\nreduction = "max"': (
        "no axis sets {n}",
        "each table",
    ),
    '[t]\na.latency = { printed = 1, experiment = "{n}", over.n = [3] }': (
        "over has 1 axes",
        "one for each axis",
    ),
    '[t.a.words]\nsays = "x"\nexperiment = "e"\nreads = "time"': ("neither", "at_least"),
    '[t.a.words]\nprinted = 1\nexperiment = "e"': ("cannot be 'words'", "a row with bounds"),
    '[t]\na.latency = { printed = 1, at_most = 2, experiment = "e" }': ("no bounds", "tolerance"),
    '[t]\na.latency = { printed = 1, unit = "s", experiment = "e" }': ("latency.unit", "known"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_in_a_row_names_row_rule_and_remedy(text: str) -> None:
    rule, remedy = MISTAKES[text]
    with pytest.raises(DesignError) as caught:
        claims_in(METRICS + text, "x/claims.toml")
    assert caught.value.message.startswith("x/claims.toml")
    assert rule in caught.value.message
    assert remedy in caught.value.hint


def test_several_mistakes_are_reported_at_once() -> None:
    rows = "[t]\na.latency = { printd = 1 }\nb.latency = 3"
    with pytest.raises(DesignError, match="has 2 mistakes"):
        claims_in(METRICS + rows, "x/claims.toml")


def test_a_claim_of_an_unknown_experiment_cluster_or_metric_is_refused() -> None:
    claim = some_words(at_least=1, experiment="hubb")
    torus = experiment("torus", "torus-4x4", seeds=1)
    with pytest.raises(DesignError, match="no experiment 'hubb'"):
        RunTable(experiments=(torus,), claims=(claim,))
    with pytest.raises(DesignError, match="no cluster 'torus-5x5'"):
        experiment("torus", "torus-5x5", seeds=1).network  # noqa: B018 - compiled when asked for
    with pytest.raises(DesignError, match="gives no time with size_bytes = 3") as caught:
        read(
            some_words(at_least=1, experiment="a", at={"size_bytes": 3}), {"a": some_result({})}, 0
        )
    assert "at and over" in caught.value.hint


def every_claim(package: str) -> list[Claim]:
    text = (resources.files(package) / "claims.toml").read_text(encoding="utf-8")
    tables = [name for name in read_toml(text) if name not in ("paper", "metrics")]
    return [claim for table in tables for claim in claims_of(package, table)]


def some_words(**fields: Any) -> Claim:
    place = {"paper": "P", "table": "1", "row": "r", "metric": "words"}
    said = {"says": "s", "figure": "f", "reason": "r", "experiment": "e", "reads": "time"}
    return Claim(**{**place, **said, **fields})


def some_result(times: dict[int, float]) -> Result:
    return Result.from_rows(
        Row(
            metric="time",
            unit="s",
            value=value,
            repeat=0,
            origin="predicted",
            parameters={"size_bytes": size_bytes},
        )
        for size_bytes, value in times.items()
    )


def experiment(name: str, cluster: str, seeds: int) -> Experiment:
    return Experiment(
        name=name,
        package="linkwright.papers.nas_97_017",
        cluster=cluster,
        workload=Barrier(ranks=16, repeats=20),
        seeds=seeds,
    )
