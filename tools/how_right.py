"""The page that says in ten lines and one figure where predictions are right.

Its numbers are those of the pages on accuracy, on real kernels and on the fast engines: `published`
makes the page from the tables that these keep, `figures` its drawing. A line is good, fair or poor
by its mean error alone.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import agreement
import emulated
from finding import ROOT
from linkwright.views.chart import Axis, Bars, Chart, Mark
from linkwright.views.plots import Plot

ACCURACY = ROOT / "docs/reference/accuracy.md"
FIGURE = "how-right"
GOOD, FAIR = 0.10, 0.20
"""Bounds of the mean error of a good and of a fair line."""
COLOURS = {"good": 2, "fair": 4, "poor": 1}
TODAY = "linux-6-desktop"

INTRODUCTION = """# How right is it?

Each line compares predictions with values that Linkwright did not compute: printed in papers, or
measured on real kernels. The last line compares a fast engine with the exact one. The error is the
mean of the absolute relative errors; up to 10 % is *good*, up to 20 % *fair*, more is *poor*.

| prediction | beside | values | mean error | it is |
|---|---|---|---|---|
"""
REST = """
![Mean error of each line, with the bounds of good and fair](../_build/figures/how-right.svg)

**The order of networks** holds more often than their times: {in_order} of {pairs} pairs of networks
are in the printed order, and {holds} of {claims} statements that papers make in words hold.

What follows for your own design:

- Choose between networks by a prediction. Two that differ by less than the error of their line are
  equal until you measure.
- Times in seconds need hosts that are fitted: [two of your nodes](../how-to/fit-your-own-hosts.md)
  are enough. The hosts of today that come with Linkwright are [estimates](calibrations.md): no line
  above compares them with a machine.
- Where a line is poor, [try the design on real
  kernels](../tutorial/try-it-before-you-buy-it.md), or [measure](../how-to/measure-a-cluster.md) a
  part of it.

[Accuracy](accuracy.md) has every value, [real kernels](emulated.md) and [fast
engines](agreement.md) have every case, and [the predictions of the
papers](../design/papers.md) explain the differences.
"""


@dataclass(frozen=True)
class Line:
    """One of the ten lines: predictions of one kind beside known values."""

    prediction: str
    beside: str
    n: int
    error: float

    @property
    def answer(self) -> str:
        """Whether the predictions are good, fair or poor."""
        return "good" if self.error <= GOOD else "fair" if self.error <= FAIR else "poor"


@dataclass(frozen=True)
class Summary:
    """A row of the first table of the page on accuracy."""

    table: str
    network: str
    basis: str
    n: int
    error: float


def how_right_page() -> str:
    """Return the page as Markdown."""
    rows = "\n".join(
        f"| {one.prediction} | {one.beside} | {one.n} | {one.error:.1%} | {one.answer} |"
        for one in lines()
    )
    in_order, pairs = _sums("Order of networks", 2, 1)
    holds, claims = _sums("Qualitative claims", 2, 1)
    words = {"in_order": in_order, "pairs": pairs, "holds": holds, "claims": claims}
    return INTRODUCTION + rows + "\n" + REST.format(**words)


def figure() -> str:
    """Draw the mean error of each line."""
    found = lines()
    bars = Bars(
        "mean error",
        [100 * one.error for one in found],
        colours=[COLOURS[one.answer] for one in found],
        ends=[("", f"{one.error:.1%}") for one in found],
    )
    places = tuple(one.prediction for one in found)
    marks = (Mark(100 * GOOD, name="good"), Mark(100 * FAIR, name="fair"))
    chart = Chart("", Axis("mean error (%)"), Axis(places=places), (bars,), marks=marks)
    return Plot(FIGURE, "How right it is", (chart,), size=(9.0, 4.0)).svg()


def lines() -> list[Line]:
    """Return the ten lines."""
    found = list(summaries())
    messages = ("NAS-97-017/ping-pong", "NAS-97-025/ping-pong", "PMESH-1998/ping-pong")
    papers = [
        ("a message between fitted nodes", [*messages, "STACK-2001/netpipe"], "all", "calibrated"),
        ("a message on another path", ["NAS-97-017/ping-pong"], "all", "predicted"),
        ("NAS benchmarks on a torus", ["NAS-97-017/npb"], "torus", "predicted"),
        ("NAS benchmarks on a switch", ["NAS-97-025/npb"], "all", "predicted"),
        ("NAS benchmarks on a hub", ["NAS-97-017/npb"], "hub", "predicted"),
        (
            "collectives of 1997",
            ["NAS-97-017/collectives", "NAS-97-025/collectives"],
            "all",
            "predicted",
        ),
        ("pairs that share buses of 10 Mb/s", ["BEOWULF-1996/token"], "all", "predicted"),
    ]
    pooled = [_pooled(found, *asked) for asked in papers]
    return [*pooled, *_kernels(), _fast()]


def summaries() -> Iterator[Summary]:
    """Yield the rows of the first table of the page on accuracy."""
    for table, network, basis, n, error, *_ in _table(ACCURACY.read_text(encoding="utf-8")):
        yield Summary(table, network, basis, int(n), float(error.rstrip("%")) / 100)


def _pooled(
    found: Sequence[Summary], name: str, tables: Sequence[str], network: str, basis: str
) -> Line:
    own = [
        one
        for one in found
        if one.table in tables and one.network == network and one.basis == basis
    ]
    if not own:
        raise LookupError(f"{ACCURACY.name} has no row of {tables}, {network}, {basis}")
    n = sum(one.n for one in own)
    papers = dict.fromkeys(one.table.partition("/")[0] for one in own)
    return Line(name, ", ".join(papers), n, sum(one.n * one.error for one in own) / n)


def _kernels() -> Iterator[Line]:
    rows = [one for one in emulated.read().rows if one.verdict == emulated.FAITHFUL]
    kinds: dict[str, Callable[[Any], bool]] = {
        "everything on real kernels but a hub": lambda one: one.network != "hub",
        "a hub on real kernels": lambda one: one.network == "hub",
    }
    for name, is_own in kinds.items():
        errors = [abs(one.predicted_s / one.measured_s - 1) for one in rows if is_own(one)]
        yield Line(name, "real kernels", len(errors), statistics.mean(errors))


def _fast() -> Line:
    own = [one for one in agreement.read().departures[TODAY] if one.engine == "flow"]
    errors = [abs(one.relative) for one in own]
    return Line("the flow engine, hosts of today", "packet", len(errors), statistics.mean(errors))


def _sums(heading: str, *columns: int) -> list[int]:
    """Return the sums of columns of the table below a heading."""
    text = ACCURACY.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    rows = list(_table(text))
    return [sum(int(row[column]) for row in rows) for column in columns]


def _table(text: str) -> Iterator[list[str]]:
    """Yield the rows of the first table of a text, without its head."""
    found = re.search(r"^\|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    for row in found[1].splitlines() if found else ():
        yield [cell.strip() for cell in row.strip("|").split("|")]
