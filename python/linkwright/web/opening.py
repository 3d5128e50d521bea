"""Results, comparisons and studies on disk, as tables and figures for the page.

Files about real machines are shown beside the open design (machines.py). A result or a comparison
is a table of its rows. A study offers its columns and metrics, and answers with one of the usual
figures and the table of its numbers.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from linkwright import results
from linkwright.errors import UsageError, shown
from linkwright.files import read_text
from linkwright.progress import Report
from linkwright.records.nested import flat
from linkwright.study import Database, pivot, sensitivity
from linkwright.study.database import quoted
from linkwright.text.json_text import read_json
from linkwright.views.chart import chart_data
from linkwright.views.sensitivity_plot import sensitivity_figure
from linkwright.views.study_figure import StudyFigure
from linkwright.views.study_plots import Asked, study_figure
from linkwright.web.answers import Study, Table
from linkwright.web.machines import is_of_machines, machines_shown

__all__ = ["opened"]

MOST_ROWS = 2000
MOST_BYTES = 64 << 20
OFFERED = ("lines", "box", "heat", "pareto", "sensitivity")
"""Figures of a study: over a column, of two metrics against each other, or of what matters."""
USUAL_SERIES = ("kind", "workload", "engine")
"""Columns that distinguish the series of a figure, unless the study has further axes."""
Event = tuple[str, Any]


def opened(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the content of a result or of a study.

    Parameters
    ----------
    request : mapping
        The `path`, its `kind` ("results" or "studies"), for a study what is `asked` of it, and the
        `text` of the open design with the `folder` of its paths, for files about its machines.
    report : callable
        Not called: each answer is short.
    """
    del report
    path = Path(request["path"])
    if request["kind"] == "studies":
        yield from _study(path, request.get("asked") or {})
    elif path.suffix.lower() == ".csv":
        text = read_text(path, "", most_bytes=MOST_BYTES, hint="choose another file")
        headings, *rows = list(csv.reader(io.StringIO(text))) or [[]]
        yield "table", _table(headings, rows)
    elif is_of_machines(value := _json(path)):
        yield "machines", machines_shown(value, request)
    elif compared := _comparison(value):
        names = list(dict.fromkeys(name for row in compared for name in row))
        yield "table", _table(names, [[row.get(name) for name in names] for row in compared])
    else:
        found = results.load(path)
        rows = [[getattr(row, name) for name in results.COLUMNS] for row in found.rows()]
        yield "table", _table(list(results.COLUMNS), rows)


def _json(path: Path) -> Any:
    """Return the value of a JSON file; None if the file is another."""
    if path.suffix.lower() != ".json":
        return None
    try:
        return read_json(read_text(path, "", most_bytes=MOST_BYTES, hint="choose another file"))
    except ValueError:
        return None


def _comparison(found: Any) -> list[dict[str, Any]]:
    """Return the rows of a comparison that was written as JSON; none if the value is another."""
    is_known = isinstance(found, list) and all(
        isinstance(row, dict) and "architecture" in row for row in found
    )
    return [flat(row) for row in found] if is_known else []


def _table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    cells = [[_cell(cell) for cell in row] for row in rows[:MOST_ROWS]]
    return {"headings": list(headings), "rows": cells, "n_rows": len(rows)}


def _cell(value: Any) -> Any:
    """Return a cell as a JSON value; mappings, lists and dates become text, as in CSV."""
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(value, default=str)
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _study(path: Path, asked: Mapping[str, str]) -> Iterator[Event]:
    with Database(path) as database:
        if not asked:
            yield "study", _offer(database)
            return
        kind = asked.get("kind", "lines")
        if kind not in OFFERED:
            raise UsageError(f"there is no figure {shown(kind)}", f"choose {', '.join(OFFERED)}")
        figure, table = _answer(database, kind, asked)
        yield "table", table
        yield "figure", {"charts": list(map(chart_data, figure().charts))}


def _answer(
    database: Database, kind: str, asked: Mapping[str, str]
) -> tuple[Callable[[], StudyFigure], Table]:
    """Return a figure, which may be refused where its table is not, and the table."""
    metric, x = asked.get("metric", ""), asked.get("x", "")
    by = [asked["by"]] if asked.get("by") else []
    if kind == "sensitivity":
        found = sensitivity(database.folder, metric, by)
        table = _table(found.headings(), found.rows())
        table["caption"] = " ".join(found.notes)
        return lambda: sensitivity_figure(found), table
    if kind == "pareto":
        made = study_figure(kind, database, Asked(x=x, metric=metric, by=by))
        return lambda: made, _table(made.headings, made.rows)
    means = pivot(database, metric, [x], by)
    table = _table(means.headings(), means.table())
    table["caption"] = f"Means of {metric}" + (f" in {means.unit}" if means.unit != "1" else "")
    wanted = Asked(x=x, metric=metric, by=by)
    if kind == "heat":
        wanted = Asked(x=x, metric=metric, y="".join(by))
    return lambda: study_figure(kind, database, wanted), table


def _offer(database: Database) -> Study:
    """Return the questions to a study; the first is the time by its first axis."""
    varied = [
        name
        for name in (*database.folder.axes, *USUAL_SERIES)
        if len(database.query(f"select distinct {quoted(name)} from rows").rows()) > 1
    ]
    first, second, *_ = [*varied, "", ""]
    metrics = list(database.metrics)
    metric = "time" if "time" in metrics else (metrics or [""])[0]
    return {
        "columns": list(database.columns),
        "metrics": metrics,
        "figures": list(OFFERED),
        "usual": {"metric": metric, "x": first or "nodes", "by": second},
    }
