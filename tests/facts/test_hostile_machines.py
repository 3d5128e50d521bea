"""Machines that are slow, broken or hostile: each fails alone, in time, with its reason.

The hosts are namespaces of this machine with an sshd each, whose keys run another command than the
one that is asked for.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.machines.real_hosts import RealHosts

from linkwright.facts import ClusterFacts, gather
from linkwright.facts.gathering import COLLECTOR, QUESTIONS, clock_offset_s, read_answers
from linkwright.machines import bounded
from linkwright.machines.host import Host
from linkwright.machines.ssh import connections

NAMES = ("h0", "h1", "h2")
NOBODY = 65534


@contextmanager
def login(hosts: RealHosts, name: str, script: str) -> Iterator[None]:
    """Let every login on a host run a script of the shell instead."""
    keys = hosts.folder / name / "authorized_keys"
    key, program = keys.read_text(), hosts.folder / name / "login"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    keys.write_text(f'command="{program}" {key}')
    try:
        yield
    finally:
        keys.write_text(key)


def ask(timeout_s: float = 20) -> ClusterFacts:
    with connections([Host(name, name) for name in NAMES]) as machines:
        return gather(machines, timeout_s=timeout_s)


LOGINS = {
    "forever": ("exec yes", "prints more than"),
    "silent": ("exec sleep 60", "does not end within 6 s"),
    "gone": ("head -c 1000 >/dev/null; kill -9 $PPID", "h1"),
    "garbage": ('echo "{}"; exit 0', "gives no answer"),
    "without Python": ("echo 'python3: not found' >&2; exit 127", "not found"),
}


@pytest.mark.parametrize("name", LOGINS)
def test_a_broken_machine_fails_alone_with_its_reason(
    name: str, reached: RealHosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, reason = LOGINS[name]
    monkeypatch.setattr("linkwright.machines.machine.MOST_OF_OUTPUT", 1 << 20)
    with login(reached, "h1", script):
        found = ask(timeout_s=6)
    first, broken, last = found.machines
    assert first.failure is last.failure is None
    assert first.hostname == "h0"
    assert reason in str(broken.failure)
    assert ClusterFacts.parse(json.dumps(found.to_json())) == found


def test_a_slow_login_with_a_banner_is_no_failure(reached: RealHosts) -> None:
    script = 'sleep 1; seq 5000; printf "\\033[31mwelcome"; exec sh -c "$SSH_ORIGINAL_COMMAND"'
    with login(reached, "h1", script):
        found = ask()
    assert [one.failure for one in found.machines] == [None] * 3
    assert found.machines[1].hostname == "h1"


def test_a_clock_that_is_wrong_is_a_fact(reached: RealHosts) -> None:
    assert [one.clock_offset_s for one in ask().machines] == [0.0] * 3
    ahead = {"clock_s": 1000.0}
    assert clock_offset_s(ahead, 900, 910) == 90
    assert clock_offset_s(ahead, 1100, 1101) == -100
    assert clock_offset_s({"clock_s": "soon"}, 0, 1) is None


def collected(folder: Path, programs: dict[str, str], **given: Any) -> dict[str, Any]:
    """Return the answers of the collector for a user without rights, beside some programs."""
    for name, script in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    folder.chmod(0o755)
    # The interpreter may be where only root reads it: all modules come before the change of user.
    change = f"os.setgroups([]), os.setgid({NOBODY}), os.setuid({NOBODY})"
    begin = f"    {change}\n    main()"
    source = COLLECTOR.read_text().replace("    main()", begin)
    source = source.replace("COMMAND_S = 10", "COMMAND_S = 2")
    questions = {key: question.to_json() for key, question in QUESTIONS.items()}
    sent = {"questions": questions, "names": [], "sudo": False, "mark": "#", **given}
    done = subprocess.run(
        [sys.executable, "-I", "-c", source],
        input=json.dumps(sent),
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": f"{folder}:{os.environ['PATH']}"},
    )
    answers: dict[str, Any] = json.loads(done.stdout.partition("#")[2])
    return answers


@pytest.fixture
def folder() -> Iterator[Path]:
    """Provide a folder that every user may read."""
    with tempfile.TemporaryDirectory() as found:
        yield Path(found)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
class TestWithoutRoot:
    def test_facts_that_root_alone_sees_are_listed(self, folder: Path) -> None:
        found = read_answers("n0", collected(folder, {}))
        needs = {one.fact for one in found.missing if one.needs == "root, or --sudo"}
        assert {"system", "firewall"} <= needs
        assert found.interfaces

    def test_a_sudo_that_asks_is_named(self, folder: Path) -> None:
        asks = 'echo "sudo: a password is required" >&2; exit 1'
        found = read_answers("n0", collected(folder, {"sudo": asks}, sudo=True))
        reasons = {one.reason: one.needs for one in found.missing}
        assert "NOPASSWD" in str(reasons["sudo asks for a password before iptables"])

    def test_a_sudo_that_does_not_ask_answers(self, folder: Path) -> None:
        programs = {"sudo": 'shift; exec "$@"', "iptables": "echo '-P FORWARD DROP'"}
        answers = collected(folder, programs, sudo=True)
        assert answers["is_root"]
        assert read_answers("n0", answers).firewall.forward_policy == "DROP"

    def test_programs_that_never_end_or_print_too_much_are_ended(self, folder: Path) -> None:
        programs = {"ethtool": "exec yes", "bridge": "exec sleep 99", "nft": "kill -9 $$"}
        found = read_answers("n0", collected(folder, programs))
        assert any("bridge fdb ended with -1: no answer" in one.reason for one in found.missing)
        assert all(not one.offloads for one in found.interfaces)


def test_a_command_that_prints_too_much_or_reads_nothing_is_ended() -> None:
    with pytest.raises(bounded.RunError, match="more than 1,000 bytes"):
        bounded.run_bounded(["yes"], b"", most_bytes=1000, timeout_s=None)
    with pytest.raises(subprocess.TimeoutExpired):
        bounded.run_bounded(["sleep", "60"], bytes(1 << 20), most_bytes=1000, timeout_s=0.2)
    done = bounded.run_bounded(["true"], bytes(1 << 22), most_bytes=1000, timeout_s=30)
    assert done.returncode == 0
    data = os.urandom(1 << 20)
    done = bounded.run_bounded(["cat"], data, most_bytes=1 << 20, timeout_s=30)
    assert done.stdout == data
