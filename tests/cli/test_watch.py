"""`linkwright watch` on two real hosts: lines of changes, the files of metrics and of the state,
and the end by Ctrl-C.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.machines.real_hosts import RealHosts, missing

from linkwright.cli import run

REASON = missing()
NAMES = ("n0", "n1")
CABLES = [("n0", "eth0", "n1", "eth0")]
LONGEST_S = 60.0
PROGRAM = """
import signal
# A shell that starts tests in the background lets them ignore interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
from linkwright.cli import main
main()
"""
DESIGN = """
name: pair
topology: {kind: ring, shape: [2]}
addressing: {scheme: per-segment, identities: interface}
"""


@pytest.fixture
def pair(reached: RealHosts) -> RealHosts:
    Path("pair.yaml").write_text(DESIGN)
    return reached


def kinds() -> set[str] | None:
    """Return the kinds of the present findings; None before the first comparison."""
    path = Path("state.json")
    if not path.exists():
        return None
    return {one["kind"] for one in json.loads(path.read_text())["findings"]}


def await_findings(command: subprocess.Popen[str], is_so: Callable[[set[str]], bool]) -> None:
    """Wait until the present findings are so, while the command runs."""
    ends_s = time.monotonic() + LONGEST_S
    while (found := kinds()) is None or not is_so(found):
        assert command.poll() is None
        assert time.monotonic() < ends_s, found
        time.sleep(0.05)


@pytest.mark.live
@pytest.mark.skipif(bool(REASON), reason=str(REASON))
def test_changes_are_lines_and_ctrl_c_ends_it(
    pair: RealHosts, capfd: pytest.CaptureFixture[str]
) -> None:
    code = run(["apply", "pair.yaml", "--hosts", "n0,n1", "--yes", "-q"])
    assert code == 0
    capfd.readouterr()
    down, back = (("ip", "link", "set", "dev", "eth0", one) for one in ("down", "up"))
    pulled = {"interface-down", "missing-cable"}
    words = ["--interval", "1s", "--metrics", "m.prom", "-o", "state.json", "--format", "json"]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "watch", "pair.yaml", "--hosts", "n0,n1", *words],
        stdout=subprocess.PIPE,
        text=True,
    ) as command:
        try:
            await_findings(command, lambda found: not found & pulled)
            pair.run("n1", *down)
            await_findings(command, lambda found: pulled <= found)
            pair.run("n1", *back)
            await_findings(command, lambda found: not found & pulled)
            command.send_signal(signal.SIGINT)
            out, _ = command.communicate(timeout=LONGEST_S)
        finally:
            command.kill()
    lines: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    seen = [(one["event"], one["kind"], one["node"]) for one in lines]
    for event in ("found", "cleared"):
        assert (event, "interface-down", "n1") in seen
        assert (event, "missing-cable", "n0") in seen
    state = json.loads(Path("state.json").read_text())
    assert command.returncode == (1 if state["findings"] else 0)
    assert state["watch"]["nodes"] == ["n0", "n1"]
    assert 'linkwright_machine_up{node="n1"} 1\n' in Path("m.prom").read_text()


@pytest.mark.live
@pytest.mark.skipif(bool(REASON), reason=str(REASON))
def test_a_number_of_rounds_ends_it_with_the_code_of_verify(
    pair: RealHosts, capfd: pytest.CaptureFixture[str]
) -> None:
    hosts = "n0,n1=nowhere.invalid"
    assert run(["watch", "pair.yaml", "--hosts", hosts, "--rounds", "1", "-q"]) == 1
    out = capfd.readouterr().out
    assert "error missing-machine n1: n1 (nowhere.invalid) is not reached" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "csv"], "lines of text or of JSON"),
        (["-o", "state.csv"], "the state is JSON"),
        (["--interval", "0"], "no time from 1 s"),
        (["--metrics", "nowhere/m.prom"], "no folder"),
    ],
)
def test_options_without_sense_are_refused(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pair.yaml").write_text(DESIGN)
    assert run(["watch", "pair.yaml", "--hosts", "n0=box0", *words]) != 0
    assert said in capsys.readouterr().err
