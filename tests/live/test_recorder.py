"""The recorder under a real MPI: the program of the example is recorded as it is in examples/.

Computation differs from run to run and is left out of the comparison. Other programs make every
call that the recorder knows, in C and by the three bindings of Fortran; what it wrote plays, and
stands in tests/golden.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import linkwright
from linkwright import engines
from linkwright.errors import UsageError
from linkwright.program import compile_program, goal_text
from linkwright.workloads import Recording
from linkwright.workloads.steps import StepKind

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"
RECORDER = Path(linkwright.__file__).parent / "recorder" / "recorder.c"
MISSING = [name for name in ("mpicc", "mpirun") if shutil.which(name) is None]
CANCELLED = 99
"""Step of a recording by which an operation never took place."""
SENDS = (
    StepKind.SEND,
    StepKind.START_SEND,
    StepKind.SYNC_SEND,
    StepKind.START_SYNC_SEND,
)
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-O2"]

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} not installed"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return `library(compiler)`: the recorder, built once by each program that compilers are."""
    folder, built = tmp_path_factory.mktemp("libraries"), dict[str, Path]()

    def library(compiler: str) -> Path:
        program = os.path.realpath(shutil.which(compiler) or compiler)
        if program not in built:
            path = folder / f"{compiler}.so"
            command = [compiler, *STRICT, "-shared", "-fPIC", "-o", str(path), str(RECORDER)]
            subprocess.run(command, check=True)
            built[program] = path
        return built[program]

    return library


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, library: Callable[[str], Path]) -> Path:
    built = tmp_path_factory.mktemp("recorder")
    (built / "librecorder.so").symlink_to(library("mpicc"))
    for command in (
        ["mpicc", *STRICT, "-o", "halo", str(ROOT / "examples" / "halo" / "halo.c")],
        ["mpicc", *STRICT, "-o", "calls", str(PROGRAMS / "calls.c")],
        ["mpicc", *STRICT, "-o", "threads", str(PROGRAMS / "threads.c"), "-lpthread"],
        ["mpicc", *STRICT, "-o", "sends", str(PROGRAMS / "sends.c")],
    ):
        subprocess.run(command, cwd=built, check=True)
    return built


