"""Machines over ssh: shared connections, programs that take too long, and what failures say.

The hosts are namespaces of this machine with an sshd each. Commands and files are tested with those
of all kinds (test_machines.py).
"""

from __future__ import annotations

import stat
import subprocess
import time
from pathlib import Path

import pytest
from tests.machines.real_hosts import RealHosts

from linkwright.errors import RunError, UsageError
from linkwright.machines.all_at_once import on_all
from linkwright.machines.host import Host
from linkwright.machines.ssh import Ssh, connections

NAMES = ("h0", "h1", "h2", "h3")


def test_programs_share_a_connection_that_ends_with_the_block(reached: RealHosts) -> None:
    def logins() -> int:
        return (reached.hosts[2].folder / "sshd.log").read_text().count("Accepted publickey")

    before = logins()
    with connections([Host("n2", "h2")]) as (machine,):
        assert isinstance(machine, Ssh)
        folder = Path(next(o for o in machine.options if o.startswith("ControlPath="))[12:]).parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for _ in range(4):
            machine.run(["true"])
    assert logins() == before + 1
    assert not folder.exists()


def test_a_program_that_takes_too_long_is_ended_there_too(reached: RealHosts) -> None:
    with connections([Host("n0", "h0")]) as (machine,):
        with pytest.raises(RunError, match="does not end within"):
            machine.run(["sleep", "1234.5"], timeout_s=2)
        for _ in range(100):
            left = machine.run(["pgrep", "-f", "sleep 1234.5"]).output
            if not left:
                break
            time.sleep(0.1)
    assert not left


def test_failures_name_the_machine_and_the_remedy(reached: RealHosts) -> None:
    host = Host("n0", "nowhere.invalid")
    with connections([host]) as (machine,), pytest.raises(RunError) as wrong:
        machine.run(["true"])
    assert "n0 (nowhere.invalid) is not reached" in wrong.value.message
    assert "name" in str(wrong.value.hint)
    for hostile in ("-oProxyCommand=reboot", "", "a\nb"):
        with pytest.raises(UsageError, match="no host for ssh"), connections([Host("n0", hostile)]):
            pass


def test_another_machine_in_its_place_is_refused(reached: RealHosts) -> None:
    known = reached.folder / "known_hosts"
    right = known.read_text()
    lines = right.splitlines()
    keys = [line.partition(" ")[2] for line in lines]
    known.write_text("".join(f"h{i} {keys[(i + 1) % 4]}\n" for i in range(4)))
    try:
        with connections([Host("n0", "h0")]) as (machine,), pytest.raises(RunError) as wrong:
            machine.run(["true"])
    finally:
        known.write_text(right)
    assert "key" in str(wrong.value.hint)


def test_a_machine_that_goes_away_fails_alone(up: RealHosts, reached: RealHosts) -> None:
    up.hosts[3].kill()
    steps: list[str] = []
    with connections([Host(f"n{i}", name) for i, name in enumerate(NAMES)]) as machines:
        found = on_all(
            machines, lambda one: one.run(["hostname"]).output, report=lambda *s: steps.append(s[2])
        )
    assert [one for one in found if isinstance(one, str)] == ["h0\n", "h1\n", "h2\n"]
    assert isinstance(found[3], RunError)
    assert sorted(steps) == ["n0", "n1", "n2", "n3"]


def test_no_process_of_ssh_is_left(reached: RealHosts) -> None:
    with connections([Host("n0", "h0")]) as (machine,):
        machine.run(["true"])
        folder = next(o for o in machine.options if o.startswith("ControlPath="))
    listed = subprocess.run(["pgrep", "-f", folder], capture_output=True, check=False)
    assert not listed.stdout
