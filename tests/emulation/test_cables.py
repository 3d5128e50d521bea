"""Cables of the kernel: every node is reached by the routes of the plan, at the rates of the
design, and devices and options that they do not have are refused by name.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests import kinds
from tests.emulation.processes import FIRST

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.emulation.cables import kernel_cables
from linkwright.emulation.cluster import EmulatedCluster, cabled
from linkwright.errors import CapabilityError
from linkwright.network import Network
from linkwright.network import compile as compile_network

KINDS = ("hub", "torus shape=(2, 3)", "p-mesh", "tree", "stack-ring", "hub-switch")
FAMILIES = {"IPv4": {"ipv4": True}, "IPv6": {"ipv4": None, "ipv6": True}}
HOSTS = calibrations.load("pentium-pro-200-linux-2.0")
MAIN = "from linkwright.cli import main; main()"

needs_ping = pytest.mark.skipif(not shutil.which("ping"), reason="ping is not installed")


def network(name: str, **sections: object) -> Network:
    return kinds.compiled(kinds.KINDS[name], **sections)


def said(up: EmulatedCluster, node: str, command: str) -> str:
    done = up.sandbox.machine(node).run(["sh", "-c", command])
    assert done.code == 0, done.errors
    return done.output


@needs_ping
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_node_answers(name: str, family: str) -> None:
    compiled = network(name, addressing=FAMILIES[family])
    ips = [compiled.addresses.ip[identity].ip for identity in compiled.addresses.identity]
    with cabled(compiled, HOSTS) as up:
        for sender in (compiled.device_names[0], compiled.device_names[compiled.n_nodes - 1]):
            said(up, sender, " && ".join(f"ping -c 1 -W 5 -q {ip}" for ip in ips))


SEND = """
import socket, sys, time
begin_s = time.monotonic()
with socket.create_connection((sys.argv[1], 7000)) as to:
    to.sendall(bytes(int(sys.argv[2])))
    to.shutdown(socket.SHUT_WR)
    to.recv(1)
print(time.monotonic() - begin_s)
"""
RECEIVE = """
import socket
with socket.create_server(("", 7000)) as server:
    print("ready", flush=True)
    sender, _ = server.accept()
    with sender:
        while sender.recv(1 << 16):
            pass
        sender.sendall(b"x")
"""


def test_a_stream_has_the_rate_of_its_cable() -> None:
    """Two bytes in a hundred are headers; buckets that are full at the start make it shorter."""
    n_bytes, rate_bps = 4_000_000, 100e6
    compiled = compile_network(Cluster.parse("topology: {kind: switch, nodes: 2}"))
    with cabled(compiled, HOSTS) as up:
        words = [*FIRST, sys.executable, "-c", RECEIVE]
        with up.sandbox.machine("n1").start(words, stdout=subprocess.PIPE) as receiver:
            assert receiver.stdout is not None
            receiver.stdout.readline()
            send = [*FIRST, sys.executable, "-c", SEND, "n1", str(n_bytes)]
            sent = up.sandbox.machine("n0").run(send)
    bits_s = n_bytes * 8 / rate_bps
    assert bits_s < float(sent.output) < 3 * bits_s


def test_parallel_cables_of_two_switches_are_one() -> None:
    compiled = network("tree")
    cables = kernel_cables(compiled)
    assert len(cables.rate_bps) < len(compiled.cable_rate_bps)
    assert cables.rate_bps.sum() == compiled.cable_rate_bps.sum()
    pairs = set(zip(cables.end_a.tolist(), cables.end_b.tolist(), strict=True))
    assert len(pairs) == len(cables.rate_bps)


@pytest.mark.parametrize(
    ("name", "refusal"), [("bonded-dual-net", "no bonds"), ("fat-tree", "several paths")]
)
def test_devices_that_the_kernel_does_not_have_are_refused(name: str, refusal: str) -> None:
    with pytest.raises(CapabilityError, match=refusal) as error:
        kernel_cables(network(name))
    assert error.value.hint == "use --backend wires"


def emulate(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "torus.yaml").write_text("topology: {kind: torus, shape: [2, 3]}\n")
    command = [sys.executable, "-c", MAIN, "emulate", "torus.yaml", "--backend", "veth", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_a_command_runs_without_a_verdict(tmp_path: Path) -> None:
    done = emulate("--", "sh", "-c", "hostname; exit 7", folder=tmp_path)
    assert (done.stdout, done.returncode) == ("n0\n", 7)
    assert done.stderr.startswith("not judged")
    assert "neither collisions nor the delay of store and forward" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--dilation", "2", "--", "true"),
        ("--fault", "cable:0 down at 0s", "--", "true"),
        ("--trace", "t.pcapng", "--", "true"),
        ("--workload", "barrier"),
        ("--verify",),
    ],
)
def test_options_without_effect_are_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    done = emulate(*words, folder=tmp_path)
    assert done.returncode == 2
    assert f"leave out {words[0]}" in done.stderr
