"""Four real hosts examined over ssh: well at first, then with a planted fault each, which is named
with its next step.

Hosts are namespaces with an sshd each; they load the scripts of the plan.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.machines.boxes import NAMES, plan_and_load
from tests.machines.real_hosts import RealHosts, missing

from linkwright.cli import run

REASON = missing() or (None if shutil.which("tc") else "tc is missing (apt install iproute2)")
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(REASON), reason=str(REASON))]
CABLES = [(f"n{n}", "eth0", f"n{(n + 1) % 4}", "eth1") for n in range(4)]


def examined(*words: str) -> tuple[int, dict[str, Any]]:
    hosts = ["--hosts", ",".join(NAMES), "-q", "-o", "found.json"]
    code = run(["doctor", "boxes.yaml", *hosts, *words])
    return code, json.loads(Path("found.json").read_text())


def texts(found: dict[str, Any]) -> list[str]:
    return [one["problem"] for one in found["problems"]]


def test_problems_are_named_in_their_order_with_the_next_step(reached: RealHosts) -> None:
    plan_and_load(reached)
    _, well = examined("--seconds", "0.1")
    # A busy machine of the tests may make a stream slow, and nothing else.
    assert not [one for one in texts(well) if "are predicted" not in one]
    kinds = [(one["kind"], one["metric"]) for one in well["numbers"]]
    assert kinds.count(("cable", "rate")) == 8
    assert kinds.count(("forwarded", "rate")) == 4
    assert kinds.count(("pair", "latency")) == 6
    assert all(one["predicted"] for one in well["numbers"])

    # Neighbours know each other now, so that the cluster can be adopted as it is.
    assert run(["facts", *NAMES, "-q", "-o", "facts.json"]) == 0
    words = ["-c", "ethernet-2026", "-q", "-o", "adopted.yaml"]
    assert run(["adopt", "facts.json", *words]) == 0
    assert "kind: ring" in Path("adopted.yaml").read_text()
    assert run(["plan", "adopted.yaml", "-o", "again", "-q"]) == 0
    for table in ("interfaces.csv", "hosts.csv", "routes.csv"):
        assert Path("again", table).read_text() == Path("plan", table).read_text()
    assert run(["verify", "adopted.yaml", "--facts", "facts.json", "-q", "-o", "v.json"]) == 0

    reached.run("n0", "ip", "link", "set", "dev", "eth0", "mtu", "1400")
    code, short = examined("--seconds", "0")
    assert code == 1
    assert "n0:eth0 has an MTU of 1400 instead of 1500" in texts(short)[0]
    assert any("packets of 1500 bytes are lost over c0" in one for one in texts(short))
    reached.run("n0", "ip", "link", "set", "dev", "eth0", "mtu", "1500")

    identity = next(one for one in Path("plan/hosts.csv").read_text().split() if "n2" in one)
    address = identity.split(",")[1]
    reached.run("n0", "ip", "rule", "add", "to", address, "lookup", "77", "priority", "5")
    reached.run("n0", "ip", "route", "add", address, "dev", "mgmt0", "table", "77")
    _, astray = examined("--seconds", "0")
    assert any(
        "n0 to n2 leave by mgmt0, which is not of the fabric" in one for one in texts(astray)
    )

    reached.run("n0", "ip", "rule", "del", "priority", "5")

    # A wire of 200 Mb/s under a stream of the fabric.
    shaper = ("tbf", "rate", "200mbit", "burst", "256kb", "latency", "50ms")
    reached.run("n1", "tc", "qdisc", "replace", "dev", "eth0", "root", *shaper)
    _, slow = examined("--seconds", "0.1")
    assert any("Mb/s over c1 (n1:eth0 - n2:eth1)" in one for one in texts(slow))
