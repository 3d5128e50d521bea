"""Write the page on where the fast engines depart from the packet engine: `make agreement`.

The numbers are `studies.agreement`, the plots `views.plots`; here is only the page around them. It
takes a minute or two, so that no check compares it with the code; its figures are dated.
"""

from __future__ import annotations

import datetime as dt
import statistics
from collections.abc import Iterator, Sequence

from finding import ROOT
from linkwright.engines import ENGINES
from linkwright.studies.agreement import LOADS, REFERENCE, Departure, agreement
from linkwright.views.plots import agreement_plot

CALIBRATIONS = ("pentium-pro-200-linux-2.0", "ideal-reno")
PAGE = ROOT / "docs/reference/agreement.md"
IMAGES = ROOT / "docs/images"

INTRODUCTION = """# Where the engines agree

Made by `make agreement` on {date}. Every question below was answered by every engine; the packet
engine, which moves every frame, is the reference. What a faster engine leaves out is what it
departs by. Cases whose answer is known by hand are in `tests/conformance`; all engines must give
it.

- **analytic** lets every message take the time that it takes on an idle path. It is exact for one
  message, and too fast as soon as messages share a wire, a hub or a forwarder.
- **flow** shares wires, hubs, backplanes and processors fairly among the messages under way. It
  knows no frames: no collisions one by one, no losses, no acknowledgement that waits for a timer.
"""
TABLE_HEAD = """
| workload | engine | median | worst | where |
|---|---|---|---|---|
"""


def main() -> int:
    """Run the study for every calibration and write the page with its plots."""
    parts = [INTRODUCTION.format(date=dt.datetime.now(dt.UTC).date().isoformat())]
    for calibration in CALIBRATIONS:
        departures = agreement(calibration)
        parts.append(f"\n## Hosts: `{calibration}`\n")
        parts.append(TABLE_HEAD + "\n".join(table(departures)) + "\n")
        for engine in engines():
            name = f"agreement-{engine}-{calibration}.svg"
            (IMAGES / name).write_text(agreement_plot(departures, engine), encoding="utf-8")
            parts.append(f"\n![{engine} beside packet](../images/{name})\n")
    PAGE.write_text("".join(parts), encoding="utf-8")
    return 0


def engines() -> list[str]:
    """Return the engines that are set beside the reference."""
    return [engine for engine in ENGINES if engine != REFERENCE]


def table(departures: Sequence[Departure]) -> Iterator[str]:
    """Yield a row per workload and engine: the median and the worst departure."""
    for workload in LOADS:
        for engine in engines():
            own = [one for one in departures if (one.workload, one.engine) == (workload, engine)]
            median = statistics.median(one.relative for one in own)
            worst = max(own, key=lambda one: abs(one.relative))
            where = f"{worst.network}, {worst.size_bytes} B"
            yield f"| {workload} | {engine} | {median:+.1%} | {worst.relative:+.1%} | {where} |"


if __name__ == "__main__":
    raise SystemExit(main())
