"""Four real hosts in a ring: a slow cable, a wrong plane and a fault of TSO are found by measuring
the paths, and named.

Hosts are namespaces with an sshd each, which get the plan by `apply`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.machines.real_hosts import RealHosts, missing

from linkwright.cli import run

LACKS = [one for one in ("tc", "ethtool") if shutil.which(one) is None]
REASON = missing() or (f"{LACKS[0]} is missing" if LACKS else None)
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(REASON), reason=str(REASON))]
NAMES = ("n0", "n1", "n2", "n3")
CABLES = [(f"n{n}", "eth0", f"n{(n + 1) % 4}", "eth1") for n in range(4)]
DESIGN = """
name: ring
topology: {kind: torus, shape: [4]}
parts: {catalogue: ethernet-2026, node: {slots: null}, nic: nic-1g}
addressing: {scheme: per-segment, identities: interface, ipv4: 10.99.0.0/24}
"""
LARGE_FROM_N0 = "6,32 0 0 26,21 0 3 174260225,128 0 0 0,37 0 1 1600,6 0 0 2,6 0 0 4294967295"
"""Classic BPF: drop frames of more than 1600 bytes from 10.99.0.1, as a NIC does that announces
segmentation and passes forwarded segments on whole."""


@pytest.fixture
def ring(reached: RealHosts) -> RealHosts:
    Path("ring.yaml").write_text(DESIGN)
    assert run(["apply", "ring.yaml", "--hosts", ",".join(NAMES), "--yes", "-q"]) == 0
    return reached


def measured(*words: str) -> tuple[int, list[dict[str, Any]], str]:
    hosts = ["--hosts", ",".join(NAMES), "-q", "-o", "found.json"]
    code = run(["measure", "ring.yaml", *hosts, *words])
    manifests = Path("found.manifest.json").read_text()
    return code, json.loads(Path("found.json").read_text()), manifests


def test_planted_faults_are_found_and_named(ring: RealHosts) -> None:
    shaper = ("tbf", "rate", "100mbit", "burst", "256kb", "latency", "50ms")
    ring.run("n1", "tc", "qdisc", "replace", "dev", "eth0", "root", *shaper)
    ring.run("n0", "ip", "rule", "add", "to", "10.99.0.6", "lookup", "77", "priority", "5")
    ring.run("n0", "ip", "route", "add", "10.99.0.6", "dev", "mgmt0", "table", "77")
    code, rows, remarks = measured()
    assert code == 1
    assert "slow cable: " in remarks
    assert "Mb/s over c1 (n1:eth0 - n2:eth1)" in remarks
    assert "wrong plane: packets from n0 to n3 leave by mgmt0" in remarks
    classes = {one["parameters"]["path"] for one in rows}
    assert classes == {"one hop", "two hops"}
    metrics = {one["metric"] for one in rows}
    assert {"latency", "throughput", "loss", "processor_load", "waited_share"} <= metrics
    assert {(one["engine"], one["origin"]) for one in rows} == {("hardware", "measured")}
    ring.run("n1", "tc", "qdisc", "del", "dev", "eth0", "root")
    ring.run("n0", "ip", "rule", "del", "priority", "5")

    ring.run("n2", "tc", "qdisc", "add", "dev", "eth0", "clsact")
    words = ("bpf", "bytecode", LARGE_FROM_N0, "direct-action")
    ring.run("n2", "tc", "filter", "add", "dev", "eth0", "ingress", *words)
    ring.run("n3", "ethtool", "-K", "eth0", "tx-tcp-mangleid-segmentation", "off")
    before = features(ring)
    code, rows, remarks = measured("--toggle-offloads")
    assert code == 1
    assert "with TSO of n3, which forwards it" in remarks
    assert "ethtool -K eth0 tso off" in remarks
    assert any(one["parameters"].get("without") == "tso" for one in rows)
    assert features(ring) == before


def features(ring: RealHosts) -> str:
    """Return the offloads of the port of n3 with all their features."""
    words = ["ip", "netns", "exec", ring.space("n3"), "ethtool", "-k", "eth0"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout
