"""Measured figures beside predicted ones: as a table in a terminal, as CSV, and as a page.

A difference beyond the limit is set off, with its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.text.csv_text import csv_text
from linkwright.views.fitting_table import Cell, FittingTable, Heading
from linkwright.views.frame import page
from linkwright.views.provenance import provenance
from linkwright.views.quantities import quantity, size

if TYPE_CHECKING:
    from linkwright.measurement.beside import Beside, Pair
    from linkwright.network import Network
    from linkwright.results import Manifest

__all__ = ["beside_csv", "beside_page", "beside_table"]

HEADINGS = (
    "workload",
    "size",
    "metric",
    "measured",
    "predicted",
    "residual",
    "runs",
    "reason",
)
COLUMNS = (
    "workload", "path", "size_bytes", "metric", "unit", "measured", "predicted", "residual",
    "spread", "n", "verdict", "reason",
)  # fmt: skip


def beside_table(found: Beside) -> RenderableType:
    """Return the answer in one sentence, and the figures side by side."""
    headings = [
        Heading("workload"),
        Heading("size", "right"),
        Heading("metric"),
        *(Heading(name, "right") for name in ("measured", "predicted", "residual", "runs")),
        Heading("reason", wraps=True),
    ]
    rows: list[list[Cell]] = []
    for one in found.pairs:
        texts: list[Cell] = list(_texts(one))
        texts[5] = Text(str(texts[5]), style="bold red" if one.reason else "")
        rows.append(texts)
    return Group(Text(found.answer), FittingTable(headings, rows))


def beside_csv(found: Beside) -> str:
    """Return the figures as CSV, in base units."""
    records = (one.to_json() for one in found.pairs)
    return csv_text(COLUMNS, [[record[name] for name in COLUMNS] for record in records])


def beside_page(found: Beside, network: Network, manifest: Manifest) -> str:
    """Return the figures as an HTML page, which works without scripts."""
    return page(
        "beside.html.j2",
        title=f"{found.design}: measured and predicted",
        found=found,
        facts=[
            ("Design", found.design),
            ("Engine", found.engine),
            ("Hosts", found.calibration),
            ("Figures", str(len(found.pairs))),
        ],
        headings=HEADINGS,
        rows=[(_texts(one), bool(one.reason)) for one in found.pairs],
        styles=("verify.css",),
        provenance=provenance(network, manifest),
        version=manifest.version,
    )


def _texts(one: Pair) -> tuple[str, ...]:
    """Return a pair as the texts of a row."""
    predicted = "none" if one.predicted is None else quantity(one.predicted, one.unit)
    residual = "" if one.residual is None else f"{one.residual:+.0%}"
    return (
        f"{one.workload}, {one.path}" if one.path else one.workload,
        "" if one.size_bytes is None else size(one.size_bytes),
        one.metric,
        quantity(one.measured, one.unit),
        predicted,
        residual,
        f"{one.n} {one.verdict}".strip(),
        one.reason,
    )