def recorded(
    folder: Path, name: str, n_ranks: int, *arguments: str, into: Path | None = None
) -> tuple[Path, str]:
    """Run a program with the recorder; return the folder of its recording and what it said."""
    recording = into or folder / f"{'-'.join([name, *arguments])}.recording"
    environment = {
        **os.environ,
        "LD_PRELOAD": "",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    preload = ["-x", f"LD_PRELOAD={folder / 'librecorder.so'}"]
    where = ["-x", f"LINKWRIGHT_RECORDING={recording}"]
    command = ["mpirun", "--oversubscribe", *preload, *where, "-n", str(n_ranks), f"./{name}"]
    ran = subprocess.run(
        [*command, *arguments],
        cwd=folder,
        env=environment,
        check=True,
        timeout=120,
        stderr=subprocess.PIPE,
        text=True,
    )
    return recording, ran.stderr


def rows(file: Path) -> list[list[int]]:
    """Return all but the computation of each row."""
    found = np.loadtxt(file, dtype=np.int64)
    # Marks have the time at which they were passed.
    found[found[:, 0] == StepKind.MARK, 2] = 0
    listed: list[list[int]] = np.delete(found, 5, axis=1).tolist()
    return listed


def listed(recording: Path, n_ranks: int) -> str:
    """Return the rows of all ranks as a text, with the names of the steps."""
    lines = []
    for rank in range(n_ranks):
        lines.append(f"rank {rank}")
        text = (recording / f"rank-{rank}.txt").read_text(encoding="utf-8")
        lines += re.findall(r"^# ((?:communicator|region) .*)$", text, re.MULTILINE)
        for kind, *rest in rows(recording / f"rank-{rank}.txt"):
            name = "cancelled" if kind == CANCELLED else StepKind(kind).name.lower()
            lines.append(" ".join([name, *map(str, rest)]))
    return "\n".join([*lines, ""])


def unmatched(recording: Path, n_ranks: int) -> Counter[tuple[int, int, int]]:
    """Return how many messages more are sent than received, by sender, receiver and tag."""
    found: Counter[tuple[int, int, int]] = Counter()
    steps = Recording(folder=str(recording)).steps(n_ranks)
    columns = (steps.kind, steps.rank, steps.peer, steps.tag)
    for kind, rank, peer, tag in zip(*(column.tolist() for column in columns), strict=True):
        if kind in SENDS:
            found[rank, peer, tag] += 1
        elif kind in (StepKind.RECEIVE, StepKind.START_RECEIVE):
            found[peer, rank, tag] -= 1
    return Counter({ends: n for ends, n in found.items() if n})


def messages_of(recording: Path, n_ranks: int) -> list[list[tuple[str, int, int]]]:
    """Return the messages of each rank, with bytes and the other end, in order."""
    program = compile_program(Recording(folder=str(recording)), n_ranks)
    _, *ranks = "".join(goal_text(program)).split("\nrank ")
    found = [re.findall(r"(send|recv) (\d+)b (?:to|from) (\d+)", text) for text in ranks]
    return [[(verb, int(size), int(peer)) for verb, size, peer in tasks] for tasks in found]


def plays(recording: Path, n_ranks: int) -> bool:
    """Return whether the packet engine runs a recording to its end."""
    text = f"{{name: test, topology: {{kind: switch, nodes: {max(n_ranks, 2)}}}}}"
    network = linkwright.compile(linkwright.Cluster.parse(text))
    result = engines.run(network, Recording(folder=str(recording)), engine="packet")
    return 0 < result.filter(metric="time").values()[0] < 10


def test_the_example_is_recorded_as_it_stands(folder: Path) -> None:
    recording, said = recorded(folder, "halo", 4, "256", "20")
    for rank in range(4):
        name = f"rank-{rank}.txt"
        assert rows(recording / name) == rows(ROOT / "examples" / "halo" / "recording" / name)
    grid = "recorder: rank 0 called MPI_Cart_create, 1 time; when played it takes no time"
    assert [line for line in said.splitlines() if "recorder" in line] == [grid]


@pytest.mark.parametrize(
    "family",
    [
        "prepared",
        "matched",
        "collectives",
        "nonblocking",
        "parts",
        "neighbours",
        "two-sides",
        "duplicates",
        "cancelled",
        "one-sided",
    ],
)
def test_calls_are_recorded_and_play(
    folder: Path, golden: Callable[[str, str], None], family: str
) -> None:
    recording, _ = recorded(folder, "calls", 4, family)
    assert unmatched(recording, 4) == {}
    assert plays(recording, 4)
    golden(f"recorder/{family}.txt", listed(recording, 4))


@pytest.mark.parametrize(
    ("family", "n_ranks"), [("nonblocking", 1), ("parts", 2), ("nonblocking", 3), ("parts", 5)]
)
def test_collectives_go_round_any_number_of_ranks(folder: Path, family: str, n_ranks: int) -> None:
    recording, _ = recorded(folder, "calls", n_ranks, family)
    assert unmatched(recording, n_ranks) == {}
    assert plays(recording, n_ranks)


@pytest.mark.parametrize("n_ranks", [4, 7])
def test_collectives_of_a_communicator_are_those_of_its_ranks(folder: Path, n_ranks: int) -> None:
    """All ranks in reverse order are a group of their own; each sends what its mirror sends."""
    steps, _ = recorded(folder, "calls", n_ranks, "collectives")
    messages, _ = recorded(folder, "calls", n_ranks, "reversed")
    last = n_ranks - 1
    expected = [
        [(verb, size, last - peer) for verb, size, peer in tasks]
        for tasks in reversed(messages_of(messages, n_ranks))
    ]
    assert "all_reduce" in listed(messages, n_ranks)
    assert messages_of(steps, n_ranks) == expected


def test_messages_from_anybody_are_recorded_and_play(folder: Path) -> None:
    """Which of two requests is over first differs from run to run."""
    recording, _ = recorded(folder, "calls", 3, "messages")
    right = {(rank, (rank + 1) % 3, 1): 1 for rank in range(3)}
    assert unmatched(recording, 3) == {**right, **{(-1, rank, 1): -1 for rank in range(3)}}
    assert plays(recording, 3)


def test_what_cannot_be_written_down_is_said_once_and_in_the_file(folder: Path) -> None:
    recording, said = recorded(folder, "calls", 4, "left-out")
    left_out = {
        "MPI_Win_allocate_shared": 1,
        "MPI_File_open": 1,
        "MPI_File_write_at_all": 1,
        "MPI_File_close": 1,
    }
    text = (recording / "rank-0.txt").read_text(encoding="utf-8")
    for name, n_times in left_out.items():
        line = f"{name}, {n_times} time{'s' if n_times > 1 else ''}"
        assert f"\n! {line}\n" in text
        assert said.count(f"called {line}; it is not recorded") == 1
    with pytest.raises(
        UsageError, match=r"MPI_Win_allocate_shared, 1 time; .* which is not recorded"
    ):
        Recording(folder=str(recording)).steps(4)


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran not installed")
@pytest.mark.parametrize("binding", ["F08", "MODULE", "OLD"])
def test_fortran_is_recorded_by_every_binding(
    folder: Path, golden: Callable[[str, str], None], binding: str
) -> None:
    name = f"twin-{binding}"
    command = ["mpifort", "-cpp", f"-D{binding}", "-o", name, str(PROGRAMS / "twin.f90")]
    subprocess.run(command, cwd=folder, check=True)
    recording, said = recorded(folder, name, 3)
    golden("recorder/fortran.txt", listed(recording, 3))
    assert plays(recording, 3)
    assert "recorder" not in said


def test_threads_that_call_at_once_are_recorded_and_play(folder: Path) -> None:
    """Each of two threads sends 200 messages and receives 200, on a communicator of its own."""
    recording, _ = recorded(folder, "threads", 2)
    for rank in range(2):
        kinds = Counter(kind for kind, *_ in rows(recording / f"rank-{rank}.txt"))
        assert kinds[StepKind.SEND] + kinds[StepKind.START_SEND] == 400
        assert kinds[StepKind.RECEIVE] + kinds[StepKind.START_RECEIVE] == 400
    assert unmatched(recording, 2) == {}
    assert plays(recording, 2)


def time_s(recording: Path, engine: str) -> float:
    network = linkwright.compile(
        linkwright.Cluster.parse("{name: test, topology: {kind: switch, nodes: 2}}")
    )
    # Communication takes next to no time beside computations of 50 ms.
    result = engines.run(
        network, Recording(folder=str(recording)), engine=engine, calibration="ideal-linux-6"
    )
    return result.filter(metric="time").values()[0]


@pytest.mark.parametrize("way", ["ssend", "issend", "prepared"])
def test_a_synchronous_send_ends_when_its_receive_has_begun(folder: Path, way: str) -> None:
    recording, _ = recorded(folder, "sends", 2, way)
    computed_ns = [np.loadtxt(recording / f"rank-{rank}.txt")[:, 5].sum() for rank in range(2)]
    assert min(computed_ns) > 0.05e9
    # The computations of the ranks follow each other.
    for engine in ("packet", "flow", "analytic"):
        assert time_s(recording, engine) == pytest.approx(sum(computed_ns) / 1e9, rel=0.05)


@pytest.mark.parametrize("way", ["bsend", "ibsend"])
def test_a_buffered_send_needs_no_receive(folder: Path, way: str) -> None:
    recording, _ = recorded(folder, "sends", 2, way)
    assert unmatched(recording, 2) == {}
    assert plays(recording, 2)


def test_folders_are_made(folder: Path) -> None:
    recording, _ = recorded(folder, "calls", 2, "prepared", into=folder / "new" / "and" / "deep")
    assert plays(recording, 2)


@pytest.mark.parametrize("place", ["/proc/nowhere", "calls/a-file-is-no-folder"])
def test_a_program_runs_though_its_recorder_cannot_write(folder: Path, place: str) -> None:
    recording, said = recorded(folder, "calls", 2, "prepared", into=folder / place)
    for rank in range(2):
        assert f"recorder: rank {rank} cannot write {recording}/rank-{rank}.txt: " in said
    assert "it runs without being recorded" in said


def test_a_full_disk_is_said(folder: Path) -> None:
    recording = folder / "full"
    recording.mkdir()
    (recording / "rank-1.txt").symlink_to("/dev/full")
    _, said = recorded(folder, "calls", 2, "prepared", into=recording)
    assert "recorder: rank 1 has not written all: No space left on device" in said


def test_files_of_different_runs_are_told_apart(folder: Path) -> None:
    first, _ = recorded(folder, "calls", 2, "prepared", into=folder / "first")
    second, _ = recorded(folder, "calls", 2, "prepared", into=folder / "second")
    shutil.copy(second / "rank-1.txt", first)
    with pytest.raises(UsageError, match="ranks 0 and 1 are of different runs"):
        Recording(folder=str(first)).steps(2)


def test_regions_of_a_program_are_measured(folder: Path) -> None:
    recording, _ = recorded(folder, "calls", 4, "regions")
    network = linkwright.compile(
        linkwright.Cluster.parse("{name: t, topology: {kind: switch, nodes: 4}}")
    )
    values = {}
    for region in ("exchange", "2", "wtime:1-2"):
        workload = Recording(folder=str(recording), region=region)
        result = engines.run(network, workload, engine="packet")
        values[region] = {row.metric: row.value for row in result if "time" in row.metric}
    assert 0 < values["exchange"]["region_time"] < values["wtime:1-2"]["region_time"]
    # Its ranks compute for 50 ms less the time since the first look, on a machine that may be busy.
    assert values["2"]["region_time"] == pytest.approx(values["2"]["region_time_recorded"], rel=0.5)
    assert values["2"]["region_time_recorded"] > 0.02
    assert values["2"]["region_time"] < values["2"]["time"]


@pytest.mark.skipif(
    bool([name for name in ("mpicc.mpich", "mpiexec.hydra") if shutil.which(name) is None]),
    reason="MPICH not installed",
)
def test_calls_of_mpi_4_are_recorded_and_play(
    tmp_path: Path, library: Callable[[str], Path], golden: Callable[[str, str], None]
) -> None:
    build = ["mpicc.mpich", *STRICT, "-o", "program", str(PROGRAMS / "mpi_4.c")]
    subprocess.run(build, cwd=tmp_path, check=True)
    preload = ["-genv", "LD_PRELOAD", str(library("mpicc.mpich"))]
    where = ["-genv", "LINKWRIGHT_RECORDING", str(tmp_path / "recording")]
    command = ["mpiexec.hydra", *preload, *where, "-n", "3", "./program"]
    environment = {**os.environ, "LD_PRELOAD": ""}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, timeout=120)
    assert unmatched(tmp_path / "recording", 3) == {}
    assert plays(tmp_path / "recording", 3)
    golden("recorder/mpi-4.txt", listed(tmp_path / "recording", 3))


