"""Write the accuracy page from runs of every paper's experiments: `make papers [DRAWS=8]`.

Runs are kept in target/papers, so that an interrupted call resumes and a second one is quick. The
runs take some twenty minutes, so no check compares the page with the code; it carries a date. With
draws of the hosts' constants they take more than twice as long, and intervals include those. The
curves of its figures are written into docs/figures/papers, where `make docs` finds them.
"""

from __future__ import annotations

import argparse
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
  their mean, followed by the standard deviation.
- The interval of ours holds a further run of the model with a probability of 90 %. It is over
  {over}, and blank for a single run. It has no share of what the model
  leaves out, so that fewer printed values than 90 % are inside
  ([uncertainty](../design/uncertainty.md)).
- A pair of networks, also from two papers, is counted in the order of networks if its printed
  values differ by more than five per cent.
- Statements that a paper makes in words are paraphrased and judged by a number whose bounds are
  ours.

[The predictions of the papers](../design/papers.md) draws the conclusions. `make docs` draws the
figures from `docs/figures/papers`. On a code host only their captions are shown.

"""


def main() -> int:
    """Run what has not been run, and write the page with its figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--draws", type=int, default=0)
    draws = options.parse_args().draws
    runner = Runner(n_jobs=os.cpu_count() or 1, n_draws=draws, folder=FOLDER, progress=_report)
    found = reproduce(runner=runner)
    date = dt.datetime.now(dt.UTC).date().isoformat()
    DATA.mkdir(parents=True, exist_ok=True)
    figures = []
    for name, figure in found.plots():
        (DATA / f"{name}.json").write_text(figure_text(figure, date), encoding="utf-8")
        figures.append((f"../_build/figures/{name}.svg", f"{figure.caption} ({name})"))
    over = f"{draws} draws of the hosts' fitted constants and as many seeds" if draws else "seeds"
    page = INTRODUCTION.format(date=date, over=over) + accuracy_page(found, figures)
    PAGE.write_text(page, encoding="utf-8")
    return 0


def _report(done: int, total: int, name: str) -> None:
    sys.stderr.write(f"{done} of {total}: {name}\n")


if __name__ == "__main__":
    raise SystemExit(main())
