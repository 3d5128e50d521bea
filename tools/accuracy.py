"""Write the accuracy page from runs of every paper's experiments: `make papers`.

Runs are kept in target/papers, so that an interrupted call goes on and a second one is quick. The
page is dated; no check compares it with the code, because the runs take some twenty minutes.
"""

from __future__ import annotations

import datetime as dt
import os
import sys

from finding import ROOT
from linkwright.papers import Runner, reproduce
from linkwright.papers.accuracy import accuracy_page

FOLDER = ROOT / "target/papers"
PAGE = ROOT / "docs/reference/accuracy.md"
IMAGES = ROOT / "docs/images/papers"

INTRODUCTION = """# Accuracy

Made by `make papers` on {date}: every experiment of the papers, in full, beside what is printed.
Hosts were fitted to single messages between two nodes, nodes' speeds to runs on one node, and the
slower nodes of one campaign to one of its runs; *calibrated* rows are those very figures, all
others are *predicted*. The mean error is that of absolute relative errors; runs that paged are
listed and counted nowhere. On buses, for collectives on hubs and for all benchmarks several seeds
were played: ours is their mean, with their deviation, which is large where Linux 2.0 has two speeds
([TCP](../design/tcp.md)). A pair of networks counts where the printed values differ by more than
five per cent, be it in two papers. What papers say in words is judged by a figure; the words are a
paraphrase, the bounds are ours. Conclusions are drawn in [what the papers' predictions
say](../design/papers.md).

"""


def main() -> int:
    """Run what has not been run, and write the page with its figures."""
    runner = Runner(n_jobs=os.cpu_count() or 1, folder=FOLDER, progress=_report)
    found = reproduce(runner=runner)
    IMAGES.mkdir(exist_ok=True)
    figures = []
    for name, figure in found.plots():
        (IMAGES / f"{name}.svg").write_text(figure.svg(), encoding="utf-8")
        figures.append((f"../images/papers/{name}.svg", figure.caption))
    date = dt.datetime.now(dt.UTC).date().isoformat()
    page = INTRODUCTION.format(date=date) + accuracy_page(found, figures)
    PAGE.write_text(page, encoding="utf-8")
    return 0


def _report(done: int, total: int, name: str) -> None:
    sys.stderr.write(f"{done} of {total}: {name}\n")


if __name__ == "__main__":
    raise SystemExit(main())
