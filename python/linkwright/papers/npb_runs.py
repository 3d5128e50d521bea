"""The NAS benchmarks as the Whitney reports ran them: `printed.csv` beside predictions.

Every printed run is an experiment of its own; shapes that a report ran and whose numbers are not
here are predicted all the same. Single nodes are what the rates of the calibration were taken from,
and no experiment.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from linkwright import workloads
from linkwright.papers.entry import Basis
from linkwright.papers.printed import Printed
from linkwright.papers.study import Claim, Experiment, Results, mean_of
from linkwright.text.csv_text import csv_records
from linkwright.views.figures import Curve, Figure, Panel

__all__ = [
    "BRIEF_PASSES",
    "SEEDS",
    "NpbRun",
    "figures",
    "printed_runs",
    "runs_as_claims",
    "runs_as_experiments",
]

TOLERANCE = 0.2
"""Of a run's time."""
REASON = (
    "one rate per benchmark and estimates of how its operations are spread over a pass; "
    "twenty per cent is what the project asks of itself for a single run"
)

BRIEF_PASSES = "8"
"""Passes that are played when time is short."""
SEEDS, SEEDS_OF_SMALL_RUNS = 2, 4
"""An even number, because connections of Linux 2.0 behave by the time of the day at which they
were made, which the first seeds draw from two halves in turn (docs/design/tcp.md); more for class
S, where little is computed and both that and collisions weigh most."""


@dataclass(frozen=True, kw_only=True)
class NpbRun:
    """One run; times in s."""

    benchmark: str
    problem_class: str
    nodes: int
    layout: str
    network: str
    time_s: float | None = None
    """As printed, None where it is not here."""
    corrected_s: float | None = None
    erratum: str = ""

    @property
    def name(self) -> str:
        """Benchmark, class, ranks, network and, where the network has several, the layout."""
        where = f"-{self.layout}" if self.layout in ("row", "2x2") else ""
        return f"{self.group}-{self.network}{where}"

    @property
    def group(self) -> str:
        """What is the same on every network."""
        return f"{self.benchmark}.{self.problem_class}.{self.nodes}"


def printed_runs(package: str) -> list[NpbRun]:
    """Return the runs on several nodes of a paper's `printed.csv`."""
    text = (resources.files(package) / "printed.csv").read_text(encoding="utf-8")
    rows = csv_records(text)
    return [_run(row) for row in rows if row["network"] != "none"]


def _run(row: Mapping[str, str]) -> NpbRun:
    is_time = row["erratum"].endswith("-time")
    return NpbRun(
        benchmark=row["benchmark"],
        problem_class=row["class"],
        nodes=int(row["nodes"]),
        layout=row["layout"],
        network=row["network"],
        time_s=float(row["time_s"]),
        corrected_s=float(row["corrected"]) if is_time else None,
        erratum=row["erratum"] if is_time else "",
    )


def runs_as_experiments(
    package: str,
    runs: Sequence[NpbRun],
    clusters: Mapping[str, str],
    *,
    node_speed: float = 1.0,
    passes: str = "",
) -> Iterator[Experiment]:
    """Yield an experiment for every run.

    Parameters
    ----------
    package : str
        Folder of the paper.
    runs : sequence of NpbRun
        What was run.
    clusters : mapping of str to str
        Design file by network.
    node_speed : float
        Of the campaign's nodes beside the calibrated ones.
    passes : str
        Passes of the loop that are played; as many as it takes to settle unless given.
    """
    for run in runs:
        settings = {"class": run.problem_class, "ranks": str(run.nodes)}
        if node_speed != 1.0:
            settings["node_speed"] = str(node_speed)
        if passes:
            settings["iterations"] = passes
        brief = {"iterations": BRIEF_PASSES, **settings}
        kind = f"npb.{run.benchmark}"
        yield Experiment(
            name=run.name,
            package=package,
            cluster=clusters[run.network],
            workload=workloads.parse(kind, settings),
            brief=workloads.parse(kind, brief),
            placement="2x2" if run.layout == "2x2" else "row",
            seeds=SEEDS_OF_SMALL_RUNS if run.problem_class == "S" else SEEDS,
        )


def runs_as_claims(
    paper: str,
    table: str,
    runs: Sequence[NpbRun],
    *,
    fitted: Container[str] = (),
    left_out: str = "",
) -> Iterator[Claim]:
    """Yield a claim for every printed time.

    Parameters
    ----------
    fitted : container of str
        Names of the runs from which a constant was read.
    left_out : str
        Why none of the runs counts, if none does.
    """
    for run in runs:
        if run.time_s is not None:
            yield Claim(
                printed=_printed(paper, table, run, run.time_s),
                of=(run.name,),
                value=mean_of("time"),
                basis=Basis.CALIBRATED if run.name in fitted else Basis.PREDICTED,
                group=run.group,
                network=run.network,
                left_out=left_out,
            )


def _printed(paper: str, table: str, run: NpbRun, time_s: float) -> Printed:
    return Printed(
        paper=paper,
        table=table,
        row=run.name,
        metric="time",
        unit="s",
        digit=0.01,
        printed=time_s,
        corrected=run.corrected_s,
        tolerance=TOLERANCE,
        erratum=run.erratum,
        reason=REASON,
    )


def figures(runs: Sequence[NpbRun], results: Results, problem_class: str) -> Iterator[Figure]:
    """Yield the Mflop/s of each benchmark against the nodes, a curve for every network."""
    chosen = [run for run in runs if run.problem_class == problem_class and run.layout != "2x2"]
    panels = [
        Panel(
            title=f"{benchmark.upper()}, class {problem_class}",
            x_label="nodes",
            y_label="Mflop/s of all nodes",
            curves=tuple(_curves([run for run in chosen if run.benchmark == benchmark], results)),
        )
        for benchmark in dict.fromkeys(run.benchmark for run in chosen)
    ]
    caption = f"NAS parallel benchmarks, class {problem_class}: rate against nodes"
    yield Figure(f"npb-class-{problem_class.lower()}", caption, tuple(panels))


def _curves(runs: Sequence[NpbRun], results: Results) -> Iterator[Curve]:
    for network in sorted({run.network for run in runs}):
        own = sorted((run for run in runs if run.network == network), key=lambda run: run.nodes)
        ours = [(run.nodes, mean_of("rate")(results[run.name]) / 1e6) for run in own]
        yield Curve(network, *_columns(ours))
        printed = [
            (run.nodes, rate * (run_time(results, run) / (run.corrected_s or run.time_s)))
            for run, (_, rate) in zip(own, ours, strict=True)
            if run.time_s
        ]
        if printed:
            yield Curve(network, *_columns(printed), is_printed=True)


def run_time(results: Results, run: NpbRun) -> float:
    """Return the predicted time of a run."""
    return mean_of("time")(results[run.name])


def _columns(points: Sequence[tuple[float, float]]) -> tuple[Any, Any]:
    x, y = zip(*points, strict=True)
    return x, y
