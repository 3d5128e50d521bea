"""The NAS benchmarks as in the Whitney reports: `printed.csv` beside predictions.

A line of `printed.csv` is a claim, like a row of `claims.toml`. Every printed run is a separate
experiment; shapes whose numbers are not printed here are predicted too. Single nodes determined the
rates of the calibration, and are no experiment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from linkwright import workloads
from linkwright.papers.claim import Claim
from linkwright.papers.reading import Results, mean_of
from linkwright.papers.run_table import Experiment
from linkwright.text.csv_text import csv_records
from linkwright.views.chart import Axis, Chart, Series
from linkwright.views.plots import Plot

__all__ = [
    "BRIEF_PASSES",
    "NpbRun",
    "PrintedRun",
    "claims",
    "class_a_and_b",
    "experiments",
    "plot",
    "printed_runs",
]

TOLERANCE = 0.2
"""Tolerance of a run's time."""
REASON = (
    "one rate per benchmark and estimates of how its operations are spread over a pass; "
    "twenty per cent is the project's goal for a single run"
)

_PAGED = "the printed run paged; paging is not modelled"

BRIEF_PASSES = "8"
"""Number of passes in brief runs."""


@dataclass(frozen=True, kw_only=True)
class NpbRun:
    """One run."""

    benchmark: str
    problem_class: str
    nodes: int
    network: str
    layout: str = "any"

    @property
    def name(self) -> str:
        """Benchmark, class, ranks, network and, if the network has several, the layout."""
        where = f"-{self.layout}" if self.layout in ("row", "2x2") else ""
        return f"{self.group}-{self.network}{where}"

    @property
    def group(self) -> str:
        """Everything except the network."""
        return f"{self.benchmark}.{self.problem_class}.{self.nodes}"


@dataclass(frozen=True, kw_only=True)
class PrintedRun(NpbRun):
    """One line of `printed.csv`; times in s, rates in Mop/s."""

    time_s: float
    rate: float
    rate_per_node: float | None
    corrected: float | None
    """The right value of a misprinted one."""
    erratum: str
    has_paged: bool
    """Whether the run is known to have exceeded the memory of its nodes."""

    @property
    def corrected_s(self) -> float | None:
        """The right time if the printed one is wrong."""
        return self.corrected if self.erratum.endswith("-time") else None


def printed_runs(package: str, *, single_nodes: bool = False) -> list[PrintedRun]:
    """Return the runs of a paper's `printed.csv`, with those on one node only on request."""
    text = (resources.files(package) / "printed.csv").read_text(encoding="utf-8")
    runs = map(_run, csv_records(text))
    return [run for run in runs if single_nodes or run.network != "none"]


def _run(line: Mapping[str, str]) -> PrintedRun:
    def number(column: str) -> float | None:
        return float(line[column]) if line[column] else None

    return PrintedRun(
        benchmark=line["benchmark"],
        problem_class=line["class"],
        nodes=int(line["nodes"]),
        network=line["network"],
        layout=line["layout"],
        time_s=float(line["time_s"]),
        rate=float(line["mflops"]),
        rate_per_node=number("mflops_per_node"),
        corrected=number("corrected"),
        erratum=line["erratum"],
        has_paged=line["paged"] == "yes",
    )


def class_a_and_b(
    shapes: Iterable[tuple[str, int]], networks: Iterable[str], known: Sequence[NpbRun] = ()
) -> list[NpbRun]:
    """Return known runs, then the missing ones for each benchmark and number of nodes."""
    names = {run.name for run in known}
    runs = (
        NpbRun(benchmark=benchmark, problem_class=size, nodes=n, network=network)
        for benchmark, n in shapes
        for size in ("A", "B")
        for network in networks
    )
    return [*known, *(run for run in runs if run.name not in names)]


def experiments(
    package: str,
    runs: Iterable[NpbRun],
    clusters: Mapping[str, str],
    *,
    node_speed: float = 1.0,
    passes: str = "",
) -> tuple[Experiment, ...]:
    """Return an experiment for every run.

    Parameters
    ----------
    package : str
        Folder of the paper.
    runs : iterable of NpbRun
        The runs.
    clusters : mapping of str to str
        Design file by network.
    node_speed : float
        Speed of the campaign's nodes relative to the calibrated ones.
    passes : str
        Number of passes of the loop. Default: as many as needed to settle.
    """
    return tuple(_experiment(package, run, clusters, node_speed, passes) for run in runs)


def _experiment(
    package: str, run: NpbRun, clusters: Mapping[str, str], node_speed: float, passes: str
) -> Experiment:
    settings = {"class": run.problem_class, "ranks": str(run.nodes)}
    if node_speed != 1.0:
        settings["node_speed"] = str(node_speed)
    if passes:
        settings["iterations"] = passes
    kind = f"npb.{run.benchmark}"
    workload = workloads.parse(kind, settings)
    return Experiment(
        name=run.name,
        package=package,
        cluster=clusters[run.network],
        workload=workload,
        brief=workloads.parse(kind, {"iterations": BRIEF_PASSES, **settings}),
        placement="2x2" if run.layout == "2x2" else "row",
        seeds=workload.n_seeds,
    )


def claims(
    paper: str, table: str, runs: Iterable[PrintedRun], *, fitted: str = "", left_out: str = ""
) -> tuple[Claim, ...]:
    """Return a claim for every printed time.

    Parameters
    ----------
    fitted : str
        Name of the run that determined a constant, if there is one.
    left_out : str
        Reason why none of the runs counts, if none does.
    """
    return tuple(
        Claim(
            paper=paper,
            table=table,
            row=run.name,
            metric="time",
            unit="s",
            digit=0.01,
            printed=run.time_s,
            corrected=run.corrected_s,
            erratum=run.erratum if run.corrected_s is not None else "",
            tolerance=TOLERANCE,
            reason=REASON,
            experiment=run.name,
            fitted=run.name == fitted,
            group=run.group,
            network=run.network,
            left_out=left_out or (_PAGED if run.has_paged else ""),
        )
        for run in runs
    )


def plot(runs: Iterable[NpbRun], results: Results, problem_class: str) -> Plot:
    """Return the Mflop/s of each benchmark against the nodes, a curve for every network."""
    chosen = [run for run in runs if run.problem_class == problem_class and run.layout != "2x2"]
    panels = tuple(
        Chart(
            f"{benchmark.upper()}, class {problem_class}",
            Axis("nodes"),
            Axis("Mflop/s of all nodes"),
            tuple(_curves([run for run in chosen if run.benchmark == benchmark], results)),
        )
        for benchmark in dict.fromkeys(run.benchmark for run in chosen)
    )
    caption = f"NAS parallel benchmarks, class {problem_class}: rate against nodes"
    return Plot(f"npb-class-{problem_class.lower()}", caption, panels)


def _curves(runs: Sequence[NpbRun], results: Results) -> Iterator[Series]:
    for network in sorted({run.network for run in runs}):
        own = sorted((run for run in runs if run.network == network), key=lambda run: run.nodes)
        rates = {run: mean_of(results[run.name], "rate") / 1e6 for run in own}
        yield Series(network, [run.nodes for run in own], list(rates.values()))
        printed = [
            (
                run.nodes,
                rate * (mean_of(results[run.name], "time") / (run.corrected_s or run.time_s)),
            )
            for run, rate in rates.items()
            if isinstance(run, PrintedRun)
        ]
        if printed:
            nodes, printed_rates = zip(*printed, strict=True)
            yield Series(network, nodes, printed_rates, look="printed")
