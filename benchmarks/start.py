"""Processor time of short commands, from the start of the process to its end, and what it may be.

`make bench` prints the least and the median of some runs, beside plain Python on the same machine.
The least is what the command costs; what else the machine does is in the median. A shell that
completes a word asks the program as `bash` does. SimGrid's example of one flow, compiled C++ and no
interpreter, takes 0.03 s (docs/reference/peers.md, column "whole s").
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAM = [sys.executable, "-c", "import linkwright.cli; linkwright.cli.main()"]
RUNS = 9

COMMANDS: dict[str, float] = {
    "--version": 0.15,
    "--help": 0.15,
    "list topologies": 0.4,
    "list workloads": 0.4,
    "list parts": 0.4,
    "list papers": 0.4,
    "simulate examples/home-ring.yaml -w barrier": 0.4,
    "simulate examples/home-ring.yaml -w barrier -e analytic": 0.4,
}
"""Command -> seconds of processor time that it may take where plain Python takes 0.02."""

COMPLETIONS: dict[str, float] = {
    "pl": 0.2,
    "simulate design.yaml -w np": 0.2,
    "compare --catalogue whit": 0.2,
    "reproduce PMESH-1998/": 0.2,
}
"""Words of which a shell completes the last -> seconds."""


def main() -> int:
    """Measure plain Python, the commands and the completions."""
    print(f"{'processor time':62} {'least':>7} {'median':>7} {'goal':>6}")
    show("python -c pass", measured([sys.executable, "-c", "pass"], {}), None)
    for command, goal in COMMANDS.items():
        show(f"linkwright {command}", measured([*PROGRAM, *command.split()], {}), goal)
    for words, goal in COMPLETIONS.items():
        asked = {
            "_LINKWRIGHT_COMPLETE": "complete_bash",
            "COMP_WORDS": f"linkwright {words}",
            "COMP_CWORD": str(len(words.split())),
        }
        show(f"linkwright {words}<TAB>", measured(PROGRAM, asked), goal)
    return 0


def measured(command: list[str], more: dict[str, str]) -> list[float]:
    """Return the processor time of each run but the first, which fills caches, in seconds."""
    return [processor_s(command, more) for _ in range(RUNS + 1)][1:]


def processor_s(command: list[str], more: dict[str, str]) -> float:
    """Return the processor time of one run, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, cwd=ROOT, env={**os.environ, **more}, stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def show(name: str, runs_s: list[float], goal_s: float | None) -> None:
    """Print one line."""
    goal = "" if goal_s is None else f"{goal_s:6.2f}"
    mark = "" if goal_s is None or min(runs_s) < goal_s else "  above the goal"
    print(f"{name:62} {min(runs_s):7.3f} {statistics.median(runs_s):7.3f} {goal}{mark}")


if __name__ == "__main__":
    sys.exit(main())
