"""The recorder under a real MPI: the program of the example is recorded as it stands in examples/.

Computation differs from run to run and is left out of the comparison. A second program makes every
call that the recorder knows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import linkwright
from linkwright import engines
from linkwright.errors import UsageError
from linkwright.workloads import Recording

ROOT = Path(__file__).resolve().parents[2]
RECORDER = Path(linkwright.__file__).parent / "recorder" / "recorder.c"
MISSING = [name for name in ("mpicc", "mpirun") if shutil.which(name) is None]

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} not installed"),
]

CALLS = r"""
#include <mpi.h>
int main(int argc, char **argv)
{
    double a[64] = {0}, b[64];
    int rank, n, flag = 0, index, counts[3] = {1, 2, 3}, places[3] = {0, 1, 3}, one[3] = {1, 1, 1};
    MPI_Request r[4];
    MPI_Status s[4];
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int right = (rank + 1) % n, left = (rank + n - 1) % n;
    MPI_Sendrecv(a, 3, MPI_DOUBLE, right, 5, b, 3, MPI_DOUBLE, left, 5, MPI_COMM_WORLD, s);
    MPI_Irecv(b, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Barrier(MPI_COMM_WORLD); /* with a receive under way */
    MPI_Isend(a, 8, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Waitany(2, r, &index, s);
    MPI_Waitall(2, r, s);
    MPI_Irecv(b, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &r[0]);
    MPI_Ssend(a, 1, MPI_DOUBLE, rank == 0 ? right : MPI_PROC_NULL, 2, MPI_COMM_WORLD);
    if (rank != 0)
        MPI_Wait(&r[0], s);
    if (rank != 0)
        MPI_Send(a, 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);
    while (rank == 0 && !flag)
        MPI_Test(&r[0], &flag, s);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Allreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, other);
    MPI_Reduce(a, b, 4, MPI_DOUBLE, MPI_SUM, 1, other);
    MPI_Bcast(a, 4, MPI_DOUBLE, 2, other);
    MPI_Allgather(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, other);
    MPI_Alltoall(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, other);
    MPI_Gather(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, 0, other);
    MPI_Scatter(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, 0, other);
    MPI_Allgatherv(a, counts[rank], MPI_DOUBLE, b, counts, places, MPI_DOUBLE, other);
    MPI_Gatherv(a, counts[rank], MPI_DOUBLE, b, counts, places, MPI_DOUBLE, 0, other);
    MPI_Scatterv(a, counts, places, MPI_DOUBLE, b, counts[rank], MPI_DOUBLE, 0, other);
    MPI_Alltoallv(a, one, places, MPI_DOUBLE, b, one, places, MPI_DOUBLE, other);
    MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, other);
    if (argc > 1)
        MPI_Scan(a, b, 1, MPI_DOUBLE, MPI_SUM, other);
    MPI_Finalize();
    return 0;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("recorder")
    (built / "calls.c").write_text(CALLS, encoding="utf-8")
    strict = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-O2"]
    for command in (
        ["mpicc", *strict, "-shared", "-fPIC", "-o", "librecorder.so", str(RECORDER)],
        ["mpicc", *strict, "-o", "halo", str(ROOT / "examples" / "halo" / "halo.c")],
        ["mpicc", *strict, "-o", "calls", "calls.c"],
    ):
        subprocess.run(command, cwd=built, check=True)
    return built


def recorded(folder: Path, name: str, n_ranks: int, *arguments: str) -> Path:
    """Run a program with the recorder and return the folder of its recording."""
    recording = folder / f"{'-'.join([name, *arguments])}.recording"
    environment = {
        **os.environ,
        "LD_PRELOAD": "",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    preload = ["-x", f"LD_PRELOAD={folder / 'librecorder.so'}"]
    where = ["-x", f"LINKWRIGHT_RECORDING={recording}"]
    command = ["mpirun", "--oversubscribe", *preload, *where, "-n", str(n_ranks), f"./{name}"]
    subprocess.run([*command, *arguments], cwd=folder, env=environment, check=True, timeout=120)
    return recording


def rows(file: Path) -> list[list[int]]:
    """Return all but the computation of each row."""
    listed: list[list[int]] = np.loadtxt(file, dtype=np.int64)[:, :5].tolist()
    return listed


def test_the_example_is_recorded_as_it_stands(folder: Path) -> None:
    recording = recorded(folder, "halo", 4, "256", "20")
    for rank in range(4):
        name = f"rank-{rank}.txt"
        assert rows(recording / name) == rows(ROOT / "examples" / "halo" / "recording" / name)


def test_every_call_is_recorded_and_plays(folder: Path) -> None:
    recording = recorded(folder, "calls", 3)
    network = linkwright.compile(
        linkwright.Cluster.parse("{name: test, topology: {kind: switch, nodes: 3}}")
    )
    result = engines.run(network, Recording(folder=str(recording)))
    assert 0 < result.filter(metric="time").values()[0] < 10


def test_a_call_that_cannot_be_written_down_is_named(folder: Path) -> None:
    recording = recorded(folder, "calls", 3, "scan")
    with pytest.raises(UsageError, match="MPI_Scan, which is not recorded"):
        Recording(folder=str(recording)).steps(3)
