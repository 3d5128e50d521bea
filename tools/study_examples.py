"""The example studies: their rows, kept for the figures of their page, and these figures.

`make studies` runs every study in examples/studies (some two minutes) and keeps the rows that the
figures need in docs/figures/studies, a CSV per study: those of the metrics, and the figures of each
design once. A figure is drawn by the command that the page gives for it, on a folder with these
rows.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from pathlib import Path

from finding import ROOT
from linkwright.cli import run as run_command
from linkwright.results import COLUMNS
from linkwright.study import Database, Study, StudyFolder, run
from linkwright.study.database import quoted
from linkwright.study.parts import Part, pyarrow, row_schema
from linkwright.text.csv_text import csv_text

__all__ = ["DATA", "PAGE", "drawn", "kept", "plot_commands", "studies"]

PAGE = ROOT / "docs/how-to/study-examples.md"
DATA = ROOT / "docs/figures/studies"
DIGITS = 9
"""Significant digits of kept values."""
LEFT_OUT = {"key", "run", "study", "design_hash", "parts", "parameters", "origin", "calibration"}
"""Columns that no figure needs."""


def main() -> int:
    """Run every study and keep its rows."""
    DATA.mkdir(parents=True, exist_ok=True)
    for name, file in studies().items():
        with tempfile.TemporaryDirectory() as spare:
            folder = run(file, Path(spare) / name)
            failed = [one.message for one in folder.progressed().done if one.has_failed]
            assert not failed, f"{name}: {failed[0]}"
            (DATA / f"{name}.csv").write_text(rows_text(folder), encoding="utf-8")
    return 0


def studies() -> dict[str, Path]:
    """Return the file of every study by its name."""
    return {file.stem: file for file in sorted((ROOT / "examples/studies").glob("*.yaml"))}


def rows_text(folder: StudyFolder) -> str:
    """Return the rows of a study as CSV."""
    with Database(folder) as database:
        names = [name for name in database.columns if name not in LEFT_OUT]
        figures = ", ".join(f"'{name}'" for name in folder.study.plan) or "''"
        answer = database.query(
            f"select {', '.join(map(quoted, names))} from rows "
            f"qualify metric not in ({figures}) or "
            "row_number() over (partition by design_hash, metric order by point, repeat) = 1 "
            "order by point, repeat, metric, value"
        )
    rows = [
        [f"{cell:.{DIGITS}g}" if isinstance(cell, float) else cell for cell in row]
        for row in answer.rows()
    ]
    return csv_text(answer.names, rows)


def kept(name: str, spare: Path) -> StudyFolder:
    """Return a folder with the kept rows of a study.

    Parameters
    ----------
    name : str
        Name of the study.
    spare : Path
        An empty folder, in which it is made.
    """
    from pyarrow import csv  # type: ignore[import-untyped]

    arrow, _ = pyarrow()
    folder = StudyFolder.create(spare / name, Study.load(studies()[name]))
    schema = row_schema(folder.axes)
    types = csv.ConvertOptions(column_types=schema, strings_can_be_null=True)
    table = csv.read_csv(DATA / f"{name}.csv", convert_options=types)
    columns = {}
    for field in schema:
        is_kept = field.name in table.column_names
        cells = table[field.name].to_pylist() if is_kept else [None] * table.num_rows
        # A result has empty texts where an axis has no value.
        if field.name in COLUMNS and field.type == arrow.string():
            cells = [cell or "" for cell in cells]
        columns[field.name] = cells
    folder.write_part("00000000-kept.parquet", Part(columns, []).to_bytes(folder.axes))
    return folder


def plot_commands() -> dict[str, list[str]]:
    """Return the words of every command on the page that draws a figure, by the figure's name."""
    text = re.sub(r"\\\n\s*", "", PAGE.read_text(encoding="utf-8"))
    commands = [
        shlex.split(line) for line in text.splitlines() if line.startswith("linkwright plot")
    ]
    return {Path(words[words.index("-o") + 1]).stem: words[1:] for words in commands}


def drawn(words: list[str]) -> str:
    """Return the figure that a command draws of the kept rows, as SVG."""
    _, name, *options = words
    with tempfile.TemporaryDirectory() as spare:
        folder, drawing = kept(name, Path(spare)), Path(spare) / "figure.svg"
        options[options.index("-o") + 1] = str(drawing)
        code = run_command(["plot", str(folder.path), *options, "--quiet"])
        assert code == 0, f"{words} ends with {code}"
        return drawing.read_text(encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
