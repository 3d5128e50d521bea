"""The page on the emulation beside the packet engine: its data, by `make emulated`, and its text.

`make emulated` measures ping-pongs between emulated nodes, fits the hosts to them, and plays every
workload of `agreement.emulated` on real kernels and in the packet engine. It needs root and a quiet
machine, and takes some twenty minutes. `--cut` makes the data of the cable that is pulled under a
stream. All are in docs/figures/emulation.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import datetime as dt
import json
import os
import platform
import runpy
import statistics
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finding import ROOT
from linkwright import calibrations
from linkwright.agreement.emulated import NETWORKS, Beside, beside, dilations, targets_text
from linkwright.calibrations.rewriting import rewritten
from linkwright.emulation.settings import dilated
from linkwright.fit.calibrate import fit
from linkwright.views.traffic_plot import joined, traffic_plot

FOLDER = ROOT / "docs/figures/emulation"
DATA = FOLDER / "beside.csv"
CUT = FOLDER / "cut.json"
MADE = "# Made by `make emulated` on "
COLUMNS = tuple(field.name for field in dataclasses.fields(Beside))
FAITHFUL = "faithful"

INTRODUCTION = """# Real kernels beside the packet engine

Sixteen nodes are network namespaces with real kernels and real TCP. Their frames pass the wires,
hubs and switches of the packet engine in real time ([emulation](../design/emulation.md)). The same
workloads are predicted by the packet engine, whose hosts were fitted to ping-pongs between two
emulated nodes and to nothing else, by `linkwright calibrate`. `make emulated` made the numbers
on {made}.

- Links are those of 1998, 100 Mb/s. Real time runs slower than the network's by the *dilation*, so
  that one machine can be sixteen: 5 on the hub, and 20 elsewhere.
- TCP is Reno without selective acknowledgements. CUBIC with them, with RACK and with tail loss
  probes is compared in [lost tails](../design/lost-tails.md).
- Delays of acknowledgements and processors are not dilated. At dilation 20 a delayed
  acknowledgement waits for 2 ms of the network, in the prediction too.
- Computations and disks are waited for, not executed.

A row has the time on real kernels, the predicted time, and its relative difference from the
measured one. The *verdict* states whether the wires kept up with real time, and whether ranks had
to wait for a processor.

{summary}
"""
TABLE_HEAD = """
| workload | size | dilation | verdict | real kernels | packet engine | difference |
|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Kept:
    """The numbers with the date and the machine."""

    made: str
    rows: Sequence[Beside]


