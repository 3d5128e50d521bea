"""The capture file, read by an independent library and, where it exists, by tshark.

The packet blocks are the golden ones that the crate checks itself against: a full segment, an
acknowledgement and a segment over IPv6.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap

import linkwright
from linkwright import calibrations, engines, workloads
from linkwright.engines import packet as packet_engine
from linkwright.engines.inputs import Run
from linkwright.observations.capture import interface_names, pcapng

GOLDEN = Path(__file__).parents[1] / "golden" / "capture_blocks.hex"
NAMES = ["n0:eth0", "n1:eth0"]


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    path = tmp_path / "run.pcapng"
    blocks = bytes.fromhex(GOLDEN.read_text(encoding="ascii"))
    path.write_bytes(pcapng(blocks, NAMES, application="linkwright test"))
    return path


def test_every_block_is_read_with_its_time_length_interface_and_direction(capture: Path) -> None:
    packets = rdpcap(str(capture))
    assert len(packets) == 3
    assert [packet.wirelen for packet in packets] == [1514, 60, 107]
    assert [len(packet) for packet in packets] == [128, 60, 107]
    assert [packet.sniffed_on for packet in packets] == ["n0:eth0", "n0:eth0", "n1:eth0"]
    assert [packet.direction for packet in packets] == [2, 1, 2]
    assert all(round(packet.time * 10**9) == 5_000_000_123 for packet in packets)


def test_headers_say_what_the_engine_said(capture: Path) -> None:
    data, ack, over_ipv6 = rdpcap(str(capture))
    assert (data[Ether].src, data[Ether].dst) == ("02:00:00:00:00:00", "02:00:00:00:01:02")
    assert (data[IP].src, data[IP].dst, data[IP].len) == ("10.0.0.1", "10.0.1.2", 1500)
    assert (data[IP].ttl, str(data[IP].flags)) == (64, "DF")
    assert (data[TCP].sport, data[TCP].dport) == (49152, 57344)
    assert (data[TCP].seq, data[TCP].ack, data[TCP].window) == (7, 99, 7300)
    assert (str(data[TCP].flags), str(ack[TCP].flags)) == ("PA", "A")
    assert (over_ipv6[IPv6].src, over_ipv6[IPv6].dst) == ("fd00:6c77::1", "fd00:6c77::ffff")
    assert (over_ipv6[IPv6].plen, over_ipv6[TCP].window) == (53, 65535)


def test_checksums_are_right(capture: Path) -> None:
    data, ack, over_ipv6 = rdpcap(str(capture))
    # The snap length cut off zeros; with them the checksum of the segment can be made again.
    whole = [Ether(bytes(data) + bytes(1514 - 128)), ack, over_ipv6]
    for packet in whole:
        again = Ether(bytes(packet))
        if IP in again:
            del again[IP].chksum
        del again[TCP].chksum
        assert bytes(again) == bytes(packet)


def test_no_packets_and_odd_names_make_a_valid_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.pcapng"
    path.write_bytes(pcapng(b"", ["größe:p1"], application=""))
    assert len(rdpcap(str(path))) == 0


def test_interfaces_are_named_in_the_order_of_the_ports() -> None:
    cluster = linkwright.Cluster.parse("{name: three, topology: {kind: switch, nodes: 3}}")
    names = interface_names(linkwright.compile(cluster))
    assert names == ["n0:eth0", "n1:eth0", "n2:eth0", "sw0:p1", "sw0:p2", "sw0:p3"]


@pytest.mark.live
def test_tshark_reads_the_file_without_complaint(capture: Path) -> None:
    tshark = shutil.which("tshark")
    if tshark is None:
        pytest.skip("missing capability: tshark")
    checks = ["-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE"]
    command = [tshark, "-r", str(capture), "-T", "json", *checks]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    frames: list[dict[str, Any]] = json.loads(done.stdout)
    layers = [frame["_source"]["layers"] for frame in frames]
    assert [layer["frame"]["frame.len"] for layer in layers] == ["1514", "60", "107"]
    assert [layer["tcp"]["tcp.len"] for layer in layers] == ["1460", "0", "33"]
    assert "Malformed" not in done.stdout
    assert '"ip.checksum.status": "0"' not in done.stdout


@pytest.mark.parametrize("sack", [True, False])
def test_segments_sent_again_are_those_that_a_capture_shows_again(
    sack: bool, tmp_path: Path
) -> None:
    design = "{topology: {kind: switch, nodes: 4}, parts: {switch: {queue_bytes: 15180}}}"
    net = linkwright.compile(linkwright.Cluster.parse(design))
    incast, hosts = workloads.Incast(size_bytes=200_000), calibrations.load("ideal-reno")
    hosts = hosts.changed({"tcp.sack": sack})
    result, watched = engines.watch(net, incast, calibration=hosts, seed=1)
    path = tmp_path / "run.pcapng"
    path.write_bytes(watched.capture)
    shown = Counter(
        (sender(packet), packet[TCP].seq)
        for packet in rdpcap(str(path))
        if has_data(packet) and packet.sniffed_on == f"n{sender(packet)}:eth0"
    )
    counted = packet_engine.connections(Run(network=net, workload=incast, hosts=hosts, seed=1))
    for source, resent in zip(counted["source"], counted["retransmissions"], strict=True):
        assert resent == sum(n - 1 for (rank, _), n in shown.items() if rank == source)
    total = counted["retransmissions"].sum()
    assert total > 20
    figures = dict(zip(result.columns["metric"], result.columns["value"], strict=True))
    assert figures["retransmissions"] == total
    assert figures["timeouts"] >= 0


def has_data(packet: Any) -> bool:
    return bool(packet[IP].len > 20 + 4 * packet[TCP].dataofs)


def sender(packet: Any) -> int:
    """Return the node whose address a packet comes from: 10.0.0.1 is the one of n0."""
    return int(packet[IP].src.split(".")[3]) - 1
