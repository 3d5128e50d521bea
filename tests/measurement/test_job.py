"""A user's command on a machine: its settings, its exit code, and nothing of it afterwards.

The machine is this one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from linkwright import Cluster
from linkwright import compile as compile_network
from linkwright.errors import RunError
from linkwright.hardware.command import call
from linkwright.machines import Local
from linkwright.measurement.job import job_of

RING = "{name: a, topology: {kind: ring, shape: [4]}}"


def test_a_job_has_lists_of_hosts_and_what_all_nodes_share() -> None:
    job = job_of(compile_network(Cluster.parse(RING)))
    assert "n3 slots=1" in job.texts["openmpi.hosts"]
    assert "n3:1" in job.texts["mpich.hosts"]
    assert job.environment["HYDRA_HOST_FILE"] == "{folder}/mpich.hosts"
    assert job.environment["OMPI_MCA_btl_tcp_if_include"]
    assert job.environment["NCCL_SOCKET_IFNAME"].startswith("=")
    assert not set(job.left_out) & set(job.environment)


def test_a_command_has_its_folder_until_it_ends(tmp_path: Path) -> None:
    words = ["sh", "-c", f'cat "$HOSTS"; echo "$HOSTS" > {tmp_path}/place; exit 7']
    texts, environment = {"list": "n0\n"}, {"HOSTS": "{folder}/list"}
    assert call(Local("n0"), words, texts=texts, environment=environment) == 7
    assert not Path((tmp_path / "place").read_text().strip()).parent.exists()
    assert call(Local("n0"), ["/nowhere"], texts={}, environment={}) == 127


def test_a_machine_that_does_not_take_the_command_is_named(tmp_path: Path) -> None:
    class Other(Local):
        python = "python3"

        def command(self, words: Sequence[str]) -> list[str]:
            return super().command(["sh", "-c", "exec <&-; exit 127"])

    class Gone(Local):
        python = "/nowhere/python3"

    class Signalled(Local):
        def command(self, words: Sequence[str]) -> list[str]:
            return super().command(["sh", "-c", "cat >/dev/null & kill -9 $$"])

    texts = {"large": "x" * (1 << 20)}
    with pytest.raises(RunError, match="n0 does not take the command: python3 ends with code 127"):
        call(Other("n0"), ["true"], texts=texts, environment={})
    with pytest.raises(RunError, match="n0 does not take the command: No such file"):
        call(Gone("n0"), ["true"], texts={}, environment={})
    assert call(Signalled("n0"), ["true"], texts={}, environment={}) == 128 + signal.SIGKILL


def test_a_killed_command_leaves_nothing(tmp_path: Path) -> None:
    program = (
        "from linkwright.hardware.command import call\n"
        "from linkwright.machines import Local\n"
        f"words = ['sh', '-c', 'echo $HOSTS $$ > {tmp_path}/place; sleep 60']\n"
        "call(Local('n0'), words, texts={'list': ''}, environment={'HOSTS': '{folder}/list'})\n"
    )
    command = subprocess.Popen([sys.executable, "-c", program])
    place = tmp_path / "place"
    wait_until(lambda: place.exists() and len(place.read_text().split()) == 2)
    file, shell = place.read_text().split()
    os.kill(command.pid, signal.SIGKILL)
    command.wait()
    wait_until(lambda: not Path(file).parent.exists())
    wait_until(lambda: not Path(f"/proc/{shell}").exists())


def wait_until(condition: object) -> None:
    deadline = time.monotonic() + 10
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.02)
