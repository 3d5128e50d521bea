"""Changes and their undoing that are cut off by kill -9, on the machine or here: a second undoing
gives back all of it.

On the machine, the program ends itself before its n-th step that changes something: a file that is
written, renamed or removed, a folder, a program. LINKWRIGHT_STRIDE=1 tries every step.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.apply.booted import host
from tests.apply.hosts import DESIGN, expect_same, proposed, settled, state

from linkwright.apply import Outcome, applying, bring_all, new_run, take_back_all
from linkwright.apply.program import program
from linkwright.design.cluster import Cluster
from linkwright.machines import Machine
from linkwright.network import compile as compile_network

STRIDE = int(os.environ.get("LINKWRIGHT_STRIDE", "30"))
"""Steps between two at which a change is cut off."""
FIRST = "from __future__ import annotations\n"
KILLER = """
import os, pathlib, signal, sys
LEFT = [int(pathlib.Path("/run/kill_at").read_text())]
READING = ("show", "-S", "-k", "is-active", "info", "-j")
def count_down(event, args):
    if event == "open":
        counts = isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
    elif event == "subprocess.Popen":
        counts = not set(READING) & set(args[1])
    else:
        counts = event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.symlink")
    if counts:
        LEFT[0] -= 1
        if LEFT[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(count_down)
"""
"""Lines that end the program before a step."""
NEVER = 1 << 30
STAR = "name: star\ntopology: {kind: switch, nodes: 3}\n"
"""A network without dummies, which the command applies completely with any kernel."""
WAIT_FOR = 'until [ -e "$1" ]; do sleep 0.02; done'


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with host(tmp_path_factory.mktemp("host"), "networkd") as (_, found):
        yield found


def set_end(machine: Machine, step: int) -> None:
    """Let the program end before a step."""
    assert machine.run(["sh", "-c", 'echo "$1" > /run/kill_at', "set", str(step)]).code == 0


@pytest.mark.parametrize("via", ["networkd", "kernel"])
def test_a_change_that_is_cut_off_at_any_step_is_taken_back(
    machine: Machine, via: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off the change, then its undoing, at the same step; a second undoing completes it."""
    set_end(machine, NEVER)
    killed = program().replace(FIRST, FIRST + KILLER, 1)
    monkeypatch.setattr(applying, "program", lambda: killed)
    before = [state(machine)]
    (proposal,) = proposed(compile_network(Cluster.parse(DESIGN)), [machine], via)
    step, n_cut = 1 + os.getpid() % STRIDE, 0
    while _is_cut(
        machine, step, lambda: bring_all([machine], [proposal], new_run(), confirm_s=300)
    ):
        n_cut += 1
        n_cut += _is_cut(machine, step, lambda: take_back_all([machine]))
        _expect_back(machine, before, step)
        step += STRIDE
    _expect_back(machine, before, step)
    assert n_cut >= 60 // STRIDE


def _is_cut(machine: Machine, step: int, deed: Callable[[], list[Outcome]]) -> bool:
    """Do something that is cut off at a step; return whether it got that far."""
    set_end(machine, step)
    (outcome,) = deed()
    set_end(machine, NEVER)
    return outcome.failure is not None


def _expect_back(machine: Machine, before: list[list[str]], step: int | float) -> None:
    outcomes = take_back_all([machine])
    assert not any(one.failure or one.left for one in outcomes), (step, outcomes)
    settled([machine])
    expect_same(before, [machine])


@pytest.mark.parametrize(
    "place", ["/var/lib/linkwright/under-way.json", "/var/lib/linkwright/before.json"]
)
def test_a_command_that_is_killed_leaves_what_undo_takes_back(
    machine: Machine, place: str, tmp_path: Path
) -> None:
    """Kill the command as soon as the host has a change under way, or a confirmed one."""
    design = tmp_path / "star.yaml"
    design.write_text(STAR)
    before = [state(machine)]
    words = [sys.executable, "-m", "linkwright", "apply", str(design)]
    process = subprocess.Popen(
        [*words, "--hosts", "n0", "--yes", "-q"],
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    found = machine.run(["timeout", "60", "sh", "-c", WAIT_FOR, "sh", place])
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert found.code == 0
    _expect_back(machine, before, 0)
