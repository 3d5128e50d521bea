"""What a reproduction found: printed numbers beside ours, results of runs, and figures.

As rows of the one result schema each printed value is followed by ours, which has the same design
and metric; its parameters hold the verdict, and what there is to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from linkwright.papers.entry import Entry, Verdict
from linkwright.papers.study import Study
from linkwright.results import Result, Row
from linkwright.views.figures import Figure

__all__ = ["Reproduction"]


@dataclass(frozen=True)
class Reproduction:
    """Everything by table, such as "PMESH-1998/3"."""

    entries: Mapping[str, list[Entry]]
    studies: Mapping[str, Study]
    results: Mapping[str, Mapping[str, Result]]
    """By table, then by experiment."""

    @property
    def differs(self) -> list[Entry]:
        """The entries that differ."""
        return [
            entry
            for found in self.entries.values()
            for entry in found
            if entry.verdict is Verdict.DIFFERS
        ]

    def comparisons(self) -> Result:
        """Return printed values and ours as rows, in turn."""
        return Result.from_rows(
            row for found in self.entries.values() for entry in found for row in _rows(entry)
        )

    def runs(self) -> Result:
        """Return all rows of all runs, with their manifests."""
        return Result.concatenate(
            result for of_study in self.results.values() for result in of_study.values()
        )

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield the figures of every table, with the name of their file: paper, then figure."""
        for table, study in self.studies.items():
            paper = table.partition("/")[0].lower()
            for figure in study.figures(self.results[table]):
                yield f"{paper}-{figure.name}", figure


def _rows(entry: Entry) -> tuple[Row, Row]:
    place = {"paper": entry.paper, "table": entry.table, "row": entry.row}
    judged: dict[str, str | float | None] = {
        "verdict": str(entry.verdict),
        "basis": str(entry.basis),
        "corrected": entry.corrected,
        "erratum": entry.erratum,
        "tolerance": entry.tolerance,
        "reason": entry.reason,
        "left_out": entry.left_out,
    }
    shared = Row(
        study=f"{entry.paper}/{entry.table}",
        design=entry.design,
        design_hash=entry.design_hash,
        parameters=place,
        metric=entry.metric,
        value=entry.printed,
        unit=entry.unit,
        origin="printed",
    )
    ours = replace(
        shared,
        calibration=entry.calibration,
        parameters=place | {name: value for name, value in judged.items() if value},
        value=entry.ours,
        origin="predicted",
    )
    return shared, ours
