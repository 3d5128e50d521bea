"""The `printed.toml` of a paper's folder: its printed numbers in base units, set beside ours.

The file is read and scaled only here. Its sections are the paper's tables; `[metrics]` says how the
paper prints each quantity, and `[words]` has by table what it says without a number.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from linkwright.network import Network
from linkwright.papers.entry import Entry
from linkwright.papers.words import Words


@dataclass(frozen=True)
class Metric:
    """How the paper prints a quantity: base unit, worth of the paper's unit, decimals shown."""

    unit: str
    scale: float
    decimals: int

    @property
    def digit(self) -> float:
        """What one step of the last printed digit is worth in the base unit."""
        return self.scale * 10.0**-self.decimals


@dataclass(frozen=True, kw_only=True)
class Printed:
    """One printed number; values in the metric's base unit, places as `Entry` has them."""

    paper: str
    table: str
    row: str
    metric: str
    unit: str
    digit: float
    printed: float
    corrected: float | None
    tolerance: float
    erratum: str
    reason: str

    def beside(self, network: Network, ours: float, *, calibration: str = "") -> Entry:
        """Return the printed number beside what a built network says."""
        return Entry(
            **vars(self),
            design=network.name,
            design_hash=network.design_hash,
            ours=ours,
            calibration=calibration,
        )


@dataclass(frozen=True)
class PrintedNumbers:
    """The document of one paper."""

    document: Mapping[str, Any]

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return str(self.document["paper"])

    @property
    def metrics(self) -> dict[str, Metric]:
        """Every quantity that the paper prints."""
        return {name: Metric(**fields) for name, fields in self.document["metrics"].items()}

    def table(self, table: str) -> tuple[Printed, ...]:
        """Return the numbers of one table, in the order of the file."""
        metrics = self.metrics
        return tuple(
            self._number((table, row, metric), metrics[metric], fields)
            for row, numbers in self.document[table].items()
            for metric, fields in numbers.items()
        )

    def words(self, table: str) -> tuple[Words, ...]:
        """Return what is said of one table in words, in the order of the file."""
        said = self.document.get("words", {}).get(table, {})
        return tuple(
            Words(paper=self.paper, table=table, row=row, **fields) for row, fields in said.items()
        )

    def _number(
        self, place: tuple[str, str, str], metric: Metric, fields: dict[str, Any]
    ) -> Printed:
        corrected = fields.get("corrected")
        return Printed(
            paper=self.paper,
            table=place[0],
            row=place[1],
            metric=place[2],
            unit=metric.unit,
            digit=metric.digit,
            printed=fields["printed"] * metric.scale,
            corrected=None if corrected is None else corrected * metric.scale,
            tolerance=fields.get("tolerance", 0.0),
            erratum=fields.get("erratum", ""),
            reason=fields.get("reason", ""),
        )


@cache
def printed_numbers(package: str) -> PrintedNumbers:
    """Return the numbers of `printed.toml` in the folder of a paper."""
    text = (resources.files(package) / "printed.toml").read_text(encoding="utf-8")
    return PrintedNumbers(tomllib.loads(text))
