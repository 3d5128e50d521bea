"""A cluster of real kernels: the view of its nodes, the speed of its wires, and its remains.

Programs of other packages are skipped by name where they are missing.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.emulation.processes import processes_of, wait_until

from linkwright import calibrations, faults
from linkwright.design.cluster import Cluster
from linkwright.emulation.cluster import EmulatedCluster, WireOptions, emulated
from linkwright.errors import UsageError
from linkwright.network import Network
from linkwright.network import compile as compile_network

TORUS = "name: t\ntopology: {kind: torus, shape: [2, 3]}\n"
HUB = "name: t\ntopology: {kind: hub, nodes: 3}\n"
MAIN = """
import signal
from linkwright.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""The program, also below a shell that ignores Ctrl-C for what it runs in the background."""
HOSTS = calibrations.load("pentium-pro-200-linux-2.0")

needs_ping = pytest.mark.skipif(not shutil.which("ping"), reason="ping is not installed")
needs_tshark = pytest.mark.skipif(not shutil.which("tshark"), reason="tshark is not installed")


CARRIER = "cat /sys/class/net/eth*/carrier"


def network(text: str) -> Network:
    return compile_network(Cluster.parse(text))


def said(up: EmulatedCluster, node: str, command: str) -> str:
    done = up.sandbox.machine(node).run(["sh", "-c", command])
    assert done.code == 0, done.errors
    return done.output


def round_trip_us(text: str) -> float:
    """Return the shortest round trip that ping has printed."""
    found = re.search(r"rtt [^=]*= ([\d.]+)/", text)
    assert found, text
    return float(found[1]) * 1e3


def test_a_node_sees_its_own_names_and_interfaces_and_no_others() -> None:
    with emulated(network(TORUS), WireOptions(hosts=HOSTS)) as (up, _):
        assert said(up, "n3", "hostname") == "n3\n"
        assert said(up, "n3", "ls /sys/class/net").split() == ["eth0", "eth1", "eth2", "id0", "lo"]
        hosts = said(up, "n3", "cat /etc/hosts").splitlines()
        assert [line.split()[1] for line in hosts[2:]] == [f"n{node}" for node in range(6)]
        assert said(up, "n3", "cat /sys/class/net/eth0/carrier") == "1\n"
        assert said(up, "n3", "cat /proc/sys/net/ipv4/tcp_congestion_control") == "reno\n"


def test_an_unknown_node_is_refused_with_a_suggestion() -> None:
    options = WireOptions(hosts=HOSTS)
    with (
        emulated(network(TORUS), options) as (up, _),
        pytest.raises(UsageError, match="no node 'n9'"),
    ):
        up.node("n9")


@needs_ping
@pytest.mark.parametrize("text", [TORUS, HUB])
def test_every_node_answers_every_other(text: str) -> None:
    compiled = network(text)
    names = compiled.device_names[: compiled.n_nodes]
    with emulated(compiled, WireOptions(hosts=HOSTS)) as (up, _):
        for sender in names:
            said(up, sender, " && ".join(f"ping -c 1 -W 5 -q {name}" for name in names))


@needs_ping
def test_wires_slow_down_by_the_dilation() -> None:
    """A round trip takes at least the time of its bits, and that grows with the dilation."""
    for dilation in (1.0, 50.0):
        options = WireOptions(hosts=HOSTS, dilation=dilation)
        with emulated(network("topology: {kind: direct}"), options) as (up, _):
            trip_us = round_trip_us(said(up, "n0", "ping -c 5 -i 0.05 -s 1400 n1"))
        # Two frames of 1,446 bytes with their preambles, at 100 Mb/s.
        bits_us = 2 * 1454 * 8 / 100 * dilation
        assert bits_us <= trip_us < bits_us + 200_000


RING = "name: t\ntopology: {kind: ring, shape: [5]}\n"


@needs_ping
@pytest.mark.parametrize(
    "design",
    [TORUS + "routing: {fallback: true}\n", RING + "routing: {fallback: by-interface}\n"],
)
def test_a_cut_cable_takes_the_carrier_and_its_traffic_takes_the_fallback_route(
    design: str,
) -> None:
    compiled = compile_network(Cluster.parse(design))
    cut = faults.parse(["nic:n0:eth0 down at 0s"], compiled)
    with emulated(compiled, WireOptions(hosts=HOSTS, faults=cut)) as (up, _):
        nodes = compiled.device_names[: compiled.n_nodes]
        deadline = time.monotonic() + 10
        # Both ends of the cable notice, each within a second.
        while sum(said(up, node, CARRIER).split().count("0") for node in nodes) < 2:
            assert time.monotonic() < deadline
        for name in compiled.device_names[1 : compiled.n_nodes]:
            said(up, "n0", f"ping -c 1 -W 5 -q {name}")


@needs_ping
@needs_tshark
def test_a_capture_shows_the_real_frames(tmp_path: Path) -> None:
    compiled = network(TORUS)
    options = WireOptions(hosts=HOSTS, has_capture=True)
    with emulated(compiled, options) as (up, wires):
        said(up, "n0", "ping -c 3 -i 0.05 -q n1")
    (tmp_path / "frames.pcapng").write_bytes(wires.report.watched.capture)
    command = ["tshark", "-r", str(tmp_path / "frames.pcapng"), "-Y", "icmp.type == 8"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    # Each request is seen as it leaves and as it arrives.
    assert len(shown.splitlines()) == 6


def mounts() -> list[str]:
    """Return the mounts of this machine, without the named networks that other tests make."""
    lines = Path("/proc/self/mounts").read_text().splitlines()
    return [line for line in lines if "/netns" not in line and "nsfs" not in line]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_run_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    design = tmp_path / "torus.yaml"
    design.write_text(TORUS)
    mark = f"sleep 98765.{os.getpid()}"
    before = (mounts(), _interfaces())
    command: Sequence[str] = [sys.executable, "-c", MAIN, "emulate", str(design), "--"]
    run = subprocess.Popen([*command, *mark.split()], start_new_session=True)
    wait_until(lambda: any(line.startswith("sleep") for line in processes_of(mark)))
    run.send_signal(number)
    try:
        run.wait(timeout=10)
    finally:
        run.kill()
        run.wait()
    wait_until(lambda: not processes_of(mark))
    assert (mounts(), _interfaces()) == before


@pytest.mark.parametrize("after_s", [0.3, 0.6, 0.9, 1.2, 1.5])
def test_a_run_killed_at_any_moment_leaves_no_process_and_no_file(
    after_s: float, tmp_path: Path
) -> None:
    (tmp_path / "torus.yaml").write_text(TORUS)
    mark = f"linkwright-session-{os.getpid()}-{after_s}"
    script = f"mkdir /tmp/{mark} && sleep 98765"
    command = [sys.executable, "-c", MAIN, "emulate", "torus.yaml", "--dilation", "1", "--"]
    run = subprocess.Popen([*command, "sh", "-c", script], start_new_session=True, cwd=tmp_path)
    time.sleep(after_s)
    run.kill()
    run.wait()
    wait_until(lambda: not processes_of(mark) and not processes_of(f"linkwright-{run.pid}-"))
    assert not Path("/tmp", mark).exists()


def _interfaces() -> list[str]:
    return sorted(path.name for path in Path("/sys/class/net").iterdir())


def emulate(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", MAIN, "emulate", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_a_command_runs_in_the_folder_of_its_caller_and_gives_its_exit_code(tmp_path: Path) -> None:
    (tmp_path / "torus.yaml").write_text(TORUS)
    command = ("sh", "-c", "pwd; exit 7")
    done = emulate("torus.yaml", "--dilation", "1", "--", *command, folder=tmp_path)
    assert (done.stdout, done.returncode) == (f"{tmp_path}\n", 7)
    assert done.stderr == "idle: no frame moved between the nodes\n"


@pytest.mark.parametrize(("script", "code"), [("kill -KILL $$", 137), ("kill -SEGV $$", 139)])
def test_a_command_ended_by_a_signal_gives_the_code_that_a_shell_gives(
    script: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "torus.yaml").write_text(TORUS)
    done = emulate("torus.yaml", "--", "sh", "-c", script, folder=tmp_path)
    assert done.returncode == code


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ([], "nothing to run"),
        (["--verify", "--shell", "n0"], "only one thing"),
        (["--verify", "--fault", "cable:0 down at 0s"], "wires of its own"),
        (["--shell", "n9"], "no node 'n9'"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(
    words: list[str], refusal: str, tmp_path: Path
) -> None:
    (tmp_path / "torus.yaml").write_text(TORUS)
    done = emulate("torus.yaml", *words, folder=tmp_path)
    assert done.returncode == 2
    assert refusal in done.stderr


def test_links_that_the_wires_do_not_model_are_refused(tmp_path: Path) -> None:
    (tmp_path / "torus.yaml").write_text(TORUS)
    words = ["--host", "links.flow_control=pause", "--", "true"]
    done = emulate("torus.yaml", *words, folder=tmp_path)
    assert done.returncode == 3
    assert "links.flow_control is pause" in done.stderr


@pytest.mark.parametrize(
    ("words", "is_learned"),
    [
        ([], False),
        (["--neighbours", "learned"], True),
        (["--host", "links.arp=cold"], True),
        (["--host", "links.arp=cold", "--neighbours", "permanent"], False),
    ],
)
def test_nodes_know_their_neighbours_or_ask(
    words: list[str], is_learned: bool, tmp_path: Path
) -> None:
    (tmp_path / "torus.yaml").write_text(TORUS)
    done = emulate("torus.yaml", *words, "--", "cat", "/proc/net/arp", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    # A permanent entry has the flags 0x6.
    assert ("0x6" not in done.stdout) == is_learned


def test_what_has_no_effect_on_a_command_is_said(tmp_path: Path) -> None:
    (tmp_path / "torus.yaml").write_text(TORUS)
    words = ["--dilation", "2", "--host", "host.send.us=3", "--host", "tcp.ack_delay_us=5"]
    words += ["--fault", "node:n3 down at 5min", "--", "ping", "-c", "1", "n1"]
    done = emulate("torus.yaml", *words, folder=tmp_path)
    said = " ".join(done.stderr.split())
    assert "note: host.send.us, tcp.ack_delay_us has no effect" in said
    assert "and its programs go on: n3" in said
    assert "the fault 'node:n3 down at 5min' is due at 600 s of real time" in said
    assert "the fault 'node:n3 down at 5min' never came: the run ended at" in said


def test_the_proof_by_kernels_can_be_written_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "torus.yaml").write_text(TORUS)
    for name in ("proof.json", "proof.csv", "proof.txt"):
        done = emulate("torus.yaml", "--verify", "--failures", "none", "-o", name, folder=tmp_path)
        assert done.returncode == 0, done.stderr
    assert '"disagreements": []' in (tmp_path / "proof.json").read_text()
    assert "All agree" in (tmp_path / "proof.txt").read_text()


OWN_ADDRESSES = """
topology: {kind: ring, shape: [4]}
routing: {fallback: true}
nodes:
  n0: {address: 10.99.0.1, nics: {eth0: {address: 192.168.10.1/24, mtu: 1400}}}
  n1: {nics: {eth1: {address: 192.168.10.2/24}}}
"""


def test_kernels_with_addresses_of_ones_own_decide_as_the_proof_says(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(OWN_ADDRESSES)
    done = emulate("own.yaml", "--verify", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "All agree with the proofs" in " ".join(done.stdout.split())
    done = emulate("own.yaml", "--", "ip", "-o", "link", folder=tmp_path)
    assert done.stdout.count("mtu 1400") == 2, "both ends of the link"
