"""Sensitivity: known functions give known indices; an analysis has all its points or is refused.

Studies run on the analytic engine, in which the time to take a message is a term of the latency.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linkwright.errors import CapabilityError, DesignError, UsageError
from linkwright.study import Study, StudyFolder, run, sensitivity
from linkwright.study.points import every_point, plan
from linkwright.study.salib import elementary_effects, sampled, sobol_indices
from linkwright.study.sampling import points
from linkwright.study.sensitivities import Analysis, Sensitivity
from linkwright.study.study_file import Sampling, Span, Values

SPAN = Span(least=0.0, most=1.0)
PING_PONG: dict[str, Any] = {
    "designs": [{"design": {"name": "pair", "topology": {"kind": "direct"}}}],
    "workloads": [{"name": "ping-pong", "settings": {"size_bytes": 1}}],
    "hosts": [
        {
            "calibration": "pentium-pro-200-linux-2.0",
            "axes": {
                "host.forward.us": {"from": 30, "to": 60},
                "messages.take.us": {"from": 5, "to": 20},
                "tcp.initial_window": {"from": 1, "to": 4, "whole": True},
            },
        }
    ],
    "engines": ["analytic"],
}
KINDS: dict[str, dict[str, Any]] = {
    "morris": {"kind": "morris", "points": 16},
    "sobol": {"kind": "saltelli", "points": 32},
    "tornado": {"kind": "one-at-a-time"},
}
SIZE = {"morris": "mu_star", "sobol": "ST", "tornado": "effect"}


def made(folder: Path, **changes: Any) -> StudyFolder:
    """Return the folder of the study of a ping-pong, with changes."""
    return run(Study.from_fields({**PING_PONG, **changes}), folder / "study", jobs=1)


@pytest.fixture(scope="module")
def ping_pongs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, StudyFolder]:
    return {
        method: made(tmp_path_factory.mktemp(method), sampling=sampling)
        for method, sampling in KINDS.items()
    }


@pytest.mark.parametrize("method", list(KINDS))
def test_a_latency_depends_on_the_one_constant_that_it_has(
    method: str, ping_pongs: Mapping[str, StudyFolder]
) -> None:
    found = sensitivity(ping_pongs[method], "latency")
    [analysis] = found.analyses
    assert (found.method, found.unit, found.names) == (method, "s", ())
    assert [one for one in found.notes if "intervals up to" in one] == [*found.notes]
    assert bool(found.notes) == (method == "sobol")
    sizes = {axis: figures[SIZE[method]] for axis, figures in analysis.effects.items()}
    first = next(iter(sizes))
    assert first == "messages.take.us"
    expected = {"morris": 15e-6, "sobol": 1.0, "tornado": 15e-6}[method]
    assert sizes.pop(first) == pytest.approx(expected, rel=0.15 if method == "sobol" else 1e-9)
    assert list(sizes.values()) == [0.0, 0.0]


def test_the_effect_of_a_linear_constant_is_exact_and_has_no_deviation(
    ping_pongs: Mapping[str, StudyFolder],
) -> None:
    effect = sensitivity(ping_pongs["morris"], "latency").analyses[0].effects["messages.take.us"]
    assert effect["mu"] == effect["mu_star"] == pytest.approx(15e-6, rel=1e-9)
    assert effect["sigma"] <= 1e-9 * effect["mu"]


def test_equal_points_run_once_and_count_at_each_of_their_places(
    ping_pongs: Mapping[str, StudyFolder],
) -> None:
    study = ping_pongs["morris"].study
    every, different = list(every_point(study)), plan(study)
    assert len(every) == 16 * (3 + 1)
    assert len(different) == len({one.digest for one in every}) < len(every)
    assert [one.number for one in different] == list(range(len(different)))
    assert len(ping_pongs["morris"].progressed().done) == len(different)


FUNCTIONS: dict[str, tuple[dict[str, Values], Callable[..., float], Mapping[str, float]]] = {
    "linear": ({"a": SPAN, "b": SPAN}, lambda a, b: a - 2 * b, {"a": 0.2, "b": 0.8}),
    "list": ({"a": SPAN, "b": ["x", "y"]}, lambda a, b: a + (b == "y"), {"a": 0.25, "b": 0.75}),
    "logarithm": (
        {"a": Span(least=1.0, most=100.0, scale="log"), "b": SPAN},
        lambda a, b: np.log10(a) + b,
        {"a": 0.8, "b": 0.2},
    ),
}
"""Axes, function, and share of each axis in the variance."""


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_indices_of_a_sum_are_shares_of_its_variance(name: str) -> None:
    axes, function, shares = FUNCTIONS[name]
    asked = Sampling(kind="saltelli", points=256)
    found = sobol_indices(axes, [function(*point) for point in points(axes, asked)])
    for axis, share in shares.items():
        for index in ("S1", "ST"):
            assert found[axis][index] == pytest.approx(share, abs=0.03)
            assert 0 < found[axis][f"{index}_conf"] < 0.2


def test_effects_of_a_linear_function_are_its_coefficients_times_the_spans() -> None:
    axes: dict[str, Values] = {"a": Span(least=2.0, most=5.0), "b": ["x", "y", "z"], "c": SPAN}
    asked = Sampling(kind="morris", points=6)
    values = [7 * a - c for a, _, c in points(axes, asked)]
    found = elementary_effects(axes, asked, values)
    assert [found[axis]["mu"] for axis in axes] == pytest.approx([21, 0, -1], abs=1e-9)
    assert [found[axis]["mu_star"] for axis in axes] == pytest.approx([21, 0, 1], abs=1e-9)


def test_the_effect_of_a_list_is_the_change_from_one_entry_to_another() -> None:
    axes: dict[str, Values] = {"a": SPAN, "b": ["slow", "fast"]}
    asked = Sampling(kind="morris", points=4)
    values = [5.0 if b == "slow" else 2.0 for _, b in points(axes, asked)]
    assert elementary_effects(axes, asked, values)["b"]["mu_star"] == pytest.approx(3.0)


@pytest.mark.parametrize("kind", ["morris", "saltelli"])
@pytest.mark.parametrize("lengths", [(2,), (3,), (2, 3), (4, 5)])
def test_entries_of_a_list_have_equal_shares(kind: Any, lengths: tuple[int, ...]) -> None:
    axes: dict[str, Values] = {str(n): list(range(n)) for n in lengths}
    asked = Sampling(kind=kind, points=512)
    columns = zip(*points(axes, asked), strict=True)
    for n, column in zip(lengths, columns, strict=True):
        counts = Counter(column)
        assert set(counts) == set(range(n))
        assert max(counts.values()) - min(counts.values()) < 0.15 * len(column) / n


@pytest.mark.parametrize("kind", ["morris", "saltelli"])
def test_points_are_as_many_as_promised_and_the_same_each_time(kind: Any) -> None:
    axes: dict[str, Values] = {"a": SPAN, "b": SPAN, "c": ["x", "y"]}
    asked = Sampling(kind=kind, points=8)
    found = sampled(axes, asked)
    assert found.shape == (8 * (len(axes) + (1 if kind == "morris" else 2)), len(axes))
    assert (found == sampled(axes, asked)).all()
    assert (found != sampled(axes, Sampling(kind=kind, points=8, seed=2))).any()


def test_one_axis_at_a_time_leaves_the_others_at_their_first_values() -> None:
    axes: dict[str, Values] = {"a": [2, 1, 3], "b": ["x", "y"], "c": SPAN}
    found = list(points(axes, Sampling(kind="one-at-a-time")))
    assert found == [
        (2, "x", 0.0), (1, "x", 0.0), (3, "x", 0.0), (2, "y", 0.0), (2, "x", 1.0),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> StudyFolder:
    """Return a study of three workloads on two engines, of which the second barrier has no axes."""
    workloads = [
        {"name": "ping-pong", "settings": {"size_bytes": 1}},
        {"name": "barrier", "axes": {"repeats": [1, 3]}},
        {"name": "barrier"},
    ]
    return made(
        tmp_path_factory.mktemp("several"),
        workloads=workloads,
        engines=["analytic", "flow"],
        sampling={"kind": "morris", "points": 2},
    )


def test_every_workload_and_engine_has_its_analysis(several: StudyFolder) -> None:
    found = sensitivity(several)
    assert found.names == ("workload", "engine")
    assert set(effects(found)) == {
        (name, engine) for name in ("barrier", "barrier (2)") for engine in ("analytic", "flow")
    }
    assert set(effects(found)["barrier", "flow"].effects) == {
        "repeats", "host.forward.us", "messages.take.us", "tcp.initial_window",
    }  # fmt: skip
    assert len(effects(found)["barrier (2)", "flow"].effects) == 3


def test_combinations_without_the_metric_are_named(several: StudyFolder) -> None:
    found = sensitivity(several, "time", where="engine = 'flow'")
    assert set(effects(found)) == {("barrier", "flow"), ("barrier (2)", "flow")}
    assert [one for one in found.notes if "no row" in one] == [
        f"{one}: no row of 'time'"
        for one in ("ping-pong, analytic", "ping-pong, flow", "barrier, analytic",
                    "barrier (2), analytic")
    ]  # fmt: skip


def effects(found: Sensitivity) -> dict[tuple[Any, ...], Analysis]:
    return {one.place: one for one in found.analyses}


GRID = {
    "designs": [
        {
            "design": {"topology": {"kind": "ring"}},
            "axes": {"topology.shape": [[4], [8], [6]], "topology.kind": ["ring"]},
        }
    ],
    "workloads": [{"name": "broadcast", "axes": {"size_bytes": [1024, 64, 65536]}}],
    "hosts": ["pentium-pro-200-linux-2.0"],
    "engines": ["analytic", "flow"],
}


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> StudyFolder:
    return made(tmp_path_factory.mktemp("grid"), **GRID)


def test_a_grid_gives_a_tornado_for_each_engine(grid: StudyFolder) -> None:
    found = sensitivity(grid)
    assert found.names == ("engine",)
    assert set(effects(found)) == {("analytic",), ("flow",)}
    analytic = effects(found)["analytic",]
    assert list(analytic.effects) == ["size_bytes", "topology.shape", "topology.kind"]
    size = analytic.effects["size_bytes"]
    assert (size["lowest"], size["highest"]) == (64, 65536)
    assert size["low"] < analytic.base < size["high"]
    # Shapes are no numbers: the ends are those of the metric.
    shape = analytic.effects["topology.shape"]
    assert (shape["lowest"], shape["highest"]) == ("4", "8")
    assert found.headings()[:2] == ["engine", "axis"]
    assert len(found.rows()) == 2 * 3


def test_axes_of_a_grid_can_tell_analyses_apart(grid: StudyFolder) -> None:
    found = sensitivity(grid, by=["size_bytes", "workload"])
    assert found.names == ("size_bytes", "workload", "engine")
    assert set(effects(found)) == {
        (size, "broadcast", engine) for size in (64, 1024, 65536) for engine in ("analytic", "flow")
    }
    one = effects(found)[64, "broadcast", "flow"]
    assert list(one.effects) == ["topology.shape", "topology.kind"]


@pytest.mark.parametrize(
    ("shapes", "left_out", "reason"),
    [
        ([[8], [4]], [], ""),
        ([[4], [8]], [], "of which 1 failed and 0 are missing"),
        ([[8], [12]], [{"topology.shape": [8], "ranks": 4}], "first values of all axes"),
        ([[8], [12]], [{"topology.shape": [12], "ranks": 4}], ""),
    ],
    ids=["far run fails", "near run fails", "first is left out", "near one is left out"],
)
def test_a_tornado_needs_the_runs_around_the_first(
    shapes: list[Any], left_out: list[dict[str, Any]], reason: str, tmp_path: Path
) -> None:
    """Six ranks do not fit on four nodes."""
    ring = {"design": {"topology": {"kind": "ring"}}, "axes": {"topology.shape": shapes}}
    folder = made(
        tmp_path,
        designs=[ring],
        workloads=[{"name": "barrier", "axes": {"ranks": [4, 6]}}],
        hosts=["pentium-pro-200-linux-2.0"],
        leave_out=left_out,
    )
    if reason:
        with pytest.raises(UsageError, match=reason):
            sensitivity(folder)
        return
    effects = sensitivity(folder).analyses[0].effects
    assert effects["ranks"]["effect"] > 0
    ends = {effects["topology.shape"][end] for end in ("lowest", "highest")}
    assert ends == ({"8"} if left_out else {"8", "4"})


@pytest.mark.parametrize("sampling", [KINDS["morris"], {"kind": "saltelli", "points": 4}])
def test_failed_and_missing_runs_are_refused(sampling: dict[str, Any], tmp_path: Path) -> None:
    design = {"topology": {"kind": "ring", "shape": [4]}}
    axes = {"ranks": [2, 4, 40], "size_bytes": {"from": 1, "to": 64, "whole": True}}
    folder = made(
        tmp_path,
        designs=[{"design": design}],
        workloads=[{"name": "broadcast", "axes": axes}],
        sampling=sampling,
    )
    n_failed = sum(one.has_failed for one in folder.progressed().done)
    assert n_failed
    with pytest.raises(UsageError, match=f"{n_failed} failed and 0 are missing"):
        sensitivity(folder)
    (folder.path / "merged" / "rows.parquet").unlink()
    (folder.path / "merged" / "runs.pq").unlink()
    with pytest.raises(UsageError, match="no run of the study has rows"):
        sensitivity(folder)


def test_points_of_another_version_are_refused(
    ping_pongs: Mapping[str, StudyFolder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkwright.study.sampling.sampled", lambda *given: 1 - sampled(*given))
    with pytest.raises(UsageError, match="another version"):
        sensitivity(ping_pongs["sobol"], "latency")


def test_without_salib_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "SALib.sample.morris", None)
    with pytest.raises(CapabilityError, match="needs SALib") as caught:
        list(points({"a": SPAN}, Sampling(kind="morris", points=2)))
    assert "linkwright[sensitivity]" in caught.value.hint


@pytest.mark.parametrize(
    ("folder", "asked", "reason"),
    [
        (
            "tornado",
            {"metric": "latency", "by": ["messages.take.us"]},
            "one analysis for all values",
        ),
        ("tornado", {"metric": "latency", "by": ["colour"]}, "no 'colour'"),
        ("tornado", {"metric": "speed"}, "no metric 'speed'"),
        ("sobol", {"metric": "latency", "where": "point > 3"}, "no row of the metric"),
        ("sobol", {"metric": "latency", "where": "point < 0"}, "no row has metric"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused(
    folder: str, asked: dict[str, Any], reason: str, ping_pongs: Mapping[str, StudyFolder]
) -> None:
    with pytest.raises(UsageError, match=reason):
        sensitivity(ping_pongs[folder], **asked)


@pytest.mark.parametrize("kind", ["random", "together"])
def test_other_samplings_have_no_analysis(kind: str, tmp_path: Path) -> None:
    sampling = {"kind": kind, **({"points": 2} if kind == "random" else {})}
    hosts = [{"axes": {"host.send.us": [20, 40]}}]
    with pytest.raises(UsageError, match="no sensitivity analysis"):
        sensitivity(made(tmp_path, hosts=hosts, sampling=sampling), "latency")


def test_an_effect_within_the_spread_over_seeds_is_noted(tmp_path: Path) -> None:
    """Collisions on a hub are chance: a send that is longer by a nanosecond shuffles them."""
    folder = made(
        tmp_path,
        designs=[{"design": {"topology": {"kind": "hub", "nodes": 6}}}],
        workloads=[{"name": "all-to-all", "settings": {"size_bytes": 1024}}],
        hosts=[{"axes": {"host.send.us": [30, 30.001], "host.read.us": [10, 2000]}}],
        engines=["packet"],
        seeds=4,
        sampling={"kind": "one-at-a-time"},
    )
    found = sensitivity(folder)
    assert found.analyses[0].doubtful == ("host.send.us",)
    [note] = found.notes
    assert "can explain the effect of host.send.us" in note


def test_an_independent_metric_and_several_rows_are_noted(
    ping_pongs: Mapping[str, StudyFolder], tmp_path: Path
) -> None:
    events = sensitivity(ping_pongs["tornado"], "events")
    assert events.notes == ("'events' does not depend on any axis",)
    sizes = {"name": "ping-pong", "settings": {"size_bytes": [1, 64]}}
    folder = made(tmp_path, workloads=[sizes], sampling=KINDS["tornado"])
    [note] = sensitivity(folder, "latency").notes
    assert "several rows of 'latency'" in note
    assert not sensitivity(folder, "latency", where="parameters like '%64%'").notes


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"sampling": {"kind": "morris"}}, "give 'points'"),
        ({"sampling": {"kind": "grid", "points": 4}}, "give 'points'"),
        ({"sampling": {"kind": "morris", "points": 1}}, "two points or more"),
        (
            {"sampling": KINDS["sobol"], "leave_out": [{"messages.take.us": "> 10"}]},
            "needs all points",
        ),
    ],
)
def test_a_sampling_that_cannot_be_analysed_is_refused(
    changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(DesignError, match=reason):
        Study.from_fields({**PING_PONG, **changes})


def test_an_unbalanced_number_of_points_is_refused() -> None:
    with pytest.raises(DesignError, match="not balanced"):
        list(points({"a": SPAN}, Sampling(kind="saltelli", points=12)))
