"""The appendix' rates of the NAS parallel benchmarks: operations over printed time.

Every printed pair of time and rate must fit the operation count of its benchmark and class; two
pairs do not, and one rate per node is the double of what its own row says.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

from linkwright.papers.entry import Entry
from linkwright.text.csv_text import csv_records
from linkwright.workloads.npb.classes import operations

__all__ = ["appendix_rates"]

_DIGIT = 0.01
"""Times and rates are printed to two decimals."""
_MEGA = 1e6


@dataclass(frozen=True)
class _Run:
    """One run as printed; times in s, rates in Mop/s."""

    benchmark: str
    problem_class: str
    nodes: int
    layout: str
    network: str
    time: float
    rate: float
    rate_per_node: float | None
    corrected: float | None
    erratum: str

    @property
    def row(self) -> str:
        """Benchmark, class, nodes and where they stood."""
        return f"{self.benchmark}.{self.problem_class}.{self.nodes}-{self.network}-{self.layout}"


def appendix_rates() -> list[Entry]:
    """Return the rate of every run beside operations over time, and the misprinted times and rates
    per node.
    """
    return [entry for run in _runs() for entry in _entries(run)]


def _entries(run: _Run) -> list[Entry]:
    millions = operations(run.benchmark, run.problem_class) / _MEGA
    if run.erratum == "npb-mg-time":
        return [
            _entry(run, "time", run.time, millions / run.rate, is_wrong=True),
            _entry(run, "rate", run.rate, millions / (run.corrected or run.time)),
        ]
    found = [
        _entry(run, "rate", run.rate, millions / run.time, is_wrong=run.erratum == "npb-bt-rate")
    ]
    if run.rate_per_node is not None:
        per_node = millions / run.time / run.nodes
        found.append(_entry(run, "rate_per_node", run.rate_per_node, per_node, is_wrong=True))
    return found


def _entry(run: _Run, metric: str, printed: float, ours: float, *, is_wrong: bool = False) -> Entry:
    scale, unit = (1.0, "s") if metric == "time" else (_MEGA, "op/s")
    return Entry(
        paper="NAS-97-017",
        table="appendix-rates",
        row=run.row,
        metric=metric,
        design="",
        design_hash="",
        printed=printed * scale,
        ours=ours * scale,
        unit=unit,
        digit=_DIGIT * scale,
        corrected=run.corrected * scale if is_wrong and run.corrected else None,
        # Both figures of a pair are rounded: the time by so much of itself, the rate by its digit.
        tolerance=0.5 * _DIGIT / run.time + 0.5 * _DIGIT / run.rate,
        reason="does not fit the operation count and its own row" if is_wrong else "",
        erratum=run.erratum if is_wrong else "",
    )


def _runs() -> list[_Run]:
    text = (resources.files(__package__) / "printed.csv").read_text(encoding="utf-8")
    return [
        _Run(
            benchmark=line["benchmark"],
            problem_class=line["class"],
            nodes=int(line["nodes"]),
            layout=line["layout"],
            network=line["network"],
            time=float(line["time_s"]),
            rate=float(line["mflops"]),
            rate_per_node=float(line["mflops_per_node"]) if line["mflops_per_node"] else None,
            corrected=float(line["corrected"]) if line["corrected"] else None,
            erratum=line["erratum"],
        )
        for line in csv_records(text)
    ]
