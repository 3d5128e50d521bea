"""A reproduction: printed numbers and qualitative claims beside ours, results of runs, and plots.

As rows of the one result schema each printed value is followed by ours, with the same design and
metric; its parameters hold the verdict and remarks. A qualitative claim is one row with the number
that judges it; a run without a printed number is one row too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from linkwright.papers.claim import Verdict
from linkwright.papers.entry import Entry
from linkwright.papers.known import why_known
from linkwright.papers.reading import exceeds_memory
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.results import Result, Row, design_columns, interval_of
from linkwright.views.plots import Plot

__all__ = ["NOT_PRINTED", "Reproduction"]

NOT_PRINTED = "not printed"
"""In place of a verdict for a run without a printed number."""

_SINGLE = ("aggregate_throughput", "time")
"""Metrics that represent a run without a printed number: the first with a single value."""


@dataclass(frozen=True)
class Reproduction:
    """Everything by table, such as "PMESH-1998/3"."""

    entries: Mapping[str, list[Entry]]
    """Printed numbers and qualitative claims beside ours."""
    run_tables: Mapping[str, RunTable]
    results: Mapping[str, Mapping[str, Result]]
    """By table, then by experiment."""
    is_brief: bool = False
    """Whether long runs were shortened."""

    @property
    def numbers(self) -> dict[str, list[Entry]]:
        """The printed numbers of every table."""
        return self._chosen(is_qualitative=False)

    @property
    def qualitative(self) -> dict[str, list[Entry]]:
        """The qualitative claims of every table."""
        return self._chosen(is_qualitative=True)

    @property
    def differs(self) -> list[Entry]:
        """The printed numbers that ours contradict."""
        return self._with(Verdict.DIFFERS)

    @property
    def fails(self) -> list[Entry]:
        """The qualitative claims that do not hold."""
        return self._with(Verdict.FAILS)

    @property
    def inside(self) -> tuple[int, int]:
        """Number of counted printed values in our interval, and of all with an interval."""
        entries = (one for found in self.numbers.values() for one in found if not one.left_out)
        inside = [one.is_inside for one in entries if one.is_inside is not None]
        return sum(inside), len(inside)

    @property
    def unexplained(self) -> list[Entry]:
        """The numbers and claims contradicted by ours that are not recorded as known."""
        return [entry for entry in (*self.differs, *self.fails) if not why_known(entry)]

    def rows(self) -> Result:
        """Return printed values and ours alternating, other runs, and qualitative claims."""
        printed = (row for found in self.numbers.values() for one in found for row in _rows(one))
        alone = (
            row
            for table, runs in self.run_tables.items()
            for one in runs.without_a_number()
            for row in _alone(table, one, self.results[table][one.name])
        )
        words = (_qualitative(one) for found in self.qualitative.values() for one in found)
        return Result.from_rows(map(self._marked, (*printed, *alone, *words)))

    def runs(self) -> Result:
        """Return all rows of all runs, with their manifests."""
        return Result.concatenate(
            result for of_table in self.results.values() for result in of_table.values()
        )

    def plots(self) -> Iterator[tuple[str, Plot]]:
        """Yield the plots of every table, with the name of their file: paper, table and plot.

        A plot whose own name begins with that of the table does not repeat it.
        """
        for key, runs in self.run_tables.items():
            paper, _, table = key.partition("/")
            for plot in runs.plots(self.results[key]):
                name = plot.name if plot.name.startswith(table) else f"{table}-{plot.name}"
                yield f"{paper.lower()}-{name}", plot

    def _marked(self, row: Row) -> Row:
        """Return a row with the note that its run was shortened, if it was."""
        if not self.is_brief or row.origin == "printed" or row.study not in self.run_tables:
            return row
        return replace(row, parameters={**row.parameters, "quick": True})

    def _chosen(self, *, is_qualitative: bool) -> dict[str, list[Entry]]:
        return {
            table: [entry for entry in found if entry.claim.is_qualitative is is_qualitative]
            for table, found in self.entries.items()
        }

    def _with(self, verdict: Verdict) -> list[Entry]:
        every = (entry for found in self.entries.values() for entry in found)
        return [entry for entry in every if entry.verdict is verdict]


def _rows(entry: Entry) -> tuple[Row, Row]:
    """Return a printed value and ours."""
    claim = entry.claim
    assert claim.printed is not None, "a qualitative claim has no value"
    judged: dict[str, str | float | None] = {
        "verdict": str(entry.verdict),
        "basis": str(claim.basis),
        "corrected": claim.corrected,
        "erratum": claim.erratum,
        "tolerance": claim.tolerance,
        "reason": claim.reason,
        "left_out": entry.left_out,
        "known": why_known(entry),
    }
    ours = _ours(entry, {name: value for name, value in judged.items() if value})
    place = {"paper": claim.paper, "table": claim.table, "row": claim.row}
    printed = replace(ours, value=claim.printed, origin="printed", calibration="", parameters=place)
    return printed, ours


def _qualitative(entry: Entry) -> Row:
    claim = entry.claim
    parameters = {
        "says": claim.says,
        "figure": claim.figure,
        "reason": claim.reason,
        "at_least": claim.at_least,
        "at_most": claim.at_most,
        "bounds": claim.bounds,
        "verdict": str(entry.verdict),
        "known": why_known(entry) or None,
        "basis": str(claim.basis),
        "numbers": dict(entry.numbers),
        "numbers_unit": entry.numbers_unit,
    }
    return _ours(entry, {name: value for name, value in parameters.items() if value is not None})


def _ours(entry: Entry, judged: Mapping[str, object]) -> Row:
    """Return our value, with remarks."""
    claim = entry.claim
    place = {"paper": claim.paper, "table": claim.table, "row": claim.row}
    return Row(
        study=f"{claim.paper}/{claim.table}",
        **(design_columns(entry.network) if entry.network else {}),
        calibration=entry.calibration,
        parameters={**place, **judged, **_seeds(entry.seeds, entry.spread), **_interval(entry)},
        metric=claim.metric,
        value=entry.ours,
        unit=claim.unit,
        origin="predicted",
    )


def _alone(table: str, experiment: Experiment, result: Result) -> Iterator[Row]:
    """Yield the time or throughput of a run without a printed number, if it has only one value."""
    paper, _, name = table.partition("/")
    network = experiment.network
    for metric in _SINGLE:
        rows = result.filter(metric=metric)
        values = rows.values().tolist()
        if len(values) == experiment.seeds:
            yield Row(
                study=table,
                **design_columns(network),
                calibration=network.calibration,
                parameters={"paper": paper, "table": name, "row": experiment.name}
                | {"verdict": NOT_PRINTED}
                | ({"exceeds_memory": True} if exceeds_memory(result) else {})
                | _seeds(experiment.seeds, interval_of(values).deviation),
                metric=metric,
                value=float(np.mean(values)),
                unit=rows.column("unit")[0],
                origin="predicted",
            )
            return


def _seeds(seeds: int, spread: float) -> dict[str, float]:
    return {"seeds": seeds} | ({"spread": spread} if spread else {}) if seeds > 1 else {}


def _interval(entry: Entry) -> dict[str, object]:
    """Return the interval of ours, and for a printed number whether it is inside."""
    if entry.interval is None:
        return {}
    found: dict[str, object] = {"low": entry.interval.low, "high": entry.interval.high}
    if entry.draws:
        found["draws"] = entry.draws
    return found if entry.claim.is_qualitative else found | {"inside": bool(entry.is_inside)}
