"""Results of runs, and the answers and folders of studies, in a notebook.

Rows beyond a limit are counted and not shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from rich.text import Text

from linkwright.study.database import Database
from linkwright.views.fitting_table import FittingTable, Heading
from linkwright.views.notebook.fragment import MOST_ROWS, fragment
from linkwright.views.result_table import result_table

if TYPE_CHECKING:
    from linkwright.results import Result
    from linkwright.study.database import Answer
    from linkwright.study.folder import StudyFolder

__all__ = ["answer", "result", "study_folder"]

_FACTS = ("design", "workload", "engine", "calibration")


def result(found: Result) -> str:
    """Return a result: what ran, its figures, and the remarks on the runs."""
    facts = [(name, ", ".join(dict.fromkeys(filter(None, found.column(name))))) for name in _FACTS]
    seeds = dict.fromkeys(seed for seed in found.column("seed") if seed is not None)
    facts.append(("seed", ", ".join(map(str, seeds))))
    remarks = map(Text, found.remarks)
    return fragment(
        "Result", found.summary, facts, result_table(found), *remarks, whole="to_pandas()"
    )


def answer(found: Answer) -> str:
    """Return the answer to a question about a study as a table."""
    rows = found.table.slice(0, MOST_ROWS).to_pylist()
    n_left = found.table.num_rows - len(rows)
    headings = [
        Heading(field.name, _side(str(field.type)), wraps=str(field.type) == "string")
        for field in found.table.schema
    ]
    table = FittingTable(headings, [list(map(_shown, row.values())) for row in rows])
    left = Text(f"and {n_left:,} more rows: to_pandas() has all" if n_left else "")
    return fragment("Answer", found.summary, (), table, left)


def study_folder(found: StudyFolder) -> str:
    """Return the folder of a study: its question, its runs and its metrics."""
    with Database(found) as database:
        runs = database.query("select count(*), count(*) filter (error <> '') from runs").rows()[0]
        metrics = database.query(
            "select metric, any_value(unit) as unit, count(*) as rows, min(value) as least, "
            "max(value) as most from rows group by metric order by metric"
        )
    study = found.study
    facts = [
        ("runs", f"{runs[0]:,}" + (f", {runs[1]:,} failed" if runs[1] else "")),
        ("rows", f"{sum(metrics.column('rows')):,}"),
        ("axes", ", ".join(found.axes)),
        ("engines", ", ".join(study.engines)),
    ]
    headings = [Heading("metric"), Heading("unit")]
    headings += [Heading(name, "right") for name in ("rows", "least", "most")]
    table = FittingTable(headings, [list(map(_shown, row)) for row in metrics.rows()])
    question = Text(study.question)
    return fragment("StudyFolder", found.summary, facts, question, table, whole="Database")


def _side(kind: str) -> Literal["left", "right"]:
    return "right" if kind.startswith(("int", "uint", "double", "float", "decimal")) else "left"


def _shown(cell: Any) -> str:
    """Return a cell as text; numbers in base units with four digits."""
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return "" if cell is None else str(cell)
