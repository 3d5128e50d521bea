"""The appendix' rates of the NAS parallel benchmarks: operations over printed time.

Every printed pair of time and rate must fit the operation count of its benchmark and class; two
pairs do not, and one rate per node is double the value of its own row.
"""

from __future__ import annotations

from linkwright.papers.claim import Claim
from linkwright.papers.entry import Entry
from linkwright.papers.npb_runs import PrintedRun, printed_runs
from linkwright.workloads.npb.classes import operations

__all__ = ["appendix_rates"]

_DIGIT = 0.01
"""Times and rates are printed to two decimals."""
_MEGA = 1e6


def appendix_rates() -> list[Entry]:
    """Return the rate of every run beside operations over time, and the misprinted times and rates
    per node.
    """
    runs = printed_runs(__package__, single_nodes=True)
    return [entry for run in runs for entry in _entries(run)]


def _entries(run: PrintedRun) -> list[Entry]:
    millions = operations(run.benchmark, run.problem_class) / _MEGA
    if run.corrected_s is not None:
        return [
            _entry(run, "time", run.time_s, millions / run.rate, is_wrong=True),
            _entry(run, "rate", run.rate, millions / run.corrected_s),
        ]
    is_wrong = run.erratum == "npb-bt-rate"
    found = [_entry(run, "rate", run.rate, millions / run.time_s, is_wrong=is_wrong)]
    if run.rate_per_node is not None:
        per_node = millions / run.time_s / run.nodes
        found.append(_entry(run, "rate_per_node", run.rate_per_node, per_node, is_wrong=True))
    return found


def _entry(
    run: PrintedRun, metric: str, printed: float, ours: float, *, is_wrong: bool = False
) -> Entry:
    scale, unit = (1.0, "s") if metric == "time" else (_MEGA, "op/s")
    corrected = run.corrected if is_wrong else None
    # Both figures of a pair are rounded: the time by a relative error, the rate by its digit.
    tolerance = 0.5 * _DIGIT / run.time_s + 0.5 * _DIGIT / run.rate
    claim = Claim(
        paper="NAS-97-017",
        table="appendix-rates",
        row=f"{run.group}-{run.network}-{run.layout}",
        metric=metric,
        unit=unit,
        digit=_DIGIT * scale,
        printed=printed * scale,
        corrected=None if corrected is None else corrected * scale,
        tolerance=tolerance,
        reason="does not fit the operation count and its own row" if is_wrong else "",
        erratum=run.erratum if is_wrong else "",
    )
    return Entry(claim=claim, ours=ours * scale)