HARMLESS = re.compile(
    r"T_|Type_|Group_|Info_|Op_|Attr_|Keyval_|Error_|Errhandler_|Add_error_|Aint_|Address$|Addr$"
    r"|(Comm|Win|File|Session)_(call|create|get|set|free|delete)_(errhandler|keyval|attr|info|name)"
    r"|(Comm|File|Win|Request|Message|Status)_(c2f|f2c|c2f08|f082c|f082f|f2f08)"
    r"|Status_|Get_|Initialized|Finalized|Is_thread_main|Query_thread|Wtick|Test_cancelled"
    r"|Comm_(rank|size|group|compare|free$|disconnect|get_parent|remote_|test_inter)"
    r"|Cart_(coords|get|map|rank|shift)|Cartdim_get|Dims_create|Topo_test"
    r"|Dist_graph_neighbors|Graph_(get|map|neighbors)|Graphdims_get"
    r"|Pack|Unpack|Reduce_local|Buffer_|Alloc_mem|Free_mem|Register_datarep|Grequest_"
    # They say nothing to another rank, or only of what another call has left out.
    r"|File_(delete|get_|seek|set_|preallocate)|Win_(attach|detach|get_|shared_query|sync)"
    r"|Pready|Parrived|Session_(finalize|get_)"
    r"|(Open|Close)_port|(Publish|Unpublish|Lookup)_name"
)
"""Calls of MPI that move no data and wait for no other rank."""


@pytest.mark.parametrize("compiler", ["mpicc.openmpi", "mpicc.mpich"])
def test_every_call_of_a_library_is_recorded_left_out_or_harmless(
    tmp_path: Path, compiler: str, library: Callable[[str], Path]
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} not installed")
    listing = ["nm", "-D", "--defined-only", library(compiler)]
    symbols = subprocess.run(listing, check=True, capture_output=True)
    wrapped = set(re.findall(r" [TW] P?MPI_(\w+)", symbols.stdout.decode()))
    (tmp_path / "all.c").write_text("#include <mpi.h>\n", encoding="utf-8")
    header = subprocess.run(
        [compiler, "-E", "-P", str(tmp_path / "all.c")], check=True, capture_output=True
    ).stdout.decode()
    declared = set(re.findall(r"\b(?:int|double) +MPI_(\w+) *\(", header))
    assert len(declared) > 300
    assert {name for name in declared - wrapped if not HARMLESS.match(name)} == set()
