"""Plans on real hosts, for tests: the whole state of a host as lines, and the steps of a change.

Where this kernel has no dummies, another kind of interface stands in for them.
"""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Sequence

from tests.exporters.machines import lacks, stand_in

from linkwright.apply import Proposal, bring_all, confirm_all, new_run, propose
from linkwright.machines import Machine
from linkwright.network import Network

NAMES = ("n0", "n1", "n2")
CABLES = tuple((f"n{i}", "eth0", f"n{(i + 1) % 3}", "eth1") for i in range(3))
DESIGN = """
name: ring
topology: {kind: torus, shape: [3]}
routing: {fallback: true}
"""
STATE = """
import hashlib, json, os, re, subprocess, sys
given = json.load(sys.stdin)
def said(*words):
    return subprocess.run(words, capture_output=True, text=True).stdout
def files(top):
    for folder, folders, names in os.walk(top):
        for name in sorted(folders + names):
            path = os.path.join(folder, name)
            about = os.lstat(path)
            content = ""
            if os.path.islink(path):
                content = os.readlink(path)
            elif os.path.isfile(path):
                content = hashlib.sha256(open(path, "rb").read()).hexdigest()
            yield f"{path} {about.st_mode:o} {about.st_uid}:{about.st_gid} {content}"
found = {
    "links": re.sub(r"(?m)^\\d+: |@if\\d+| link-netnsid \\d+", "", said("ip", "-o", "link")),
    "addresses": re.sub(r"(?m)^\\d+: | tentative", "", said("ip", "-o", "address")),
    "routes": said("ip", "-4", "route", "show", "table", "all")
    + said("ip", "-6", "route", "show", "table", "all"),
    "rules": said("ip", "-4", "rule") + said("ip", "-6", "rule"),
    "parameters": said("sysctl", "-a", "--pattern", "^net.ipv[46].(conf|ip_|fib|neigh)"),
    "offloads": said("ethtool", "-k", "eth0") + said("ethtool", "-k", "eth1"),
    "files": "\\n".join(files("/etc")),
    "journal": " ".join(os.listdir("/var/lib")),
    "generated": "\\n".join(files("/run/systemd/network")),
}
print(given["mark"] + json.dumps(found))
"""
"""Program that prints all that a plan could change on a machine, and more."""


def state(machine: Machine) -> list[str]:
    """Return all that a plan could change on a machine, as lines."""
    found = machine.ask(STATE, {"mark": "state:"}, mark="state:", timeout_s=120)
    return [f"{key}: {line}" for key, text in found.items() for line in text.splitlines()]


def expect_same(before: Sequence[list[str]], machines: Sequence[Machine]) -> None:
    """Expect the state of machines to be the earlier one, to the last line."""
    for earlier, machine in zip(before, machines, strict=True):
        now = state(machine)
        lost = [f"- {one}" for one in earlier if one not in now]
        added = [f"+ {one}" for one in now if one not in earlier]
        assert not lost + added, "\n".join([machine.name, *lost, *added])


def settled(machines: Sequence[Machine]) -> None:
    """Wait until no kernel asks whether an address is taken."""
    for machine in machines:
        while machine.run(["ip", "-6", "address", "show", "tentative"]).output:
            time.sleep(0.2)


def proposed(
    network: Network, machines: Sequence[Machine], via: str | None = None
) -> list[Proposal]:
    """Return the changes of machines, with another kind where this kernel has no dummies."""
    found = propose(network, machines, via=via)
    for one in found:
        identity = one.plan and one.plan.state["links"].get("id0")
        if one.plan and identity and lacks("dummy"):
            identity["kind"] = "ifb"
            for value in one.plan.state["files"].values():
                if value["kind"] == "file":
                    text = _stand_in(base64.b64decode(value["content"]).decode()).encode()
                    value["content"] = base64.b64encode(text).decode()
                    value["sha256"] = hashlib.sha256(text).hexdigest()
    return found


def _stand_in(text: str) -> str:
    """Return a file for a kernel without dummies, where NetworkManager finds an interface made."""
    return stand_in(text).replace("type=dummy", "type=generic")


def applied(network: Network, machines: Sequence[Machine], via: str | None = None) -> None:
    """Apply the plan, and expect that every machine has it."""
    proposals, name = proposed(network, machines, via), new_run()
    refusals = [reason for one in proposals for reason in one.refusals]
    assert not refusals, refusals
    for outcomes in (
        bring_all(machines, proposals, name, confirm_s=300),
        confirm_all(machines, proposals, name),
    ):
        failures = [one for one in outcomes if one.failure]
        assert not failures, failures
    steps = left(network, machines, via)
    assert not any(steps), steps


def left(
    network: Network, machines: Sequence[Machine], via: str | None = None
) -> list[tuple[str, ...]]:
    """Return the steps that are missing on each machine."""
    from linkwright.apply.changes import changes

    return [
        one.changes if one.plan is None else tuple(changes(one.present, one.plan.state))
        for one in proposed(network, machines, via)
    ]
