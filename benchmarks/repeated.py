"""Repeats tests beside programs that do nothing but occupy the processors, and counts failures.

Tests on real kernels depend on the clock, and fail first on a busy machine. The default is the
emulation, twenty times beside eight programs: python benchmarks/repeated.py. Each repetition is a
process of its own; `--at-once` of them run side by side, which is a load too. The exit code is 1 if
a test has failed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

BUSY = "while True: pass"
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
SUMMARY = re.compile(r"^.*\b(?:passed|failed|error).*$", re.MULTILINE)


def main() -> int:
    """Repeat tests, and print their counts."""
    parser = argparse.ArgumentParser(description="tests repeated beside busy programs")
    parser.add_argument("paths", nargs="*", default=["tests/emulation"])
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--load", type=int, default=8, help="busy programs beside the tests")
    parser.add_argument("--at-once", type=int, default=1, help="repetitions side by side")
    options = parser.parse_args()
    failures: Counter[str] = Counter()
    with busy(options.load), ThreadPoolExecutor(options.at_once) as pool:
        runs = pool.map(lambda number: repeated(options.paths, number), range(options.times))
        for number, (output, failed) in enumerate(runs, start=1):
            failures.update(failed)
            last = (SUMMARY.findall(output) or ["no summary"])[-1].strip("= ")
            print(f"{number}: load {os.getloadavg()[0]:.1f}, {last}", *failed, flush=True)
    print(f"{options.times} times, {failures.total()} failures", *failures.items())
    return int(bool(failures))


def repeated(paths: list[str], number: int) -> tuple[str, list[str]]:
    """Run tests once; return their output and the names of those that failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    failed = FAILED.findall(done.stdout)
    if done.returncode and not failed:
        failed = [f"repetition {number + 1} ended with {done.returncode}"]
    if failed:
        print(done.stdout[-20_000:], done.stderr, file=sys.stderr, flush=True)
    return done.stdout, failed


@contextmanager
def busy(n_programs: int) -> Iterator[None]:
    """Occupy the processors."""
    programs = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(n_programs)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


if __name__ == "__main__":
    sys.exit(main())
