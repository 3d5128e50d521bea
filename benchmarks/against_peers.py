"""The same workloads on Linkwright, ns-3 and SimGrid, in turn, each run in a process of its own.

`make peers` installs what is missing, compiles our drivers, runs W1 to W5 and prints ratios of time
and memory with the simulated seconds beside each other; see benchmarks/peers/README.md. A simulator
that is not there is skipped and named.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import sys
from pathlib import Path

from cases import CASES
from peers import ablation, tails
from peers.contenders import Contender, command, contenders_of, write_inputs
from peers.drivers import DRIVERS, build, install, missing
from peers.measured import Figures, measured, play
from peers.table import ablation_table, ratio_table, replaced

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {"tails": DOCS / "design" / "lost-tails.md"}
"""The page of each table that is not on the page of the comparison."""
PAGE = DOCS / "reference" / "peers.md"
STORED = Path(__file__).parent / "peers" / "results"
ROUNDS = {"w1": 5, "w2": 2, "w3": 2, "w4": 5, "w5-switch": 3, "w5-torus": 3}
"""Few where ns-3 takes long, so that all of it is done within five minutes."""


def main() -> int:
    """Install, compile, run, print and store, as asked for."""
    options = arguments()
    if options.child:
        print(json.dumps(play(*options.child)))
        return 0
    if options.install:
        install()
    build([driver for driver in DRIVERS if not missing(driver)])
    write_inputs()
    for reason in filter(None, map(missing, DRIVERS)):
        print(reason)
    if options.ablation:
        cases = ablation.ABLATION_CASES
        rows = ablation.rows(cases)
        found: Figures = {"cases": list(cases), "rows": rows}
        report("ablation", ablation_table(rows, cases), found, is_kept=options.save)
    elif options.tails:
        lost = tails.rows()
        report("tails", tails.tails_table(lost), {"rows": lost}, is_kept=options.save)
    else:
        found = {"runs": {case: rounds(case, options.rounds) for case in options.cases or CASES}}
        report("ratios", ratio_table(found["runs"], titles()), found, is_kept=options.save)
    return 0


def arguments() -> argparse.Namespace:
    """Return the parsed arguments of the command line."""
    parser = argparse.ArgumentParser(description="Linkwright, ns-3 and SimGrid on W1 to W5")
    parser.add_argument("cases", nargs="*", help=", ".join(CASES))
    parser.add_argument(
        "--install", action="store_true", help="install simulators that are missing"
    )
    parser.add_argument("--rounds", type=int, help="runs of each, instead of a few")
    parser.add_argument("--ablation", action="store_true", help="one parameter at a time")
    parser.add_argument("--tails", action="store_true", help="losses on a switch of 25 Gb/s")
    parser.add_argument("--save", action="store_true", help=f"store, and rewrite {PAGE.name}")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = set(options.cases) - set(CASES)
    if unknown:
        parser.error(f"there is no case {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    return options


def titles() -> dict[str, str]:
    """Return the title of each case."""
    return {name: case.title for name, case in CASES.items()}


def rounds(case: str, n_rounds: int | None) -> dict[str, list[Figures]]:
    """Run all contenders of a case in turn, several times; return the figures of each round."""
    runs: dict[str, list[Figures]] = {}
    usable = [one for one in contenders_of(case) if not (one.driver and missing(one.driver))]
    for number in range(n_rounds or ROUNDS[case]):
        for one in usable:
            figures = measured(one_command(one, case))
            print(f"{case} round {number + 1}: {one.name} {figures['whole_s']:.2f} s", flush=True)
            runs.setdefault(one.name, []).append(figures)
    return runs


def one_command(contender: Contender, case: str) -> list[str]:
    """Return the command of one run; ours is this file."""
    if contender.driver:
        return command(contender, case)
    return [sys.executable, __file__, "--child", case, contender.engine, contender.hosts]


def report(block: str, table: str, found: Figures, *, is_kept: bool) -> None:
    """Print a table; store it with its figures, the date and the machine when asked to."""
    stamp = {"date": dt.datetime.now(dt.UTC).date().isoformat(), "machine": machine()}
    caption = f"{stamp['date']}, {stamp['machine']}."
    print(f"\n{table}\n\n{caption}")
    if is_kept:
        (STORED / f"{block}.json").write_text(json.dumps(stamp | found, indent=1) + "\n")
        page = PAGES.get(block, PAGE)
        page.write_text(replaced(page.read_text(), block, f"\n{caption}\n\n{table}\n"))


def machine() -> str:
    """Return a description of the machine."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    load = os.getloadavg()[0]
    cpu = f"{os.cpu_count()} x {names[0] if names else platform.machine()}"
    return f"{cpu}, {platform.system()} {platform.release().split('-')[0]}, load {load:.1f}"


if __name__ == "__main__":
    sys.exit(main())
