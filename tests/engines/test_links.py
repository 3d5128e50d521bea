"""Options below the transport through the package: what captures show of them, read by tshark.

What they do to a run is tested in the crate (crates/packet/tests).
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import linkwright
from linkwright import calibrations, engines, workloads

COLD = calibrations.load("ideal-reno").changed({"links.arp": "cold"})


def network(topology: str, extra: str = "") -> linkwright.Network:
    text = f"{{name: test, topology: {topology}{extra}}}"
    return linkwright.compile(linkwright.Cluster.parse(text))


def dissected(capture: bytes, folder: Path) -> list[dict[str, Any]]:
    """Return the layers of every frame as tshark sees them; nothing may look odd to it."""
    tshark = shutil.which("tshark")
    if tshark is None:
        pytest.skip("missing capability: tshark")
    path = folder / "run.pcapng"
    path.write_bytes(capture)
    checks = ["ip.check_checksum", "tcp.check_checksum", "udp.check_checksum"]
    options = [word for check in checks for word in ("-o", f"{check}:TRUE")]
    # Cut at the snap length, the fragments of a datagram cannot be put together.
    options += ["-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE"]
    command = [tshark, "-r", str(path), "-T", "json", "--no-duplicate-keys", *options]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    assert "Malformed" not in done.stdout
    assert 'checksum.status": "0"' not in done.stdout
    return [frame["_source"]["layers"] for frame in json.loads(done.stdout)]


def port_of(frame: dict[str, Any]) -> str:
    return str(frame["frame"]["frame.interface_id_tree"]["frame.interface_name"])


def test_a_warm_run_is_the_one_without_the_option() -> None:
    ping = workloads.PingPong(size_bytes=1000)
    pair = network("{kind: switch, nodes: 3}")
    plain = calibrations.load("ideal-reno")
    warm = plain.changed({"links.arp": "warm", "links.arp_tries": 7})
    times = [engines.run(pair, ping, calibration=hosts).values()[0] for hosts in (plain, warm)]
    assert times[0] == times[1]


@pytest.mark.live
def test_tshark_sees_a_broadcast_request_and_a_reply_to_the_asker(tmp_path: Path) -> None:
    shift = workloads.Shift(k=1, size_bytes=1000)
    _, watched = engines.watch(network("{kind: switch, nodes: 3}"), shift, calibration=COLD)
    frames = dissected(watched.capture, tmp_path)
    arps = [frame for frame in frames if "arp" in frame]
    at_n0 = [frame for frame in arps if port_of(frame) == "n0:eth0"]
    # Node 0 asks for 1 and hears the others ask for 2 and for it; it is answered and answers.
    assert sorted(frame["arp"]["arp.opcode"] for frame in at_n0) == ["1", "1", "1", "2", "2"]
    assert {frame["frame"]["frame.len"] for frame in arps} == {"60"}
    for frame in arps:
        is_question = frame["arp"]["arp.opcode"] == "1"
        assert (frame["eth"]["eth.dst"] == "ff:ff:ff:ff:ff:ff") == is_question
    asked = next(frame for frame in at_n0 if frame["arp"]["arp.src.proto_ipv4"] == "10.0.0.1")
    assert asked["arp"]["arp.dst.proto_ipv4"] == "10.0.0.2"
    first_segment = next(i for i, frame in enumerate(frames) if "tcp" in frame)
    assert any("arp" in frame for frame in frames[:first_segment])


@pytest.mark.live
def test_tshark_sees_neighbour_discovery_over_ipv6(tmp_path: Path) -> None:
    shift = workloads.Shift(k=1, size_bytes=1000)
    over_ipv6 = network("{kind: switch, nodes: 2}", ", addressing: {ipv6: true, ipv4: false}")
    _, watched = engines.watch(over_ipv6, shift, calibration=COLD)
    frames = [frame for frame in dissected(watched.capture, tmp_path) if "icmpv6" in frame]
    kinds = {frame["icmpv6"]["icmpv6.type"] for frame in frames}
    assert kinds == {"135", "136"}
    assert {frame["icmpv6"]["icmpv6.checksum.status"] for frame in frames} == {"1"}
    assert {frame["frame"]["frame.len"] for frame in frames} == {"86"}
    questions = [frame for frame in frames if frame["icmpv6"]["icmpv6.type"] == "135"]
    assert all(frame["eth"]["eth.dst"].startswith("33:33:ff:") for frame in questions)


@pytest.mark.live
@pytest.mark.parametrize(
    ("protocol", "extra", "n_frames"),
    [
        ("udp", "", 3),
        ("udp", ", addressing: {ipv6: true, ipv4: false}", 3),
        ("raw", "", 3),
    ],
)
def test_tshark_sees_the_fragments_of_datagrams(
    tmp_path: Path, protocol: str, extra: str, n_frames: int
) -> None:
    stream = workloads.DatagramStream(count=2, size_bytes=4000, protocol=protocol)
    plain = calibrations.load("ideal-reno")
    _, watched = engines.watch(network("{kind: direct}", extra), stream, calibration=plain)
    seen = [f for f in dissected(watched.capture, tmp_path) if port_of(f) == "n0:eth0"]
    assert len(seen) == 2 * 2 * n_frames, "both nodes send two datagrams"
    if protocol == "udp":
        lengths = [frame["udp"]["udp.length"] for frame in seen if "udp" in frame]
        assert lengths == ["4008"] * 4
    else:
        assert {frame["ip"]["ip.proto"] for frame in seen} == {"253"}
        assert {frame["ip"]["ip.id"] for frame in seen} >= {"0x0000", "0x0001"}


@pytest.mark.live
def test_tshark_sees_pauses_of_all_quanta_and_of_none(tmp_path: Path) -> None:
    pausing = calibrations.load("ideal-reno").changed({"links.flow_control": "pause"})
    incast = workloads.DatagramStream(pattern="incast", count=150)
    result, watched = engines.watch(
        network("{kind: switch, nodes: 4}"), incast, calibration=pausing
    )
    assert result.filter(metric="loss").values()[0] == 0
    pauses = [frame for frame in dissected(watched.capture, tmp_path) if "macc" in frame]
    # Sent by the switch and taken in by a node.
    assert {port_of(frame).split(":")[0] for frame in pauses} == {"sw0", "n1", "n2", "n3"}
    assert {frame["eth"]["eth.dst"] for frame in pauses} == {"01:80:c2:00:00:01"}
    assert {frame["macc"]["macc.opcode"] for frame in pauses} == {"0x0001"}
    assert {frame["frame"]["frame.len"] for frame in pauses} == {"60"}
    assert {frame["macc"]["macc.pause_time"] for frame in pauses} == {"0", "65535"}


def test_without_contention_pauses_change_nothing() -> None:
    tree = network("{kind: switch, nodes: 4}")
    shift = workloads.Shift(k=1, size_bytes=100_000)
    pausing = calibrations.load("ideal-reno").changed({"links.flow_control": "pause"})
    plain = engines.run(tree, shift, calibration="ideal-reno").filter(metric="time").values()
    assert list(engines.run(tree, shift, calibration=pausing).filter(metric="time").values()) == (
        list(plain)
    )
