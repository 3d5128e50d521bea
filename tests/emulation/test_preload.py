"""The library that is loaded into the programs of a command: threads that poll in a loop sleep,
those that work between polls do not, a rank of old versions of MPICH answers to the last, and ranks
are noted.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.emulation.processes import FIRST

from linkwright.emulation.preload import SOURCES

STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2"]
PROGRAMS = Path(__file__).parent / "programs"

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="cc is not installed")

POLL_FOR_HALF_A_SECOND = """
import os, select, socket, time
ends = [socket.socketpair() for _ in range(2)]
polls = [select.{kind}() for _ in ends]
for poll, (end, _) in zip(polls, ends):
    poll.register(end, select.POLLIN)
start = time.monotonic()
while time.monotonic() - start < 0.5:
    for poll in polls:
        poll.poll(0)
print(time.process_time())
"""

PASS_A_WORD_BETWEEN_POLLERS = """
import os, select, socket, time
pair, idle = socket.socketpair(), socket.socketpair()
me = int(os.fork() == 0)
mine, polls = pair[me], (select.epoll(), select.epoll())
for poll, end in zip(polls, (idle[0], mine)):
    poll.register(end, select.EPOLLIN)
start = time.monotonic()
for number in range(200):
    if number % 2 == me:
        time.sleep(0.001)
        mine.send(b"w")
    else:
        while not any([poll.poll(0) for poll in polls]):
            pass
        mine.recv(1)
if me == 0:
    print(time.monotonic() - start)
"""

WORK_BETWEEN_POLLS = """
import select, socket, time
mine, other = socket.socketpair()
poll = select.epoll()
poll.register(mine, select.EPOLLIN)
start = time.monotonic()
for number in range(1000):
    until = time.monotonic() + 50e-6
    while time.monotonic() < until:
        pass
    poll.poll(0)
print(time.monotonic() - start)
"""


WORK_S = 0.02
WORK_THEN_SEND = """
import ctypes, os, socket, sys, time
mpi = ctypes.CDLL("./libmpi.so", ctypes.RTLD_GLOBAL)
preloaded = ctypes.CDLL(None)
preloaded.MPI_Init(None, None)
mine, other = socket.socketpair()
ran, start = -time.thread_time(), time.monotonic()
while time.thread_time() + ran < {work_s}:
    pass
mine.send(b"w")
took = time.monotonic() - start
preloaded.MPI_Finalize()
print(took / (time.thread_time() + ran))
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("preload") / "preload.so"
    subprocess.run(["cc", *STRICT, "-shared", "-fPIC", "-o", built, *SOURCES], check=True)
    return built


def seconds(script: str, library: Path) -> float:
    """Return the seconds that a script prints, with the library loaded."""
    done = subprocess.run(
        [*FIRST, sys.executable, "-c", script],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return float(done.stdout)


@pytest.mark.parametrize("kind", ["epoll", "poll"])
def test_a_thread_that_polls_in_a_loop_sleeps(kind: str, library: Path) -> None:
    script = POLL_FOR_HALF_A_SECOND.format(kind=kind)
    # Without the library, all of the half second is processor time.
    assert seconds(script, library) < 0.25


def test_a_sleeping_thread_wakes_for_each_descriptor_that_it_polls(library: Path) -> None:
    # 200 words, a millisecond each; 2 s if each were noticed at the end of a sleep.
    assert 0.2 < seconds(PASS_A_WORD_BETWEEN_POLLERS, library) < 1.0


def test_a_thread_that_works_between_polls_does_not_sleep(library: Path) -> None:
    # 1,000 times 50 us; each sleep would add 10 ms.
    assert seconds(WORK_BETWEEN_POLLS, library) < 0.5


def test_a_rank_of_mpich_answers_while_it_waits_for_the_launcher(
    library: Path, tmp_path: Path
) -> None:
    for words in (
        ["-shared", "-fPIC", "-Wl,-soname,libucp.so.0", "-o", "libucp.so.0", PROGRAMS / "ucx.c"],
        ["-DPROGRAM", "-o", "program", PROGRAMS / "ucx.c", "libucp.so.0", f"-Wl,-rpath,{tmp_path}"],
    ):
        subprocess.run(["cc", *STRICT, *words], cwd=tmp_path, check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    subprocess.run([tmp_path / "program"], env=environment, timeout=10, check=True)


@pytest.mark.parametrize("scope", ["RTLD_GLOBAL", "RTLD_LOCAL"])
@pytest.mark.parametrize("ends", ["by finalize", "by exit"])
def test_ranks_are_noted(scope: str, ends: str, library: Path, tmp_path: Path) -> None:
    for words in (
        ["-shared", "-fPIC", "-o", "libmpi.so"],
        ["-shared", "-fPIC", "-DPLUGIN", "-o", "plugin.so", "-L.", "-lmpi", "-Wl,-rpath,$ORIGIN"],
        ["-DPROGRAM", f"-DSCOPE={scope}", "-o", "program"],
    ):
        command = ["cc", *STRICT, "-D_GNU_SOURCE", PROGRAMS / "rank.c", *words]
        subprocess.run(command, cwd=tmp_path, check=True)
    notes = tmp_path / "notes"
    environment = {**os.environ, "LD_PRELOAD": str(library), "LINKWRIGHT_SPANS": str(notes)}
    before = time.monotonic_ns()
    command = [tmp_path / "program", tmp_path / "plugin.so", ends]
    subprocess.run(command, env=environment, timeout=10, check=True)
    rows = [map(int, line.split()) for line in notes.read_text().splitlines()]
    (begun, begin, _), (ended, end, _) = rows
    assert (begun, ended) == (1, -1)
    assert before < begin <= end < time.monotonic_ns()


@pytest.mark.parametrize("dilation", [1, 20])
def test_work_of_ranks_takes_as_long_as_the_dilation_says(
    dilation: int, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["cc", *STRICT, PROGRAMS / "rank.c", "-shared", "-fPIC", "-o", "libmpi.so"]
    subprocess.run(command, cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LINKWRIGHT_DILATION", str(dilation))
    monkeypatch.setenv("LINKWRIGHT_SPANS", str(tmp_path / "notes"))
    slower = seconds(WORK_THEN_SEND.format(work_s=WORK_S), library)
    late_s = int((tmp_path / "notes").read_text().split()[-1]) / 1e9
    assert slower > 0.9 * dilation
    if dilation > 1:
        # Where the machine is so busy that the work is late, the library notes it.
        assert WORK_S * slower < 1.2 * (WORK_S * dilation + late_s)
    else:
        assert late_s == 0
