"""Results and studies on disk, as tables and figures for the page.

A result is a table of its rows. A study offers its columns and metrics, and answers with a pivot
and with one of the usual figures.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from linkwright import results
from linkwright.errors import UsageError, shown
from linkwright.files import read_text
from linkwright.progress import Report
from linkwright.study import Database, pivot
from linkwright.views.study_plots import FIGURES, Asked, study_figure

__all__ = ["opened"]

MOST_ROWS = 2000
MOST_BYTES = 64 << 20
Event = tuple[str, Any]


def opened(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the content of a result or of a study.

    Parameters
    ----------
    request : mapping
        The `path`, its `kind` ("results" or "studies"), and for a study what is `asked` of it.
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
    else:
        found = results.load(path)
        rows = [[getattr(row, name) for name in results.COLUMNS] for row in found.rows()]
        yield "table", _table(list(results.COLUMNS), rows)


def _table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    cells = [[_cell(cell) for cell in row] for row in rows[:MOST_ROWS]]
    return {"headings": list(headings), "rows": cells, "n_rows": len(rows)}


def _cell(value: Any) -> Any:
    """Return a cell as a JSON value; mappings and dates become text."""
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _study(path: Path, asked: Mapping[str, str]) -> Iterator[Event]:
    with Database(path) as database:
        columns, metrics = list(database.columns), list(database.metrics)
        if not asked:
            yield "study", {"columns": columns, "metrics": metrics, "figures": list(FIGURES)}
            return
        metric, rows = asked.get("metric", ""), asked.get("x", "")
        across = [asked["by"]] if asked.get("by") else []
        found = pivot(database, metric, [rows], across)
        yield "table", _table(found.headings(), found.table())
        kind = asked.get("kind", "lines")
        if kind not in FIGURES:
            raise UsageError(f"there is no figure {shown(kind)}", f"choose {', '.join(FIGURES)}")
        wanted = Asked(x=rows, metric=metric, by=across, log=asked.get("log", ""))
        yield "figure", {"svg": study_figure(kind, database, wanted).svg()}
