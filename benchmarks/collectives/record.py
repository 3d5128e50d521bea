"""Records the messages of collectives in the installed Open MPI or MPICH, for the tests of crates.

    python benchmarks/collectives/record.py openmpi crates/program/tests/recorded/openmpi-4.txt
    python benchmarks/collectives/record.py mpich crates/program/tests/recorded/mpich-4.txt

Needs the library's compiler and launcher under the names of Debian. All ranks are on this machine,
but each has a node of its own for MPICH, and talks TCP on loopback. Takes some minutes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
N_RANKS = (2, 3, 4, 5, 6, 8, 11, 12, 16)
SIZES = {
    "broadcast": (0, 1, 24, 100, 800, 3000, 10_000, 20_000, 40_004, 200_000, 600_000, 1_500_000),
    "reduce": (0, 4, 12, 24, 800, 3000, 10_000, 40_004, 200_000, 600_000, 1_500_000),
    "all_reduce": (0, 1, 8, 24, 100, 800, 5000, 10_000, 40_004, 200_000, 1_500_000),
    "barrier": (0,),
    "all_gather": (0, 8, 100, 3000, 10_000, 40_004, 200_000),
    "all_to_all": (0, 2, 8, 100, 300, 3000, 20_000, 40_004, 300_000),
    "gather": (0, 1, 2, 100, 3000, 10_000, 40_004, 300_000),
    "scatter": (0, 1, 100, 3000, 10_000, 40_004, 300_000, 1_500_000),
    "reduce_scatter": (0, 2, 4, 8, 24, 100, 200, 3000, 10_000, 40_004, 200_000, 600_000),
}
HAVE_ROOT = ("broadcast", "reduce", "gather", "scatter")
LAUNCHERS = {
    "mpirun.openmpi": ["--oversubscribe", "--mca", "btl", "tcp,self", "--mca", "coll", "^hcoll"],
    "mpirun.mpich": [],
}
"""Launchers and their options."""

Case = tuple[str, int, int]


def cases(n_ranks: int) -> Iterator[Case]:
    """Yield kind, bytes and root of each collective; a root other than 0 for every second size."""
    for kind, sizes in SIZES.items():
        for index, size_bytes in enumerate(sizes):
            is_other = kind in HAVE_ROOT and index % 2
            yield kind, size_bytes, n_ranks - 2 if is_other else 0


def surroundings() -> dict[str, str]:
    """Return the environment: MPICH takes each process to be on a node of its own, and packs what a
    gather sends, which changes no message.
    """
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    apart = {"MPIR_CVAR_NOLOCAL": "1", "UCX_TLS": "tcp,self"}
    return os.environ | allowed | apart | {"MPIR_CVAR_GATHER_VSMALL_MSG_SIZE": "1000000000"}


def run(command: list[str]) -> str:
    """Return the output of a command."""
    settings: dict[str, Any] = {"env": surroundings(), "capture_output": True, "text": True}
    return str(subprocess.run(command, check=True, **settings).stdout)


def recorded(launcher: str, program: str, n_ranks: int) -> Iterator[str]:
    """Yield the lines of all cases on some ranks."""
    every = [word for case in cases(n_ranks) for word in map(str, case)]
    command = [launcher, *LAUNCHERS[launcher], "-n", str(n_ranks), program, *every]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=surroundings(), stdout=pipe, text=True) as job:
        assert job.stdout is not None
        for _ in cases(n_ranks):
            yield job.stdout.readline().rstrip()
        job.terminate()  # UCX may wait endlessly for connections on loopback to end


def main(library: str, out: Path) -> None:
    """Record all cases of a library."""
    version = run([f"mpirun.{library}", "--version"]).strip().splitlines()
    named = next(line.strip() for line in version if re.search(r"\d+\.\d+\.\d+", line))
    lines = [
        f"# {library}: {named}; {datetime.now(UTC):%Y-%m-%d}, benchmarks/collectives/record.py"
    ]
    with tempfile.TemporaryDirectory() as name:
        program = str(Path(name) / "collectives")
        options = ["-D_GNU_SOURCE", "-O1", "-rdynamic", "-o", program]
        run([f"mpicc.{library}", *options, str(HERE / "collectives.c"), "-ldl"])
        for n_ranks in N_RANKS:
            lines.append(f"ranks {n_ranks}")
            lines.extend(recorded(f"mpirun.{library}", program, n_ranks))
            print(f"{library}: {n_ranks} ranks", file=sys.stderr)
    out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
