"""Remarks reach people on stderr and stay in manifests; what scripts read is never touched.

Which remarks there are is tested beside the engines (tests/engines/test_remarks.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from linkwright.cli import run

LU = ("-w", "npb.lu", "-e", "analytic")
IDLE = "npb.lu runs on 4 of the 6 nodes: it needs a power of two"
LATE = ("-w", "barrier", "--fault", "cable:0 down at 2min")


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[str, str]]:
    """Run a command next to some designs; return its output on stdout and on stderr."""
    monkeypatch.chdir(tmp_path)
    for name, topology in (
        ("six", "{kind: switch, nodes: 6}"),
        ("six-hub", "{kind: hub, nodes: 6}"),
        ("four", "{kind: switch, nodes: 4}"),
        ("ring", "{kind: ring, shape: [3]}"),
    ):
        (tmp_path / f"{name}.yaml").write_text(f"name: {name}\ntopology: {topology}\n")

    def command(*arguments: str) -> tuple[str, str]:
        assert run(arguments) == 0
        streams = capsys.readouterr()
        return streams.out, streams.err

    return command


def test_simulate_says_what_must_be_known(call: Callable[..., tuple[str, str]]) -> None:
    out, err = call("simulate", "six.yaml", *LU, "--set", "class=S")
    assert f"note: {IDLE}\n" in err
    assert "note:" not in out
    out, err = call("simulate", "ring.yaml", *LATE)
    assert err.startswith("note: the fault 'cable:0 down at 2min' never came: the run ended at ")
    assert err.count("\n") == 1
    lost = ("--calibration", "ideal-linux-6", "--fault", "cable:0 loss 1 from 0s to 50ms")
    _, err = call("simulate", "ring.yaml", "-w", "shift", *lost)
    assert "note: TCP time-outs dominate shift: during 200 ms of " in err


def test_scripts_read_rows_alone_and_quiet_is_silent(
    call: Callable[..., tuple[str, str]],
) -> None:
    out, err = call("simulate", "ring.yaml", *LATE, "--format", "json")
    assert json.loads(out)
    assert "never came" in err
    assert "never came" not in out
    assert call("simulate", "ring.yaml", *LATE, "--format", "json", "--quiet")[1] == ""


def test_the_manifest_keeps_them_though_nobody_reads_them(
    call: Callable[..., tuple[str, str]], tmp_path: Path
) -> None:
    assert call("simulate", "ring.yaml", *LATE, "-o", "rows.json", "--quiet") == ("", "")
    [manifest] = json.loads((tmp_path / "rows.manifest.json").read_text(encoding="utf-8"))
    assert manifest["remarks"][0].startswith("the fault 'cable:0 down at 2min' never came")


def test_a_traced_run_has_remarks(call: Callable[..., tuple[str, str]]) -> None:
    assert "never came" in call("simulate", "ring.yaml", *LATE, "--trace", "ring.pcapng")[1]


def test_a_trace_of_one_seed_says_that_others_differ(call: Callable[..., tuple[str, str]]) -> None:
    command = ("simulate", "six-hub.yaml", "-w", "all-to-all", "--set", "size_bytes=4096")
    told = call(*command, "--trace", "hub.pcapng")[1]
    assert "one run with seed 1 is watched, and chance changes it" in told
    assert "is watched" not in call(*command)[1]


def test_compare_says_each_remark_once_with_the_architectures(
    call: Callable[..., tuple[str, str]], tmp_path: Path
) -> None:
    told = call("compare", "six.yaml", "four.yaml", "six-hub.yaml", *LU, "-o", "c.html")[1]
    assert f"note: six, six-hub: {IDLE}\n" in told
    assert told.count("npb.lu runs on") == 1
    assert f"note: six, six-hub: {IDLE}" in (tmp_path / "c.html").read_text(encoding="utf-8")
    both = call("compare", "six.yaml", "six-hub.yaml", *LU, "--format", "json")[1]
    assert f"note: all architectures: {IDLE}\n" in both
    alone = call("compare", "six.yaml", *LU, "--format", "json")
    assert f"note: {IDLE}\n" in alone[1]
    assert "runs on" not in alone[0]
    assert call("compare", "six.yaml", *LU, "--format", "json", "-q")[1] == ""
