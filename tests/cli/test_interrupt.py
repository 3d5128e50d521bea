"""Long work moves on the terminal, and a signal ends any command at once with nothing left behind.

Without a terminal it says so in lines.
"""

from __future__ import annotations

import contextlib
import os
import pty
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkwright.cli import run, work
from linkwright.cli.application import COMMANDS
from linkwright.progress import Report

DESIGN = "topology: {kind: torus, shape: [32, 32]}"
# Interrupts are ignored by what a shell started in the background, and by all that it starts.
PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import linkwright.cli
linkwright.cli.main()
"""

FILES = {
    "ring.yaml": "topology: {kind: ring, shape: [3]}",
    "of-n0.json": '{"schema": 1, "when": "now", "machines": [{"name": "n0"}]}',
    "pair.json": '{"schema": 1, "when": "now", "machines": ['
    '{"name": "a", "interfaces": [{"name": "eth0"}]},'
    '{"name": "b", "interfaces": [{"name": "eth0"}]}], '
    '"cables": [{"ends": [["a", "eth0"], ["b", "eth0"]], "evidence": "probe", '
    '"certainty": "sure"}]}',
    "cables.csv": "a_device,a_port,b_device,b_port\nx,eth0,y,eth0\n",
    # With an axis, so that every command on its folder ends well.
    "small.yaml": "{designs: [ring.yaml], workloads: [broadcast], engines: [analytic], "
    "hosts: [{calibration: pentium-ii-400-linux-2.2, axes: {host.read.us: [5, 9]}}], "
    "sampling: {kind: one-at-a-time}}",
}
LINES = {
    "compare": "--nodes 4 -o page.html",
    "plan": "ring.yaml -o plan",
    "import": "cables.csv -o design.yaml",
    "check": "ring.yaml -o page.html",
    "simulate": "ring.yaml -w barrier --trace trace.pcapng -o rows.json",
    "saturate": "ring.yaml -o rows.csv",
    "study": "small.yaml -o new",
    "query": "made 'from rows' -o rows.csv",
    "pivot": "made --rows kind -o pivot.csv",
    "plot": "made --x kind -o plot.svg",
    "sensitivity": "made -o table.csv",
    "emulate": "ring.yaml --verify --failures none",
    "goal": "ring.yaml -w all-reduce -o trace.goal",
    "reproduce": "PMESH-1998/3 -o rows.csv",
    "lesson": "hub-collapse -o lesson.html",
    "facts": "nowhere.invalid -o facts.json",
    "verify": "ring.yaml --facts of-n0.json -o findings.json",
    "doctor": "ring.yaml --hosts nowhere.invalid -o findings.json",
    "watch": "ring.yaml --hosts n0=nowhere.invalid",
    "measure": "ring.yaml --hosts n0=nowhere.invalid -w barrier -o rows.json",
    "adopt": "pair.json -o design.yaml",
    "apply": "ring.yaml --hosts n0=nowhere.invalid --dry-run -o changes.json",
    "undo": "--hosts n0=nowhere.invalid --yes",
    "calibrate": "pentium-ii-400-linux-2.2 --keep -o table.csv",
    "serve": "--no-browser",
    "list": "parts -o parts.csv",
}
"""Arguments of every command."""
ENDS_WITH = {
    "apply": 1, "doctor": 2, "facts": 1, "measure": 4, "undo": 4, "verify": 1, "watch": 1,
}  # fmt: skip
"""Exit codes of commands that are not interrupted, where they differ from 0: a host is missing, or
its facts are.
"""
MOMENTS_S = ((0.0, 0.1, 0.4), (0.03, 0.2, 0.8))
"""Times after the program has begun to handle signals; commands take turns."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interrupted")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    before = Path.cwd()
    os.chdir(folder)
    assert run(["study", "small.yaml", "-o", "made", "-q"]) == 0
    os.chdir(before)
    return folder


