"""What a reproduction found: printed numbers beside ours, results of runs, and figures.

As rows of the one result schema each printed value is followed by ours, which has the same design
and metric; its parameters hold the verdict, and what there is to say. What is said in words is one
row, the figure that it is judged by; so is what was run without a number to set beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from linkwright.papers.entry import Entry, Verdict
from linkwright.papers.study import Prediction, Study
from linkwright.papers.words import WordEntry
from linkwright.results import Result, Row
from linkwright.views.figures import Figure

__all__ = ["NOT_PRINTED", "Reproduction"]

NOT_PRINTED = "not printed"
"""Stands for a verdict where a run has no number beside it."""


@dataclass(frozen=True)
class Reproduction:
    """Everything by table, such as "PMESH-1998/3"."""

    entries: Mapping[str, list[Entry]]
    words: Mapping[str, list[WordEntry]]
    studies: Mapping[str, Study]
    results: Mapping[str, Mapping[str, Result]]
    """By table, then by experiment."""

    @property
    def differs(self) -> list[Entry]:
        """The printed numbers that ours are not."""
        return [
            entry
            for found in self.entries.values()
            for entry in found
            if entry.verdict is Verdict.DIFFERS
        ]

    @property
    def fails(self) -> list[WordEntry]:
        """The words that do not hold."""
        return [
            entry
            for found in self.words.values()
            for entry in found
            if entry.verdict is Verdict.FAILS
        ]

    def rows(self) -> Result:
        """Return printed values and ours in turn, what has no number beside it, and words."""
        printed = (row for found in self.entries.values() for one in found for row in _rows(one))
        alone = (
            _alone(table, prediction)
            for table, study in self.studies.items()
            for prediction in study.predictions(self.results[table])
        )
        words = (_in_words(one) for found in self.words.values() for one in found)
        return Result.from_rows([*printed, *alone, *words])

    def runs(self) -> Result:
        """Return all rows of all runs, with their manifests."""
        return Result.concatenate(
            result for of_study in self.results.values() for result in of_study.values()
        )

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield the figures of every table, with the name of their file: paper, table and figure.

        A figure whose own name begins with that of the table does not repeat it.
        """
        for key, study in self.studies.items():
            paper, _, table = key.partition("/")
            for figure in study.figures(self.results[key]):
                name = figure.name if figure.name.startswith(table) else f"{table}-{figure.name}"
                yield f"{paper.lower()}-{name}", figure


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
        **_seeds(entry.seeds, entry.spread),
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


def _alone(table: str, found: Prediction) -> Row:
    paper, _, name = table.partition("/")
    network = found.experiment.network
    return Row(
        study=table,
        design=network.name,
        design_hash=network.design_hash,
        calibration=network.calibration,
        parameters={"paper": paper, "table": name, "row": found.experiment.name}
        | {"verdict": NOT_PRINTED}
        | ({"exceeds_memory": True} if found.pages else {})
        | _seeds(found.experiment.seeds, found.spread),
        metric=found.metric,
        value=found.value,
        unit=found.unit,
        origin="predicted",
    )


def _in_words(entry: WordEntry) -> Row:
    said = {name: value for name, value in vars(entry.words).items() if value is not None}
    return Row(
        study=f"{entry.words.paper}/{entry.words.table}",
        design=entry.design,
        design_hash=entry.design_hash,
        calibration=entry.calibration,
        parameters=said
        | {"verdict": str(entry.verdict), "basis": str(entry.basis), "bounds": entry.words.bounds}
        | {"numbers": dict(entry.numbers), "numbers_unit": entry.unit}
        | _seeds(entry.seeds, entry.spread),
        metric="words",
        value=entry.ours,
        unit="1",
        origin="predicted",
    )


def _seeds(seeds: int, spread: float) -> dict[str, float]:
    return {"seeds": seeds} | ({"spread": spread} if spread else {}) if seeds > 1 else {}
