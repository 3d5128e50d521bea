"""The report: one self-contained HTML file that opens offline.

This file turns a comparison into the data of the template; the frame is templates/report.html.j2,
the script is built from frontend/ (docs/design/report-page.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from linkwright.plan import Cost, CostLine, Finding, Severity
from linkwright.records.plain_numbers import significant
from linkwright.views.chart import Chart, chart_data
from linkwright.views.charts import charts, values_of
from linkwright.views.columns import (
    Column,
    chosen_parts,
    comparison_columns,
    is_smaller,
    label,
)
from linkwright.views.comparison_answer import comparison_answer
from linkwright.views.cost_chart import FAMILIES, cost_chart, family
from linkwright.views.drawing import draw
from linkwright.views.frame import page
from linkwright.views.inventory import inventory
from linkwright.views.provenance import command_text, without_folders
from linkwright.views.quantities import rounded

if TYPE_CHECKING:
    from linkwright.comparison import Architecture, ArchitectureComparison
    from linkwright.results import Manifest
    from linkwright.views.played_runs import PlayedRuns

__all__ = ["comparison_page"]

MOST_OPEN = 8
"""Networks up to which the parts of the page about single ones are open at first."""
MOST_DRAWN_NODES = 2000
"""Largest network that is drawn; a larger drawing is a grey square, so the page gives the size.
"""


def comparison_page(
    comparison: ArchitectureComparison,
    manifest: Manifest,
    *,
    played: PlayedRuns | None = None,
) -> str:
    """Return the HTML page of a comparison.

    Parameters
    ----------
    comparison : ArchitectureComparison
        The comparison to show.
    manifest : Manifest
        The origin: command, versions, times.
    played : PlayedRuns, optional
        Runs by place of the architecture, or the reasons why there are none.
    """
    columns, all_charts = comparison_columns(comparison), charts(comparison)
    costs = cost_chart(comparison, all_charts) if len(comparison.architectures) > 1 else None
    rows = [
        _row(index, row, [column.cell(row) for column in columns])
        | {"is_smaller": is_smaller(row, comparison)}
        for index, row in enumerate(comparison.architectures)
    ]
    _mark_best(rows, columns)
    answer = comparison_answer(comparison)
    return page(
        "comparison.html.j2",
        styles=("report.css",),
        scripts=("report.js",),
        title=_title(comparison),
        facts=_facts(comparison, manifest),
        columns=columns,
        rows=rows,
        answer=answer,
        ranked=[rows[at] for at in answer.order],
        is_long=len(rows) > MOST_OPEN,
        families=_families(rows),
        left_out=[
            replace(one, name=without_folders(one.name), reason=without_folders(one.reason))
            for one in comparison.left_out
        ],
        costs=costs,
        currency=comparison.architectures[0].properties.cost.currency,
        curves=[_chart(one) for one in all_charts if one.curves],
        bars=[_chart(one) for one in all_charts if one.bars],
        prices=_price_list(comparison),
        findings=[*_findings(comparison)],
        provenance=_provenance(comparison, manifest),
        version=manifest.version,
        played=played,
        chart_data=[
            *([asdict(costs)] if costs else []),
            *(chart_data(one) for one in all_charts),
        ],
    )


def _families(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows by family, families without rows left out."""
    found = {name: [row for row in rows if row["family"] == name] for name in FAMILIES}
    return {name: members for name, members in found.items() if members}


def _mark_best(rows: Sequence[dict[str, Any]], columns: Sequence[Column]) -> None:
    """Mark the best value of each column where one network alone has it, among those of one size.

    Values that read alike are alike.
    """
    competing = [row for row in rows if not row["is_smaller"]]
    for place, column in enumerate(columns):
        values = [(row, row["cells"][place].value) for row in competing]
        known = [(row, significant(value, 3)) for row, value in values if value is not None]
        if not column.better or not known:
            continue
        choose = min if column.better == "low" else max
        best = choose(value for _, value in known)
        winners = [row for row, value in known if value == best]
        if len(winners) == 1 < len(known):
            winners[0]["best"].add(place)


def _title(comparison: ArchitectureComparison) -> str:
    if "nodes" in comparison.inputs:
        return f"Networks for {comparison.inputs['nodes']} nodes, side by side"
    return "Networks side by side: " + ", ".join(row.name for row in comparison.architectures)


