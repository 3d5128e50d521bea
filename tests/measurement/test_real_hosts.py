"""Four real hosts in a ring: a slow cable, a wrong plane and a fault of TSO are found by measuring
the paths, and named.

Hosts are namespaces with an sshd each, which get the plan by `apply`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.machines.real_hosts import RealHosts, missing, real_hosts

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


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHosts]:
    with real_hosts(tmp_path_factory.mktemp("hosts"), NAMES, CABLES) as found:
        yield found


@pytest.fixture
def boxes(up: RealHosts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RealHosts:
    monkeypatch.setenv("PATH", f"{up.client(tmp_path)}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    Path("ring.yaml").write_text(DESIGN)
    assert run(["apply", "ring.yaml", "--hosts", ",".join(NAMES), "--yes", "-q"]) == 0
    return up


def measured(*words: str) -> tuple[int, list[dict[str, Any]], str]:
    hosts = ["--hosts", ",".join(NAMES), "-q", "-o", "found.json"]
    code = run(["measure", "ring.yaml", *hosts, *words])
    manifests = Path("found.manifest.json").read_text()
    return code, json.loads(Path("found.json").read_text()), manifests


def test_planted_faults_are_found_and_named(boxes: RealHosts) -> None:
    shaper = ("tbf", "rate", "100mbit", "burst", "256kb", "latency", "50ms")
    boxes.run("n1", "tc", "qdisc", "replace", "dev", "eth0", "root", *shaper)
    boxes.run("n0", "ip", "rule", "add", "to", "10.99.0.6", "lookup", "77", "priority", "5")
    boxes.run("n0", "ip", "route", "add", "10.99.0.6", "dev", "mgmt0", "table", "77")
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
    boxes.run("n1", "tc", "qdisc", "del", "dev", "eth0", "root")
    boxes.run("n0", "ip", "rule", "del", "priority", "5")

    boxes.run("n2", "tc", "qdisc", "add", "dev", "eth0", "clsact")
    words = ("bpf", "bytecode", LARGE_FROM_N0, "direct-action")
    boxes.run("n2", "tc", "filter", "add", "dev", "eth0", "ingress", *words)
    boxes.run("n3", "ethtool", "-K", "eth0", "tx-tcp-mangleid-segmentation", "off")
    before = features(boxes)
    code, rows, remarks = measured("--toggle-offloads")
    assert code == 1
    assert "with TSO of n3, which forwards it" in remarks
    assert "ethtool -K eth0 tso off" in remarks
    assert any(one["parameters"].get("without") == "tso" for one in rows)
    assert features(boxes) == before


def features(boxes: RealHosts) -> str:
    """Return the offloads of the port of n3 with all their features."""
    words = ["ip", "netns", "exec", boxes.space("n3"), "ethtool", "-k", "eth0"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout
