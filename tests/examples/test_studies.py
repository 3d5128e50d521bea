"""The example studies: the claims of their page hold for the kept rows, and for runs made here.

The runs are those of a small form: the first two values of each axis, and the fewest seeds. The
claims are in words in docs/how-to/study-examples.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import study_examples
from linkwright.design.document import read_document
from linkwright.study import Database, Study, StudyFolder, run
from linkwright.study.sampling import points
from linkwright.study.study_file import Sampling
from linkwright.views.study_plots import Asked, study_figure

STUDIES = study_examples.studies()
FEWEST_SEEDS = 2
Values = dict[tuple[Any, ...], float]


def small(name: str) -> dict[str, Any]:
    """Return the keys and values of the small form of a study."""
    file = STUDIES[name]
    fields = dict(read_document(file.read_text("utf-8"), file.name))
    study = Study.load(file)
    for section in ("designs", "workloads"):
        for given, entry in zip(fields[section], getattr(study, section), strict=True):
            if entry.axes:
                given["axes"] = {
                    path: [value for (value,) in points({path: values}, Sampling())][:2]
                    for path, values in entry.axes.items()
                }
    if "seeds" in fields:
        fields["seeds"] |= {"least": FEWEST_SEEDS, "most": FEWEST_SEEDS}
    return fields


def means(database: Database, metric: str, by: str, where: str = "true") -> Values:
    """Return the mean of a metric by some columns."""
    columns = [name.strip() for name in by.split(",")]
    answer = database.statistic(metric, columns, where=where)
    return {row[: len(columns)]: row[len(columns)] for row in answer.rows()}


FORWARD_S = 11.1e-6
"""Time of a forward on the page."""


def a_forward_costs_the_same_everywhere_and_fewer_save_time(database: Database) -> None:
    worst = means(database, "forwards_worst", "design")
    found = 0
    for design, most in worst.items():
        where = f"design = '{design[0]}'"
        latencies = means(database, "latency", "dst", where).values()
        forwards = [(one - min(latencies)) / FORWARD_S for one in latencies]
        assert [one - round(one) for one in forwards] == pytest.approx([0] * len(forwards), abs=0.1)
        assert round(max(forwards)) <= most
        assert len(forwards) < 63 or round(max(forwards)) == most
        found += round(max(forwards))
    assert found > 0
    mean, times = means(database, "forwards_mean", "design"), means(database, "time", "design")
    ordered = sorted((forwards, times[design]) for design, forwards in mean.items())
    assert sorted(time for _, time in ordered) == [time for _, time in ordered]
    cost = means(database, "cost_per_node_units_bought", "shape")
    assert cost["4x16",] == 2 * cost["64",]


def time_per_node_grows_on_a_hub_faster_than_on_a_switch(database: Database) -> None:
    for workload in ("broadcast", "all-to-all"):
        times = means(database, "time", "kind, nodes", f"workload = '{workload}'")
        # With 24 nodes, no power of two, the exchange on the switch waits more often for timers.
        counts = sorted({nodes for _, nodes in times} - {24})
        per_node = [times["hub", nodes] / nodes for nodes in counts]
        ratios = [times["hub", nodes] / times["switch", nodes] for nodes in counts]
        if workload == "all-to-all":
            assert all(one < following for one, following in pairwise(per_node))
        # Seeds are added until the means are known to a tenth; the small form has two sizes.
        assert all(0.85 * one < following for one, following in pairwise(ratios))
        assert ratios[0] < 1.5


def a_p_mesh_is_cheaper_and_survives_more(database: Database) -> None:
    def both(metric: str, where: str = "true") -> tuple[float, float]:
        found = means(database, metric, "kind", where)
        return found["p-mesh",], found["fat-tree",]

    for metric in ("cost_per_node_units_bought", "cost_per_node_ports_used", "cables"):
        mesh, tree = both(metric)
        assert mesh < 0.85 * tree
    mesh, tree = both("survives")
    assert mesh == 1
    assert tree < 0.6
    for pattern in ("uniform", "permutation", "bit-complement"):
        mesh, tree = both("saturation_throughput", f"workload = '{pattern}'")
        assert mesh > 1.05 * tree
    mesh, tree = both("saturation_throughput", "workload = 'worst-case'")
    assert mesh == pytest.approx(tree, rel=0.01)
    mesh, tree = both("time", "workload = 'permutation' and engine = 'flow'")
    assert mesh < tree
    mesh, tree = both("time", "workload = 'permutation' and engine = 'analytic'")
    assert mesh > tree


def a_switch_pays_today_from_eight_nodes_on(database: Database) -> None:
    costs, times = (
        means(database, metric, "catalogue, kind, nodes")
        for metric in ("cost_per_node_units_bought", "time")
    )
    for catalogue, kind, nodes in costs:
        if kind != "switch" or (catalogue, "ring", nodes) not in costs:
            continue
        is_cheaper, is_faster = (
            found[catalogue, "switch", nodes] < found[catalogue, "ring", nodes]
            for found in (costs, times)
        )
        is_today = catalogue == "ethernet-2026"
        assert is_cheaper == (is_today and (nodes == 4 or nodes >= 8))
        # Between these sizes, the ring is faster or the times are alike.
        pays_from = 8 if is_today else 12
        if (is_today and nodes == 3) or nodes >= pays_from:
            assert is_faster == (nodes >= 8)
        if not is_today and nodes == 32:
            others = [times[catalogue, one, nodes] for one in ("hub", "ring", "torus")]
            assert times[catalogue, "switch", nodes] < 0.75 * min(others)
    if ("whitney-1998", "ring", 16) in costs:
        place = "catalogue = 'whitney-1998' and nodes = 16"
        asked = Asked(x="cost_per_node_units_bought", metric="time", by=["kind"], where=place)
        rows = study_figure("pareto", database, asked).rows
        assert {row[0] for row in rows if row[-1] == "yes"} >= {"ring", "torus", "switch"}


CLAIMS: Mapping[str, Callable[[Database], None]] = {
    "torus-dimension": a_forward_costs_the_same_everywhere_and_fewer_save_time,
    "hub-density": time_per_node_grows_on_a_hub_faster_than_on_a_switch,
    "thousand-nodes": a_p_mesh_is_cheaper_and_survives_more,
    "switch-or-not": a_switch_pays_today_from_eight_nodes_on,
}


def test_every_study_has_claims() -> None:
    assert STUDIES.keys() == CLAIMS.keys()


@contextmanager
def opened(folder: StudyFolder) -> Iterator[Database]:
    """Open a folder none of whose runs has failed."""
    assert [one.message for one in folder.progressed().done if one.has_failed] == []
    with Database(folder) as database:
        yield database


@pytest.mark.parametrize("name", CLAIMS)
def test_the_small_form_shows_it(name: str, tmp_path: Path) -> None:
    with opened(run(Study.from_fields(small(name)), tmp_path / name, jobs=2)) as database:
        CLAIMS[name](database)


@pytest.mark.parametrize("name", CLAIMS)
def test_the_kept_rows_show_it(name: str, tmp_path: Path) -> None:
    with opened(study_examples.kept(name, tmp_path)) as database:
        CLAIMS[name](database)


def test_kept_rows_are_those_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "torus-dimension"
    study = Study.from_fields({**small(name), "engines": ["analytic"]})
    made = run(study, tmp_path / "made", jobs=1)
    (tmp_path / f"{name}.csv").write_text(study_examples.rows_text(made))
    monkeypatch.setattr(study_examples, "DATA", tmp_path)
    with opened(made) as before, opened(study_examples.kept(name, tmp_path / "again")) as after:
        for metric in ("time", "latency", *made.study.plan):
            columns = "design, shape, topology_shape" + (", dst" if metric == "latency" else "")
            found, seen = (means(one, metric, columns) for one in (after, before))
            assert len(found) >= 3
            assert found == pytest.approx(seen, rel=1e-8)
