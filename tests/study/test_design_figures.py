"""Figures of designs in the rows of a study, and saturation among its engines.

Each figure equals that of the plan, and each row of saturation that of `engines.saturate`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

import linkwright
from linkwright import calibrations, engines
from linkwright.design.cluster import Cluster
from linkwright.design.topologies.numbered import cable_names
from linkwright.network import Network
from linkwright.plan import planned
from linkwright.study import Database, Study, run
from linkwright.study.study_file import PlanFigure

DESIGNS = {
    "ring": "{topology: {kind: ring, shape: [6]}}",
    "torus": (
        "{topology: {kind: torus, shape: [3, 3]}, "
        "parts: {catalogue: ethernet-2026, nic: nic-10g-dual}}"
    ),
    "hub": "{topology: {kind: hub-switch, nodes: 7, density: 3}, front_end: true}",
    "stack": "{topology: {kind: stack-ring, stages: 3, nodes_per_stage: 4}}",
}
NAMES = ", ".join(get_args(PlanFigure))


def made(tmp_path: Path, text: str) -> Database:
    """Return the rows of a study made by one worker, none of whose runs has failed."""
    folder = run(Study.parse(text), tmp_path / "study", jobs=1)
    assert [one.message for one in folder.progressed().done if one.has_failed] == []
    return Database(folder)


def network_of(design: str, without: tuple[str, ...] = ()) -> Network:
    """Return a compiled design."""
    return linkwright.compile(Cluster.parse(design), without=without)


def summary_figures(summary: Any) -> dict[str, float]:
    """Return the figures of a study as the summary of a plan has them."""
    counts, cost = summary["counts"], summary["cost_per_node"]
    return {
        "cost_per_node_units_bought": cost["units_bought"],
        "cost_per_node_ports_used": cost["ports_used"],
        **{name: counts[name] for name in ("nics", "cables", "hubs", "switches")},
        "forwards_mean": summary["forwards"]["mean"],
        "forwards_worst": summary["forwards"]["worst"],
        "bisection_per_node": summary["bisection"]["per_node_MBps"] * 1e6,
        "heals": summary["resilience"]["heals"],
        "survives": summary["resilience"]["survives"],
    }


@pytest.mark.parametrize("has_failure", [False, True], ids=["whole", "without a cable"])
@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_figures_are_those_of_the_plan(design: str, has_failure: bool, tmp_path: Path) -> None:
    whole = network_of(design)
    *_, last = cable_names(len(whole.wiring.cable_a))
    without = (last,) if has_failure else ()
    text = f"""
designs: [{{design: {design}}}]
workloads: [{{name: ping-pong, settings: {{size_bytes: 1}}}}]
engines: [analytic]
without: [[{", ".join(map(repr, without))}]]
metrics: [latency]
plan: [{NAMES}]
"""
    summary = planned(whole, network_of(design, without) if without else None).summary
    with made(tmp_path, text) as database:
        found = dict(database.query("select metric, value from rows").rows())
        unit, parameters = database.query(
            "select unit, parameters from rows where metric = 'cost_per_node_units_bought'"
        ).rows()[0]
    assert found.pop("latency") > 0
    assert found == pytest.approx(summary_figures(summary), rel=1e-8)
    assert unit == summary["cost_per_node"]["currency"]
    assert '"price_dates": ["' in parameters


def test_a_design_without_a_price_fails_its_run_and_no_other(tmp_path: Path) -> None:
    nic = "{name: N, rate_mbps: 100, price: 3, currency: EUR, date: 2026-01-01}"
    study = Study.parse(f"""
designs:
  - design: {DESIGNS["ring"]}
    axes: {{parts: [{{}}, {{nic: {nic}}}]}}
workloads: [barrier]
engines: [analytic]
plan: [cost_per_node_units_bought]
""")
    done = run(study, tmp_path / "study", jobs=1).progressed().done
    assert [(one.kind, "priced in EUR and USD" in one.message) for one in done] == [
        ("", False),
        ("PlanError", True),
    ]


def test_another_figure_makes_another_run() -> None:
    from linkwright.study.points import plan

    text = "designs: [{design: {topology: {kind: ring, shape: [4]}}}]\nworkloads: [barrier]\n"
    keys = {plan(Study.parse(text + more))[0].key(1) for more in ("", "plan: [nics]")}
    assert len(keys) == 2


def test_saturation_is_swept_like_an_engine(tmp_path: Path) -> None:
    text = f"""
designs: [{{design: {DESIGNS["ring"]}}}]
workloads: [{{name: shift, axes: {{k: [1, 2]}}}}, worst-case]
hosts: [{{constants: {{}}}}, ideal-reno]
engines: [saturation, flow]
leave_out: [{{engine: flow, workload: worst-case}}]
metrics: [saturation_throughput, time]
"""
    network = network_of(DESIGNS["ring"])
    with made(tmp_path, text) as database:
        found = database.query(
            "select calibration, workload, k, value from rows where engine = 'saturation'"
        ).rows()
        others = database.query("select distinct workload, metric from rows where engine = 'flow'")
    assert len(found) == 6
    assert others.rows() == [("shift", "time")]
    for calibration, workload, k, value in found:
        pattern = linkwright.workloads.parse_pattern(workload, {"k": k} if k else {})
        rows = engines.saturate(network, [pattern], calibration=calibrations.load(calibration))
        assert value == rows.filter(metric="saturation_throughput").values()[0]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("workloads: [barrier]", "saturation needs a pattern"),
        ("workloads: [shift]\nplacements: [random]", "does not depend on placements"),
        ("workloads: [shift]\noptions: {precision: 0.1}", "does not depend on precision"),
        ("workloads: [shift]\nfaults: [['cable:0 down at 1ms']]", "does not depend on faults"),
        ("workloads: [shift]\nbackground: keep-alive", "does not depend on background"),
    ],
)
def test_saturation_refuses_whatever_it_would_ignore(
    more: str, message: str, tmp_path: Path
) -> None:
    text = f"designs: [{{design: {DESIGNS['ring']}}}]\nengines: [saturation]\n{more}\n"
    (done,) = run(Study.parse(text), tmp_path / "study", jobs=1).progressed().done
    assert done.kind == "UsageError"
    assert message in done.message
