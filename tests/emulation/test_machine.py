"""Machines and users: an ordinary user tries a design, and what is missing is named with its
remedy.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.emulation.processes import processes_of, wait_until

from linkwright.emulation import machine
from linkwright.errors import CapabilityError

ROOT = Path(__file__).parents[2]
MAIN = "from linkwright.cli import main; main()"
EMULATE = (sys.executable, "-c", MAIN, "emulate", "examples/home-ring.yaml")
AS_USER = """
mode="$1" closed="$2" python="$3"
shift 3
mount -t tmpfs -o mode=755 tmpfs /dev/net
mknod -m "$mode" /dev/net/tun c 10 200
if [ "$closed" ]; then
    mount --bind "$python" /mnt
    mount -t tmpfs -o mode=755 tmpfs "$closed"
    mkdir -p "$python"
    mount --move /mnt "$python"
fi
exec setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"
"""
"""Runs a command as an ordinary user, in mounts of its own: with a TUN device of a mode, and with
the interpreter where the user can read it.
"""


def as_user(*words: str, tun_mode: str = "666") -> list[str]:
    """Return the command that runs another as an ordinary user."""
    python = Path(sys.base_prefix).resolve()
    closed = [folder for folder in reversed(python.parents) if not is_open(folder)]
    hidden = str(closed[0]) if closed else ""
    given = (tun_mode, hidden, str(python), *words)
    return ["unshare", "--mount", "sh", "-ec", AS_USER, "sh", *given]


def is_open(folder: Path) -> bool:
    """Return whether every user may pass through a folder."""
    return bool(folder.stat().st_mode & stat.S_IXOTH)


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )


@pytest.fixture(scope="module")
def user() -> None:
    """Skip where no ordinary user can start the program, or have a user namespace."""
    program = run(as_user(sys.executable, "-c", "import linkwright"))
    if program.returncode:
        pytest.skip(f"other users cannot start the program: {program.stderr.strip()}")
    namespaces = run(as_user(*machine.AS_ROOT, "--net", "true"))
    if namespaces.returncode:
        pytest.skip(f"users have no namespaces here: {namespaces.stderr.strip()}")


@pytest.mark.usefixtures("user")
def test_an_ordinary_user_tries_a_design() -> None:
    done = run(as_user(*EMULATE, "--", "sh", "-c", "id -u; hostname; ls /sys/class/net"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["0", "n0", "eth0", "eth1", "id0", "lo"]


@pytest.mark.usefixtures("user")
def test_an_ordinary_user_asks_the_kernels() -> None:
    done = run(as_user(*EMULATE, "--verify", "--failures", "none"))
    assert done.returncode == 0, done.stderr
    assert "All agree" in done.stdout


@pytest.mark.usefixtures("user")
def test_a_device_that_the_user_may_not_use_is_named() -> None:
    done = run(as_user(*EMULATE, "--", "true", tun_mode="600"))
    assert done.returncode == 3
    assert "/dev/net/tun" in done.stderr
    assert "chmod 666" in done.stderr


@pytest.fixture
def kept() -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A cluster of an ordinary user that is kept up, and the printed command that enters it."""
    command = as_user(*EMULATE, "--keep")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as up:
        assert up.stderr is not None
        while "nsenter" not in (line := up.stderr.readline()):
            assert line
        yield up, line.split()
        up.kill()


@pytest.mark.usefixtures("user")
def test_the_user_enters_a_node_from_another_terminal(
    kept: tuple[subprocess.Popen[str], list[str]],
) -> None:
    _, words = kept
    done = run(as_user(*words[:-2], "n2", "hostname"))
    assert (done.stdout, done.stderr) == ("n2\n", "")


def is_running(process: str) -> bool:
    """Return whether a process exists and has not ended."""
    try:
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    except OSError:
        return False


@pytest.mark.usefixtures("user")
def test_a_killed_run_of_a_user_leaves_nothing(
    kept: tuple[subprocess.Popen[str], list[str]],
) -> None:
    up, words = kept
    (first,) = (word.partition("=")[2] for word in words if word.startswith("--target="))
    mark = f"sleep 98764.{os.getpid()}"
    with subprocess.Popen(as_user(*words[:-2], "n1", *mark.split())):
        wait_until(lambda: any(line.startswith("sleep") for line in processes_of(mark)))
        up.kill()
        wait_until(lambda: not processes_of(mark))
    wait_until(lambda: not is_running(first))


@pytest.mark.parametrize(("limit", "code"), [("-Sn 100", 0), ("-n 100", 3)])
def test_open_files_are_allowed_up_to_the_limit_of_the_machine(limit: str, code: int) -> None:
    done = run(["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", *EMULATE, "--", "true"])
    assert done.returncode == code
    assert ("open files, and this user may have 100" in done.stderr) == (code == 3)


def test_missing_programs_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("nsenter", "unshare"):
        (tmp_path / name).symlink_to(shutil.which(name) or "")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CapabilityError, match="needs setpriv") as refusal:
        machine.expect_abilities()
    assert refusal.value.hint == "apt install util-linux"


def test_a_missing_device_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine, "TUN", tmp_path / "tun")
    with pytest.raises(CapabilityError, match="tun, which this machine does not have") as refusal:
        machine.expect_abilities()
    assert "modprobe tun" in refusal.value.hint


@pytest.mark.parametrize(("name", "forbids", "allows"), machine.FORBIDDING)
def test_a_setting_that_forbids_user_namespaces_is_named(
    name: str, forbids: int, allows: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for known, others_forbid, others_allow in machine.FORBIDDING:
        setting = tmp_path / known.replace(".", "/")
        setting.parent.mkdir(exist_ok=True)
        setting.write_text(f"{others_forbid if known == name else others_allow}\n")
    monkeypatch.setattr(machine, "SYSCTLS", tmp_path)
    monkeypatch.setattr(machine, "AS_ROOT", ("false",))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CapabilityError, match=f"{name} is {forbids}") as refusal:
        machine.become_root()
    assert f"sysctl -w {name}={allows}" in refusal.value.hint


def test_a_program_of_an_ordinary_user_is_told_how_to_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CapabilityError) as refusal:
        machine.expect_abilities()
    assert "unshare --user --map-root-user" in refusal.value.hint