def main() -> int:
    """Measure, fit, and compare; `--resume` goes on where an earlier run ended."""
    done: Sequence[Beside] = ()
    if "--resume" in sys.argv[1:]:
        hosts = {dilation: calibrations.load(str(kept_hosts(dilation))) for dilation in dilations()}
        done = read().rows
    else:
        hosts = {dilation: fitted(dilation) for dilation in dilations()}
        begin()
    with DATA.open("a", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        for one in beside(hosts, done=done, report=say):
            rows.writerow(dataclasses.astuple(one))
            file.flush()
    return 0


def cut() -> int:
    """Pull a cable on real kernels and in the packet engine; the throughput is kept."""
    with tempfile.NamedTemporaryFile(suffix=".svg") as picture:
        sys.argv[1:] = [picture.name]
        found = runpy.run_path(str(ROOT / "examples/live/pull_a_cable.py"))
    runs = {
        name: [[round(float(x), 4) for x in column] for column in joined(*rates)]
        for name, rates in found["rates"].items()
    }
    CUT.write_text(json.dumps({"marks_s": found["marks_s"], "runs": runs}) + "\n", encoding="utf-8")
    return 0


def cut_figure() -> str:
    """Draw the throughput under a cut."""
    kept = json.loads(CUT.read_text(encoding="utf-8"))
    runs = {name: (np.array(rates[0]), np.array(rates[1])) for name, rates in kept["runs"].items()}
    return traffic_plot(runs, "received by n1", kept["marks_s"])


def begin() -> None:
    """Begin the table with the date and the machine."""
    date, kernel = dt.datetime.now(dt.UTC).date().isoformat(), platform.release().split("-")[0]
    head = f"{MADE}{date}, on Linux {kernel} with {os.cpu_count()} processors\n"
    DATA.write_text(f"{head}{','.join(COLUMNS)}\n", encoding="utf-8")


def say(done: int, known: int, case: str) -> None:
    """Report the progress."""
    print(f"{done}/{known} {case}", file=sys.stderr, flush=True)


def fitted(dilation: float) -> calibrations.Calibration:
    """Fit the hosts at a dilation to ping-pongs; targets and fitted hosts are kept."""
    start = FOLDER / f"start-{dilation:g}.toml"
    start.write_text(start_text(dilation), encoding="utf-8")
    targets = FOLDER / f"targets-{dilation:g}.toml"
    hosts = calibrations.load(str(start))
    targets.write_text(targets_text(hosts, dilation), encoding="utf-8")
    with contextlib.chdir(FOLDER):
        found = fit(hosts, targets=targets.name)
    kept = kept_hosts(dilation)
    kept.write_text(found.rewritten(start.read_text(encoding="utf-8")), encoding="utf-8")
    start.unlink()
    return calibrations.load(str(kept))


def kept_hosts(dilation: float) -> Path:
    """Return the file of the hosts that are fitted for a dilation."""
    return FOLDER / f"hosts-{dilation:g}.toml"


def start_text(dilation: float) -> str:
    """Return the hosts before the fit as they appear at a dilation."""
    path = FOLDER / "start.toml"
    text = path.read_text(encoding="utf-8")
    hosts = calibrations.load(str(path))
    published = hosts.published()
    changes = {}
    for constant, value in dilated(hosts, dilation).items():
        section, name, *part = constant.split(".")
        before = published[f"{section}.{name}"]
        origin = f"{before['origin']}, divided by {dilation:g}"
        changes[section, name] = {part[0] if part else "value": value, "origin": origin}
    return rewritten(text, changes)


def read() -> Kept:
    """Return the numbers that are kept."""
    with DATA.open(encoding="utf-8", newline="") as file:
        made = file.readline().removeprefix(MADE).strip()
        rows = [
            Beside(
                network=row["network"],
                workload=row["workload"],
                size_bytes=int(row["size_bytes"]),
                dilation=float(row["dilation"]),
                measured_s=float(row["measured_s"]),
                predicted_s=float(row["predicted_s"]),
                verdict=row["verdict"],
            )
            for row in csv.DictReader(file)
        ]
    return Kept(made, rows)


def emulated_page() -> str:
    """Return the page as Markdown."""
    kept = read()
    by_network: Mapping[str, list[Beside]] = {
        name: [one for one in kept.rows if one.network == name] for name in NETWORKS
    }
    found = "\n\n".join(filled(text) for text in summary(kept.rows).split("\n\n"))
    parts = [INTRODUCTION.format(made=kept.made, summary=found)]
    for name, rows in by_network.items():
        if not rows:
            continue
        parts.append(
            f"\n## {name[0].upper()}{name[1:]}\n{TABLE_HEAD}" + "\n".join(table(rows)) + "\n"
        )
    return "".join(parts)


def filled(text: str) -> str:
    """Return a paragraph in lines."""
    return textwrap.fill(text, 100, break_on_hyphens=False)


def summary(rows: Sequence[Beside]) -> str:
    """Return the mean differences in a paragraph."""
    faithful = [abs(one.relative) for one in rows if one.verdict == FAITHFUL]
    others = len(rows) - len(faithful)
    within = sum(error <= 0.1 for error in faithful)
    return (
        f"Of {len(rows)} cases {len(faithful)} are faithful. Their mean difference is "
        f"{statistics.mean(faithful):.1%}, the median {statistics.median(faithful):.1%}, and "
        f"{within} differ by a tenth or less. The other {others} do not count. On the hub, losses "
        "after sixteen collisions and the time-outs that follow decide long exchanges; one more or "
        "less changes the time by a large part.\n\n"
        f"{hub_and_torus(rows)}"
    )


def hub_and_torus(rows: Sequence[Beside]) -> str:
    """Return the factor between hub and torus, on real kernels, as predicted, and as printed."""
    times = {(one.network, one.workload): one for one in rows if not one.size_bytes}
    pair = [times.get((network, "barrier")) for network in ("hub", "torus 4x4")]
    if None in pair:
        return ""
    hub, torus = (one for one in pair if one is not None)
    return (
        f"A barrier on the hub takes {hub.measured_s / torus.measured_s:.0f} times as long as on "
        f"the torus on real kernels, and {hub.predicted_s / torus.predicted_s:.0f} times as "
        "predicted. With the hosts of 1997 it took about eight times as long [NAS-97-017]: their "
        "processors added as much to a message as the torus did."
    )


def table(rows: Sequence[Beside]) -> Iterator[str]:
    """Yield a row per case."""
    for one in rows:
        size = f"{one.size_bytes:,} B" if one.size_bytes else ""
        times = (f"{time_s * 1e3:.4g} ms" for time_s in (one.measured_s, one.predicted_s))
        cells = (one.workload, size, f"{one.dilation:g}", one.verdict, *times)
        yield f"| {' | '.join(cells)} | {one.relative:+.1%} |"


if __name__ == "__main__":
    raise SystemExit(cut() if "--cut" in sys.argv[1:] else main())
