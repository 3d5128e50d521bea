"""The page of errata: complete, without repeats, and true where a claim is about the engine.

What belongs to a paper's own tables is tested with that paper.
"""

from __future__ import annotations

import re
from pathlib import Path

from scapy.layers.inet import IP, TCP
from scapy.utils import rdpcap

import linkwright
from linkwright import engines, workloads
from linkwright.papers import PAPERS, Verdict, entries

ERRATA = (Path(__file__).parents[2] / "docs" / "errata.md").read_text(encoding="utf-8")


def test_every_correction_stands_on_the_page_once() -> None:
    keys = re.findall(r'<a id="([^"]+)">', ERRATA)
    assert len(keys) == len(set(keys))
    found = [entry for paper in PAPERS for entry in entries(paper)]
    corrected = {entry.claim.erratum for entry in found if entry.verdict is Verdict.CORRECTED}
    assert corrected <= set(keys)


def test_a_token_is_segmented_by_tcp_and_never_fragmented(tmp_path: Path) -> None:
    cluster = linkwright.Cluster.parse(
        "{topology: {kind: single-net, nodes: 2}, parts: {catalogue: beowulf-1996}}"
    )
    workload = workloads.PingPong(size_bytes=2048, repeats=1, warm_up=0)
    _, watched = engines.watch(linkwright.compile(cluster), workload)
    path = tmp_path / "token.pcapng"
    path.write_bytes(watched.capture)
    packets = rdpcap(str(path))
    assert all(packet[IP].frag == 0 and "MF" not in str(packet[IP].flags) for packet in packets)
    payloads = {packet[IP].len - 20 - 4 * packet[TCP].dataofs for packet in packets}
    assert max(payloads) == 1460
    # Captures leave the frame check sequence of 4 bytes out.
    assert max(packet.wirelen for packet in packets) + 4 == 1518