def _facts(comparison: ArchitectureComparison, manifest: Manifest) -> list[tuple[str, str]]:
    facts = [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in comparison.inputs.items()
    ]
    return [
        *facts,
        ("workloads", ", ".join(comparison.workloads)),
        ("engine", comparison.engine),
        ("calibration", comparison.calibration),
        *_chance(comparison),
        ("made", f"{manifest.finished:%Y-%m-%d}"),
    ]


def _chance(comparison: ArchitectureComparison) -> list[tuple[str, str]]:
    seeds = comparison.seeds
    if not comparison.draws:
        return [("seed", str(seeds[0]))]
    draws = f"{comparison.draws}; figures are means with 90 % intervals"
    return [("seeds", f"{seeds[0]} to {seeds[-1]}"), ("draws", draws)]


def _row(index: int, row: Architecture, cells: Sequence[Any]) -> dict[str, Any]:
    network = row.network
    is_drawn = network.n_nodes <= MOST_DRAWN_NODES
    return {
        "index": index,
        "label": label(row),
        "family": family(network),
        "is_broken": any(one.severity is Severity.ERROR for one in row.findings),
        "best": set(),
        "cells": cells,
        "drawing": Markup(draw(network)) if is_drawn else "",
        "counts": inventory(network),
        "chosen_parts": chosen_parts(row),
        "cost": _cost(row.properties.cost),
    }


def _cost(cost: Cost) -> dict[str, Any]:
    return {
        "used": [_cost_term(line) for line in cost.ports_used],
        "bought": [_cost_term(line) for line in cost.units_bought],
        "used_per_node": f"{rounded(cost.ports_used_per_node)} {cost.currency}",
        "bought_per_node": f"{rounded(cost.units_bought_per_node)} {cost.currency}",
    }


def _cost_term(line: CostLine) -> str:
    return f"{rounded(line.quantity)} × {line.item} ({rounded(line.unit_price)})"


def _price_list(comparison: ArchitectureComparison) -> list[dict[str, str]]:
    """Return each price of each part once, with all items bought at it."""
    found: dict[tuple[str, float], tuple[CostLine, list[str]]] = {}
    for row in comparison.architectures:
        cost = row.properties.cost
        for line in (*cost.ports_used, *cost.units_bought):
            _, items = found.setdefault((line.part, line.unit_price), (line, []))
            if line.item not in items:
                items.append(line.item)
    return [
        {
            "part": part,
            "item": "; ".join(items),
            "price": f"{rounded(price)} {line.currency}",
            "date": line.price_date.isoformat(),
            "source": line.source,
            "confidence": line.confidence,
        }
        for (part, price), (line, items) in sorted(found.items(), key=lambda entry: entry[0])
    ]


def _chart(chart: Chart) -> dict[str, Any]:
    table = values_of(chart)
    return {"id": chart.id, "title": chart.title, "note": chart.note, "table": table}


def _findings(comparison: ArchitectureComparison) -> Iterable[dict[str, str]]:
    """Yield the findings, with similar ones merged."""
    for row in comparison.architectures:
        by_rule: dict[tuple[str, str], list[Finding]] = {}
        for finding in row.findings:
            by_rule.setdefault((finding.severity, finding.rule), []).append(finding)
        for (severity, _), alike in by_rule.items():
            others = f" ({len(alike) - 1} more like it)" if len(alike) > 1 else ""
            yield {
                "severity": str(severity),
                "label": label(row),
                "reason": alike[0].reason + others,
                "fix": alike[0].fix,
            }


def _provenance(comparison: ArchitectureComparison, manifest: Manifest) -> list[tuple[str, str]]:
    duration_s = math.ceil((manifest.finished - manifest.started).total_seconds())
    hashes = [f"{row.design.name} {row.network.design_hash}" for row in comparison.architectures]
    return [
        ("command", command_text(manifest)),
        ("Linkwright", manifest.version),
        ("engine", comparison.engine),
        ("calibration", comparison.calibration),
        *_chance(comparison),
        ("result schema", str(manifest.schema_version)),
        ("Python", manifest.python),
        ("libraries", ", ".join(f"{name} {of}" for name, of in manifest.libraries.items())),
        ("platform", manifest.platform),
        ("finished", f"{manifest.finished:%Y-%m-%d %H:%M:%S %Z} after {duration_s} s"),
        ("designs", "; ".join(hashes)),
        *(("note", remark) for remark in comparison.remarks),
    ]
