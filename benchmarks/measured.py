"""The distance of predictions from measurements after `calibrate --from`, on four hosts of this
machine in a ring with cables of 100 Mb/s.

The commands are those of a user: apply, measure, calibrate, and compare with workloads that the fit
has not seen. The hosts come in front of other processes of this machine, so that most runs are
faithful. Only root can make such hosts. A run takes about four minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from machine import described

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.machines.paced_cables import OFFLOADS, paced  # noqa: E402 - it needs the path
from tests.machines.real_hosts import RealHosts, missing, real_hosts  # noqa: E402

NAMES = ("n0", "n1", "n2", "n3")
RATE_BPS = 100e6
DESIGN = """
name: ring
topology: {kind: ring, shape: [4]}
parts: {catalogue: whitney-1998}
addressing: {scheme: per-segment, identities: interface}
"""
START = "linux-6-desktop"
WORKLOADS = (
    ("broadcast", 65_536),
    ("all-reduce", 16_384),
    ("all-gather", 16_384),
    ("all-to-all", 16_384),
    ("all-reduce", 1_024),
)
PRIORITY = 5


def main() -> None:
    """Measure, fit and compare."""
    if reason := missing():
        print(f"skipped: {reason}")
        return
    print(described(), flush=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "ring.yaml").write_text(DESIGN)
        (folder / "hosts").mkdir()
        with ring(folder / "hosts") as up:
            os.environ["PATH"] = up.search_path
            hosts = ("--hosts", ",".join(NAMES))
            linkwright(folder, "apply", "ring.yaml", *hosts, "--yes", "-q")
            measure = ("measure", "ring.yaml", *hosts, "--calibration", START)
            print(linkwright(folder, *measure, "-o", "paths.parquet"))
            fit = ("calibrate", "--from", "paths.parquet", "-o", "mine.toml", "-q")
            print(linkwright(folder, *fit))
            for workload, size in WORKLOADS:
                asked = ("--workload", workload, "--set", f"size_bytes={size}", "--repeat", "5")
                linkwright(folder, *measure, *asked, "-o", "one.parquet", "-q")
                given = ("--measured", "one.parquet", "--calibration", "mine.toml")
                print(linkwright(folder, "compare", *given))


@contextmanager
def ring(folder: Path) -> Iterator[RealHosts]:
    """Provide the hosts, in front of other processes, with cables in a ring."""
    with real_hosts(folder, NAMES) as up:
        wires = f"{up.prefix}w"
        run("ip", "netns", "add", wires)
        try:
            ends = [cable(up, wires, number) for number in range(len(NAMES))]
            for host in up.hosts:
                hurry(up, host.name)
            with paced(wires, ends, RATE_BPS):
                yield up
        finally:
            run("ip", "netns", "del", wires)


def cable(up: RealHosts, wires: str, number: int) -> tuple[str, str]:
    """Plug a cable from a host to the next; return its ends among the wires."""
    ends = (f"c{number}a", f"c{number}b")
    hosts = (NAMES[number], NAMES[(number + 1) % len(NAMES)])
    for host, port, end in zip(hosts, ("eth0", "eth1"), ends, strict=True):
        peer = ("type", "veth", "peer", "name", end, "netns", wires)
        run("ip", "link", "add", "name", port, "netns", up.space(host), *peer)
        run("ip", "-n", up.space(host), "link", "set", "dev", port, "up")
        for offload in OFFLOADS:
            up.run(host, "ethtool", "-K", port, offload, "off")
    return ends


def hurry(up: RealHosts, name: str) -> None:
    """Put all that runs on a host in front of other processes."""
    first = up.inside(name)[-1].partition("=")[2]
    found = subprocess.run(
        ["pgrep", "--ns", first, "--nslist", "pid"], capture_output=True, text=True, check=True
    )
    for process in found.stdout.split():
        os.sched_setscheduler(int(process), os.SCHED_RR, os.sched_param(PRIORITY))


def run(*words: str) -> None:
    """Run a program that must succeed."""
    subprocess.run(words, check=True, capture_output=True)


def linkwright(folder: Path, *words: str) -> str:
    """Return the output of a command; end with its error if it has one."""
    done = subprocess.run(
        [sys.executable, "-m", "linkwright", *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return f"$ linkwright {' '.join(words)}\n{done.stdout}"


if __name__ == "__main__":
    main()
