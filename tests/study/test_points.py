"""Points: every combination once, and a key for each run that covers all its inputs.

Nothing is run here.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.study.cases import SMALL, study

from linkwright.errors import DesignError, LinkwrightError
from linkwright.study.points import first_runs, plan
from linkwright.study.sampling import points
from linkwright.study.study_file import Sampling, Span

BASE: dict[str, Any] = {
    "designs": [{"design": {"topology": {"kind": "ring", "shape": [4]}}}],
    "workloads": [{"name": "broadcast", "settings": {"size_bytes": 64}}],
}
CHANGES: dict[str, dict[str, Any]] = {
    "design": {"designs": [{"design": {"topology": {"kind": "ring", "shape": [5]}}}]},
    "workload": {"workloads": ["barrier"]},
    "settings": {"workloads": [{"name": "broadcast", "settings": {"size_bytes": 65}}]},
    "calibration": {"hosts": ["ideal-reno"]},
    "constants": {"hosts": [{"constants": {"tcp.initial_window": 2}}]},
    "engine": {"engines": ["flow"]},
    "placement": {"placements": ["random"]},
    "without": {"without": [["n0"]]},
    "faults": {"faults": [["cable:0 down at 1s"]]},
    "background": {"background": "keep-alive"},
    "precision": {"options": {"precision": 0.1}},
    "exact_flows": {"options": {"exact_flows": 4}},
    "seed": {"seeds": [7]},
    "name": {"name": "other"},
    "metrics": {"metrics": ["time"]},
}


def keys(**changes: Any) -> list[str]:
    asked = study("{designs: [a.yaml], workloads: [b]}", **{**BASE, **changes})
    return [run.key for point in plan(asked) for run in first_runs(asked, point)]


@pytest.mark.parametrize("name", CHANGES)
def test_key_changes_with_every_input(name: str) -> None:
    assert keys(**CHANGES[name]) != keys()


def test_precision_may_stand_beside_the_options() -> None:
    assert keys(precision=0.1) == keys(options={"precision": 0.1})
    with pytest.raises(DesignError, match="'precision' is given twice"):
        keys(precision=0.1, options={"precision": 0.2})


def test_key_does_not_depend_on_other_points() -> None:
    both = keys(engines=["flow", "packet"])
    assert set(keys()) < set(both)
    assert len(set(both)) == len(both) == 2


def test_points_are_all_combinations_in_order() -> None:
    found = plan(study())
    assert [point.cells for point in found] == list(itertools.product(["3", "4", "1"], [64, 4096]))
    assert [point.number for point in found] == list(range(6))


@pytest.mark.parametrize(
    ("leave_out", "left"),
    [
        ([{"size_bytes": 64}], 3),
        ([{"topology.shape": [1]}], 4),
        ([{"size_bytes": "> 100", "topology.shape": [3]}], 5),
        ([{"size_bytes": "<= 64"}, {"topology.shape": [3]}], 2),
        ([{"engine": "packet"}], 6),
    ],
)
def test_points_are_left_out(leave_out: list[dict[str, Any]], left: int) -> None:
    assert len(plan(study(leave_out=leave_out))) == left


def test_leaving_out_what_is_no_axis_is_refused() -> None:
    with pytest.raises(LinkwrightError, match="no axis"):
        plan(study(leave_out=[{"size": 64}]))
    with pytest.raises(LinkwrightError, match="no number"):
        plan(study(leave_out=[{"size_bytes": "> 4k"}]))
    with pytest.raises(LinkwrightError, match="nothing to run"):
        plan(study(leave_out=[{"engine": "analytic"}]))


def test_axes_of_several_designs_share_a_column() -> None:
    designs = [
        {"design": {"topology": {"kind": kind}}, "axes": {"topology.nodes": [4, 8]}}
        for kind in ("switch", "hub")
    ]
    assert [point.cells[0] for point in plan(study(SMALL, designs=designs))][::2] == [4, 8, 4, 8]


@given(
    sizes=st.lists(st.lists(st.integers(), min_size=1, max_size=4), min_size=1, max_size=4),
)
def test_grid_is_the_product(sizes: list[list[int]]) -> None:
    axes = {str(place): values for place, values in enumerate(sizes)}
    assert list(points(axes, Sampling())) == list(itertools.product(*sizes))


@settings(deadline=None)
@given(
    kind=st.sampled_from(["random", "sobol"]),
    exponent=st.integers(0, 7),
    seed=st.integers(0, 99),
    low=st.floats(0.001, 100),
    factor=st.floats(1.01, 1000),
    scale=st.sampled_from(["linear", "log"]),
)
def test_samples_are_inside_their_span_and_repeatable(
    kind: Any, exponent: int, seed: int, low: float, factor: float, scale: Any
) -> None:
    axes = {"a": Span(least=low, most=low * factor, scale=scale), "b": ["x", "y"]}
    sampling = Sampling(kind=kind, points=1 << exponent, seed=seed)
    found = list(points(axes, sampling))
    assert len(found) == 1 << exponent
    assert all(low <= a <= low * factor and b in "xy" for a, b in found)
    assert found == list(points(axes, sampling))


def test_sobol_fills_every_half_evenly() -> None:
    found = list(points({"a": [1, 2], "b": [1, 2]}, Sampling(kind="sobol", points=64)))
    assert [found.count(one) for one in itertools.product([1, 2], [1, 2])] == [16] * 4


@pytest.mark.parametrize(
    ("axes", "sampling", "words"),
    [
        ({"a": [1, 2], "b": [1]}, Sampling(kind="together"), "one length"),
        ({"a": Span(least=1, most=2)}, Sampling(), "'points'"),
        ({"a": [1]}, Sampling(kind="sobol", points=3), "power of two"),
    ],
)
def test_axes_that_do_not_fit_are_refused(axes: Any, sampling: Sampling, words: str) -> None:
    with pytest.raises(LinkwrightError) as refused:
        list(points(axes, sampling))
    assert words in f"{refused.value.message} {refused.value.hint}"


def test_span_has_its_ends_on_a_grid() -> None:
    spans = {
        "a": Span(least=1, most=100, scale="log", whole=True, points=3),
        "b": Span(least=0, most=1, points=2),
    }
    assert list(points(spans, Sampling())) == [(a, b) for a in (1, 10, 100) for b in (0.0, 1.0)]
