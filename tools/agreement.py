"""The page on the accuracy of the fast engines: its data, by `make agreement`, and its text.

`agreement.agreement` computes the numbers, in a minute or two; they are kept in
docs/figures/agreement.csv. `published` makes the page from that file, `figures` its drawings.
"""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from finding import ROOT
from linkwright.agreement.agreement import LOADS, REFERENCE, Departure, agreement
from linkwright.engines import predictive

CALIBRATIONS = ("pentium-pro-200-linux-2.0", "ideal-reno", "linux-6-desktop")
DATA = ROOT / "docs/figures/agreement.csv"
MADE = "# Made by `make agreement` on "
COLUMNS = tuple(field.name for field in dataclasses.fields(Departure))

INTRODUCTION = """# Accuracy of the fast engines

The packet engine moves every frame and is the reference here. Each of the other engines ran the
same workloads on the same networks; the tables and figures show the relative difference of its time
from the packet engine's. `make agreement` computed the numbers on {date} and keeps them in
`docs/figures/agreement.csv`. Cases with a known answer, which every engine must give, are in
`tests/conformance`.

- **analytic** gives every message the time that it takes on an idle path. It is exact for a single
  message and too fast when messages share a link, a hub or a forwarder.
- **flow** divides links, hubs, backplanes and processors fairly among the messages in flight. It
  has no frames, so it models neither single collisions nor losses, nor acknowledgements that are
  sent when a timer expires. It is too fast where these decide: on hubs, and in exchanges of long
  blocks of unequal length, which overflow the queues of switches.
- *Streams of short messages*: with hosts of today analytic is up to twice too slow, because kernels
  put short messages that wait into one frame (`fills_waiting`), which flow does too. With hosts of
  1997 both are up to forty times too fast for streams, and ten times for rings that are pipelines:
  the window of a connection opens by acknowledgements, which wait for a timer there.

- *Long messages between two ranks in both directions*: the answer to the request of a rendezvous
  waits behind the data on the same connection. In the packet engine ranks are out of step, so that
  both directions may follow each other; in flow they keep step. An all-reduce of 64 MiB over four
  nodes with cables of 25 Gb/s takes 33 ms in flow, and in the packet engine 34 by a ring and 48 by
  Rabenseifner's algorithm ([turns of reading](../design/turns-of-reading.md)).

Three workloads stand for traffic of that kind: a *message stream* is 200 messages from the first
rank to the last, a *pipelined ring* 30 rounds in which every rank sends to the next, and in a
*skewed all-to-all* ranks send one to four blocks to each other, and four times as many to the
first.

`make docs` draws the figures. On a code host only their captions are shown.
"""
TABLE_HEAD = """
| workload | engine | median | worst | worst case |
|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Agreement:
    """The departures by calibration, and the date on which they were computed."""

    made: str
    departures: Mapping[str, Sequence[Departure]]


def main() -> int:
    """Run the study for every calibration and write its numbers."""
    date = dt.datetime.now(dt.UTC).date().isoformat()
    with DATA.open("w", encoding="utf-8", newline="") as file:
        file.write(f"{MADE}{date}\n")
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("calibration", *COLUMNS))
        for calibration in CALIBRATIONS:
            for one in agreement(calibration):
                rows.writerow((calibration, *map(_field, dataclasses.astuple(one))))
    return 0


def read() -> Agreement:
    """Return the numbers that are kept."""
    departures: dict[str, list[Departure]] = {}
    with DATA.open(encoding="utf-8", newline="") as file:
        made = file.readline().removeprefix(MADE).strip()
        for row in csv.DictReader(file):
            one = Departure(
                network=row["network"],
                workload=row["workload"],
                size_bytes=int(row["size_bytes"]),
                engine=row["engine"],
                seconds=float(row["seconds"]),
                reference_s=float(row["reference_s"]),
            )
            departures.setdefault(row["calibration"], []).append(one)
    return Agreement(made, departures)


def agreement_page() -> str:
    """Return the page as Markdown."""
    kept = read()
    parts = [INTRODUCTION.format(date=kept.made)]
    for calibration, departures in kept.departures.items():
        parts.append(f"\n## Hosts: `{calibration}`\n")
        parts.append(TABLE_HEAD + "\n".join(table(departures)) + "\n")
        for engine in engines():
            caption = f"{engine}: difference from packet in per cent, by message size"
            name = figure_name(engine, calibration)
            parts.append(f"\n![{caption}](../_build/figures/{name}.svg)\n\n{caption}.\n")
    return "".join(parts)


def engines() -> list[str]:
    """Return the engines that are compared with the reference."""
    return [engine for engine in predictive() if engine != REFERENCE]


def figure_name(engine: str, calibration: str) -> str:
    """Return the name of the file of a figure, without a suffix."""
    return f"agreement-{engine}-{calibration}"


def table(departures: Sequence[Departure]) -> Iterator[str]:
    """Yield a row per workload and engine: the median and the worst departure."""
    for workload in LOADS:
        for engine in engines():
            own = [one for one in departures if (one.workload, one.engine) == (workload, engine)]
            median = statistics.median(one.relative for one in own)
            worst = max(own, key=lambda one: abs(one.relative))
            where = f"{worst.network}, {worst.size_bytes} B"
            yield f"| {workload} | {engine} | {median:+.1%} | {worst.relative:+.1%} | {where} |"


def _field(value: Any) -> Any:
    return f"{value:.9g}" if isinstance(value, float) else value


if __name__ == "__main__":
    raise SystemExit(main())
