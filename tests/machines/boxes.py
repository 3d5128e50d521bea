"""Four real hosts in a ring that have loaded the scripts of a plan, for tests of commands on it.

Each host has a journal of its own in the present folder, as a machine has one of its own.
"""

from __future__ import annotations

from pathlib import Path

from tests.machines.real_hosts import RealHosts

from linkwright.cli import run

DESIGN = """
name: boxes
topology: {kind: ring, shape: [4]}
parts: {catalogue: ethernet-2026, node: {slots: null}, nic: nic-10g-rj45, cable: cat-6a}
addressing: {scheme: per-link, ipv4: 10.99.0.0/24}
routing: {fallback: true}
"""
NAMES = ("n0", "n1", "n2", "n3")


def plan_and_load(hosts: RealHosts) -> None:
    """Write the design as `boxes.yaml`, plan it, and give every host its part."""
    Path("boxes.yaml").write_text(DESIGN)
    assert run(["plan", "boxes.yaml", "-o", "plan", "--for", "ip", "-q"]) == 0
    for name in NAMES:
        script = Path(f"plan/nodes/{name}/ip/up.sh")
        # The kernel of the tests may have no dummy interfaces.
        script.write_text(script.read_text().replace("made id0 dummy", "made id0 ifb"))
        load(hosts, name)


def load(hosts: RealHosts, name: str) -> None:
    """Give a host its part of the plan again."""
    journal = f"LINKWRIGHT_JOURNAL={Path.cwd()}/journal-{name}"
    for script in ("undo.sh", "up.sh"):
        hosts.run(name, "env", journal, "sh", f"plan/nodes/{name}/ip/{script}")
