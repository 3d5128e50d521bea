"""Draw the figures that the pages show, into docs/_build/figures: the first step of `make docs`.

Drawings are not kept in git, their data are: docs/figures/agreement.csv, which `make agreement`
writes, a file in docs/figures/papers for each figure of the accuracy page, which `make papers`
writes, docs/figures/emulation, from `make emulated`, and docs/figures/studies, from `make studies`.
Figures of concepts are those of small networks, compiled and run at once.
A drawing that is newer than its data and the code that draws it is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import agreement
import concept_figures
import emulated
import how_right
import study_examples
from figure_data import read_figure
from finding import ROOT
from linkwright.views import agreement_plot, chart, plots, study_plots, traffic_plot

DATA = ROOT / "docs/figures"
DRAWINGS = ROOT / "docs/_build/figures"
Drawer = Callable[[], str]
CODE = [
    Path(module.__file__ or "")
    for module in (agreement_plot, chart, plots, traffic_plot, study_plots)
]


def main() -> int:
    """Draw every figure that is not there or older than its sources."""
    DRAWINGS.mkdir(parents=True, exist_ok=True)
    for name, (sources, draw) in all_figures().items():
        drawing = DRAWINGS / f"{name}.svg"
        if is_older(drawing, [*sources, *CODE]):
            drawing.write_text(draw(), encoding="utf-8")
    return 0


def all_figures() -> dict[str, tuple[list[Path], Drawer]]:
    """Return every figure by name: the files of its data and the function that draws it as SVG."""
    found: dict[str, tuple[list[Path], Drawer]] = {}
    for path in sorted((DATA / "papers").glob("*.json")):
        found[path.stem] = [path], partial(paper_figure, path)
    for calibration in agreement.CALIBRATIONS:
        for engine in agreement.engines():
            draw = partial(agreement_figure, engine, calibration)
            found[agreement.figure_name(engine, calibration)] = [agreement.DATA], draw
    sources = [how_right.ACCURACY, agreement.DATA, emulated.DATA]
    found[how_right.FIGURE] = sources, how_right.figure
    found["path-through-nodes"] = concept_figures.SOURCES, concept_figures.path_figure
    found["latency-by-forwards"] = concept_figures.SOURCES, concept_figures.latency_figure
    found["cut"] = [emulated.CUT], emulated.cut_figure
    for name, words in study_examples.plot_commands().items():
        data = study_examples.DATA / f"{words[1]}.csv"
        found[name] = [data, study_examples.PAGE], partial(study_examples.drawn, words)
    return found


def paper_figure(path: Path) -> str:
    """Draw a figure of the accuracy page."""
    return read_figure(path).svg()


def agreement_figure(engine: str, calibration: str) -> str:
    """Draw a figure of the page on agreement."""
    return agreement_plot.agreement_plot(agreement.read().departures[calibration], engine).svg()


def is_older(drawing: Path, sources: list[Path]) -> bool:
    """Return whether a drawing is missing, or older than one of its sources."""
    if not drawing.is_file():
        return True
    return drawing.stat().st_mtime < max(source.stat().st_mtime for source in sources)


if __name__ == "__main__":
    raise SystemExit(main())
