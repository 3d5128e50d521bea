"""Seconds in which real machines are asked and compared: hosts in namespaces of this machine, each
with an sshd of its own, in a ring.

The goal is facts of 64 machines in less than 20 s. All hosts share the processors of this machine,
so that its processor time, beside the time of the wall, says most. Only root can make such hosts.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import described

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.machines.real_hosts import missing, real_hosts  # noqa: E402 - it needs the path

DESIGN = "topology: {{kind: ring, shape: [{}]}}\n"
COMMANDS = {
    "facts": "facts hosts.yaml -o facts.json",
    "facts --probe": "facts hosts.yaml --probe ring.yaml -o probed.json",
    "verify --facts": "verify ring.yaml --facts probed.json",
}
SETTLED_S = 3.0
"""Time after the cables in which LLDP has met all neighbours."""


def main() -> None:
    """Measure all commands on some number of machines."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("n_machines", nargs="?", type=int, default=64)
    n_machines = parser.parse_args().n_machines
    if reason := missing():
        print(f"skipped: {reason}")
        return
    print(f"{n_machines} machines; {described()}")
    width = len(str(n_machines - 1))
    names = [f"n{i:0{width}}" for i in range(n_machines)]
    cables = [(a, "eth0", b, "eth1") for a, b in zip(names, names[1:] + names[:1], strict=True)]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        lines = [f"  {name}: {{ssh: {name}}}\n" for name in names]
        (folder / "hosts.yaml").write_text("machines:\n" + "".join(lines))
        (folder / "ring.yaml").write_text(DESIGN.format(n_machines))
        (folder / "hosts").mkdir()
        with real_hosts(folder / "hosts", names, cables) as up:
            time.sleep(SETTLED_S)
            for name, words in COMMANDS.items():
                measure(name, words, folder, up.search_path)


def measure(name: str, words: str, folder: Path, path: str) -> None:
    """Print the seconds of a command, and the processor time of its own processes."""
    began_s, used_s = time.monotonic(), processor_s()
    command = [sys.executable, "-m", "linkwright", *words.split(), "--quiet"]
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True)
    took_s = time.monotonic() - began_s
    print(
        f"{name:16} {took_s:6.1f} s, {processor_s() - used_s:6.1f} s of processor time of the "
        f"command and its connections, exit code {done.returncode}"
    )


def processor_s() -> float:
    """Return the processor time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
