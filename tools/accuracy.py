"""Write the accuracy page from runs of every paper's experiments: `make papers`.

Runs are kept in target/papers, so that an interrupted call resumes and a second one is quick. The
runs take some twenty minutes, so no check compares the page with the code; it carries a date. The
curves of its figures are written into docs/figures/papers, where `make docs` finds them.
"""

from __future__ import annotations

import datetime as dt
import os
import sys

from figure_data import figure_text
from finding import ROOT
from linkwright.papers import Runner, reproduce
from linkwright.papers.accuracy import accuracy_page

FOLDER = ROOT / "target/papers"
PAGE = ROOT / "docs/reference/accuracy.md"
DATA = ROOT / "docs/figures/papers"

INTRODUCTION = """# Accuracy

`make papers` ran every experiment of the papers in full on {date}. This page compares the results
with the printed values.

- Hosts are fitted to single messages between two nodes, node speeds to runs on one node, and the
  slower nodes of one campaign to one of its runs. Rows of those values are *calibrated*; all other
  rows are *predicted*.
- The mean error is the mean of the absolute relative errors. Runs that paged are listed but not
  counted.
- On buses, for collectives on hubs, and for all benchmarks, several seeds were run. Our value is
  their mean, followed by the standard deviation, which is large where Linux 2.0 has two speeds
  ([TCP](../design/tcp.md)).
- A pair of networks, also from two papers, is counted in the order of networks if its printed
  values differ by more than five per cent.
- Statements that a paper makes in words are paraphrased and judged by a number whose bounds are
  ours.

[The predictions of the papers](../design/papers.md) draws the conclusions. `make docs` draws the
figures from `docs/figures/papers`. On a code host only their captions are shown.

"""


def main() -> int:
    """Run what has not been run, and write the page with its figures."""
    runner = Runner(n_jobs=os.cpu_count() or 1, folder=FOLDER, progress=_report)
    found = reproduce(runner=runner)
    date = dt.datetime.now(dt.UTC).date().isoformat()
    DATA.mkdir(parents=True, exist_ok=True)
    figures = []
    for name, figure in found.figures():
        (DATA / f"{name}.json").write_text(figure_text(figure, date), encoding="utf-8")
        figures.append((f"../_build/figures/{name}.svg", f"{figure.caption} ({name})"))
    page = INTRODUCTION.format(date=date) + accuracy_page(found, figures)
    PAGE.write_text(page, encoding="utf-8")
    return 0


def _report(done: int, total: int, name: str) -> None:
    sys.stderr.write(f"{done} of {total}: {name}\n")


if __name__ == "__main__":
    raise SystemExit(main())