def handles_signals(process: int) -> bool:
    """Return whether a process catches SIGTERM."""
    status = Path(f"/proc/{process}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


def written(said: str) -> set[str]:
    """Return the outputs, without suffixes, that a command says are whole; a late signal comes
    after the first of several, or after all.
    """
    lines = [line for line in said.splitlines() if line.startswith("wrote ")]
    return {word.strip(";").split(".")[0] for line in lines for word in line.split()}


def test_every_command_is_interrupted() -> None:
    assert set(LINES) == set(COMMANDS)


@pytest.mark.parametrize("place", range(len(LINES)), ids=[*LINES])
def test_a_signal_ends_it_without_a_trace(place: int, folder: Path) -> None:
    command = [*LINES][place]
    before = set(folder.rglob("*"))
    for turn, moment_s in enumerate(MOMENTS_S[place % 2]):
        number = SIGNALS[(place // 2 + turn) % 2]
        running = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, command, *shlex.split(LINES[command])],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        while not handles_signals(running.pid):
            assert running.poll() is None
            time.sleep(0.002)
        time.sleep(moment_s)
        # To all its processes, as a terminal does.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, number)
        _, said = running.communicate(timeout=20)
        assert b"Traceback" not in said, said.decode()
        if running.returncode not in (0, ENDS_WITH.get(command)):
            assert running.returncode == 128 + number, said.decode()
        left = set(folder.rglob("*")) - before
        if running.returncode != 0 and command != "study":  # a study's folder is whole at any time
            outputs = {one.relative_to(folder).parts[0].split(".")[0] for one in left}
            assert outputs <= written(said.decode())
        assert not [one for one in left if one.name.startswith(".")]
        for made in left:
            made.unlink(missing_ok=True) if made.is_file() else shutil.rmtree(made, True)


def test_signals_are_handled_before_anything_is_imported_that_takes_time() -> None:
    code = (
        "import sys; seen = set(sys.modules); import linkwright.cli; "
        "print(*set(sys.modules) - seen)"
    )
    asked = [sys.executable, "-c", code]
    found = set(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split())
    ours = {"linkwright", "linkwright.cli", "linkwright.cli.signals"}
    assert (
        ours <= found <= {*ours, "__future__", "_signal", "_thread", "atexit", "os", "sys", "time"}
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_after_the_work_leaves_the_exit_code(number: int) -> None:
    # Python deletes the variables of a module after it has restored the default actions.
    last = f"class Last:\n def __del__(self): os.kill(os.getpid(), {int(number)})\n"
    ended = subprocess.run(
        [sys.executable, "-c", f"import os\n{last}last = Last()\n{PROGRAM}", "list", "engines"],
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"packet" in ended.stdout


@pytest.mark.parametrize("start", [["-m", "linkwright"], ["-c", PROGRAM]])
def test_a_second_signal_does_not_wait(start: list[str], folder: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, *start, "goal", "-n500", "-wall-to-all", "-oall.goal"], cwd=folder
    )
    with running:
        while not list(folder.glob(".all.goal.*.part")):
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGTERM)
        running.send_signal(signal.SIGTERM)
        assert running.wait(timeout=10) == 143
    assert run(["list", "engines", "-q", "-o", str(folder / "engines.csv")]) == 0
    assert not list(folder.glob(".*.part"))
    (folder / "engines.csv").unlink()


def test_a_long_plan_shows_its_step_and_stops(tmp_path: Path) -> None:
    (tmp_path / "large.yaml").write_text(DESIGN)
    before = sorted(tmp_path.rglob("*"))
    terminal, end = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "plan", "large.yaml", "-o", "out"],
        cwd=tmp_path,
        stderr=end,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    os.close(end)
    shown = b""
    while b"planning" not in shown:  # ends by an error when the program ends without saying so
        shown += os.read(terminal, 4096)
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=10) == 130
    assert running.stdout is not None
    assert running.stdout.read() == b""
    running.stdout.close()
    os.close(terminal)
    assert b"Traceback" not in shown
    assert sorted(tmp_path.rglob("*")) == before


def test_an_interrupted_text_leaves_no_half_of_it(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "goal", "-n500", "-wall-to-all", "-oall.goal"],
        cwd=tmp_path,
        start_new_session=True,
    )
    with running:
        while not list(tmp_path.glob(".all.goal.*.part")):  # first one to see whether one can write
            assert running.poll() is None
            time.sleep(0.01)
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=10) == 130
    assert list(tmp_path.iterdir()) == []


def test_long_work_says_so_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def task(report: Report) -> str:
        report(3, 7, "counting")
        time.sleep(0.1)
        return "done"

    monkeypatch.setattr(work, "PATIENCE_S", 0.01)
    monkeypatch.setattr(work, "BETWEEN_LINES_S", 0.02)
    assert work.work(task, "beginning", quiet=True) == "done"
    assert capsys.readouterr().err == ""
    assert work.work(task, "beginning", quiet=False) == "done"
    assert capsys.readouterr().err.startswith("counting (3 of 7), 0 s\n")
