"""The sandbox of the nodes' programs: two at once share no temporary file, no shared memory and no
name, and the files that the machine has stay in sight and stay its own.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.emulation.cluster import EmulatedCluster, unwired
from linkwright.emulation.init import SESSIONS
from linkwright.network import compile as compile_network

MAIN = "from linkwright.cli import main; main()"
DESIGN = "name: t\ntopology: {kind: direct}\n"
BOTH = f"{DESIGN}addressing: {{ipv4: true, ipv6: true}}\n"
OUTSIDE = Path("/tmp")

Pair = tuple[EmulatedCluster, EmulatedCluster]


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with ExitStack() as stack:
        network = compile_network(Cluster.parse(BOTH))
        hosts = calibrations.load(network.calibration)
        one, other = (stack.enter_context(unwired(network, hosts)) for _ in range(2))
        yield one, other


def said(up: EmulatedCluster, command: str, node: str = "n0") -> str:
    done = up.sandbox.machine(node).run(["sh", "-c", command])
    assert done.code == 0, done.errors
    return done.output


@pytest.mark.parametrize("name", ["ompi.n0.0", "result.log"])
def test_new_temporary_files_are_of_one_sandbox(pair: Pair, name: str) -> None:
    one, other = pair
    said(one, f"echo mine > /tmp/{name}")
    assert said(one, f"cat /tmp/{name}", "n1") == "mine\n"
    assert name not in said(other, "ls /tmp")
    assert not (OUTSIDE / name).exists()


def test_temporary_files_of_the_machine_stay_and_are_written(pair: Pair, tmp_path: Path) -> None:
    here = tmp_path.parts[2] if tmp_path.is_relative_to(OUTSIDE) else ""
    if not here:
        pytest.skip("pytest keeps its files elsewhere: run it without --basetemp")
    said(pair[0], f"echo result > '{tmp_path}/file'")
    assert (tmp_path / "file").read_text() == "result\n"


def test_session_folders_of_mpi_that_the_machine_has_are_not_seen() -> None:
    folder = OUTSIDE / f"{SESSIONS[0]}of-a-test"
    folder.mkdir()
    try:
        network = compile_network(Cluster.parse(DESIGN))
        with unwired(network, calibrations.load(network.calibration)) as up:
            assert folder.name not in said(up, "ls /tmp")
    finally:
        folder.rmdir()


def test_shared_memory_is_of_one_sandbox(pair: Pair) -> None:
    if not shutil.which("ipcmk"):
        pytest.skip("ipcmk is not installed: apt install util-linux")
    one, other = pair
    said(one, "ipcmk -M 4096; echo x > /dev/shm/mine")
    assert "0x" in said(one, "ipcs -m", "n1")
    assert "0x" not in said(other, "ipcs -m")
    assert "mine" not in said(other, "ls /dev/shm")


def test_abstract_sockets_are_of_one_node(pair: Pair) -> None:
    listen = "import socket; s = socket.socket(socket.AF_UNIX); s.bind('\\0linkwright'); s.listen()"
    script = f"{listen}\nprint('listens', flush=True); input()"
    one, other = pair
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with one.sandbox.machine("n0").start(
        [sys.executable, "-c", script], text=True, **pipes
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "listens\n"
        assert other.sandbox.machine("n0").run([sys.executable, "-c", listen]).code == 0
        first.communicate("end\n", timeout=30)


def test_names_stand_for_the_addresses_of_both_families(pair: Pair) -> None:
    for node in ("n0", "n1"):
        lines = said(pair[0], "cat /etc/hosts", node).splitlines()
        of_node = [line.split()[0] for line in lines if line.endswith(f" {node}")]
        assert len(of_node) == 2
        assert [":" in address for address in of_node] == [False, True]


def test_files_that_end_with_the_sandbox_are_said(tmp_path: Path) -> None:
    design = tmp_path / "direct.yaml"
    design.write_text(DESIGN)
    script = f"echo x > /tmp/lost-{tmp_path.name}; echo x > kept"
    command = [sys.executable, "-c", MAIN, "emulate", str(design), "--", "sh", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert f"'lost-{tmp_path.name}'" in " ".join(done.stderr.split())
    assert (tmp_path / "kept").exists()
