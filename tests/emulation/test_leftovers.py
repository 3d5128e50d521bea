"""Leftovers of killed runs.

They are found by the name of their owner, and nothing else is ended.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.emulation.cluster import unwired
from linkwright.emulation.leftovers import owner_name
from linkwright.emulation.sandbox import INIT
from linkwright.network import compile as compile_network

MAIN = "from linkwright.cli import main; main()"
LOCK = Path(tempfile.gettempdir()) / "linkwright-leftovers.lock"


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Keep other runs of these tests on this machine, which end leftovers too, away."""
    with LOCK.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def clean(whose: int) -> str:
    """Return the words of `linkwright emulate --clean` about the processes of an owner."""
    command = [sys.executable, "-c", MAIN, "emulate", "--clean"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return "".join(line for line in done.stdout.splitlines() if f"of the run {whose}," in line)


@contextmanager
def planted(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A sandbox that ends neither with its owner nor by its standard input, which is open here."""
    command = ["unshare", "--pid", "--mount", "--fork", "--mount-proc", sys.executable, *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, start_new_session=True, **pipes) as sandbox:
        assert sandbox.stdin is not None
        assert sandbox.stdout is not None
        sandbox.stdin.write('{"nodes": [], "files": {}}\n')
        sandbox.stdin.flush()
        assert sandbox.stdout.readline() == "ready\n"
        yield sandbox


def test_a_leftover_is_ended() -> None:
    with subprocess.Popen(["true"]) as owner:
        pass
    with planted("-I", "-S", str(INIT), f"linkwright-{owner.pid}-1") as sandbox:
        words = clean(owner.pid)
        sandbox.wait(timeout=10)
    assert words.endswith(f"of the run {owner.pid}, which was killed")
    assert clean(owner.pid) == ""


def test_the_number_of_an_owner_that_is_used_again_does_not_save_a_leftover() -> None:
    name, _, start = owner_name().rpartition("-")
    with planted("-I", "-S", str(INIT), f"{name}-{int(start) - 1}") as sandbox:
        assert clean(os.getpid()).endswith("which was killed")
        sandbox.wait(timeout=10)


def test_a_running_cluster_is_left_alone() -> None:
    network = compile_network(Cluster.parse("name: t\ntopology: {kind: direct}\n"))
    with unwired(network, calibrations.load(network.calibration)) as up:
        assert clean(os.getpid()) == ""
        assert up.sandbox.machine("n1").run(["true"]).code == 0


def test_a_process_of_another_name_is_left_alone() -> None:
    script = "print(input() and 'ready', flush=True); input()"
    with planted("-c", script, "init.py", "linkwright-1-1") as other:
        assert clean(1) == ""
        assert other.poll() is None
        other.communicate("end\n", timeout=10)
