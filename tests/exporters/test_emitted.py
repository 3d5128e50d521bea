"""Mutations of files for machines: a file without one of its settings must fail.

Settings that cannot fail have a reason, and a setting that is not listed fails a test too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.exporters.emitted import EMITTED
from tests.exporters.machines import BOTH, DESIGNS, FALLBACK, Machines, machines
from tests.exporters.managers import why_not_loaded
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster
from linkwright.errors import RunError
from linkwright.network import compile as compile_network
from linkwright.plan import export
from linkwright.verification.connections import on_wires

USB4 = "parts: {catalogue: ethernet-2026, node: mini-pc, nic: usb4, cable: usb4-cable}\n"
NICS = "{eth0: {mac: '02:00:00:00:00:01'}, eth1: {path: 'pci-0000:03:00.0', name: eth9}}"
ALSO = (
    "topology: {kind: bonded-dual-net, nodes: 2}\n" + BOTH,
    f"topology: {{kind: ring, shape: [3]}}\n{FALLBACK}{USB4}nodes: {{n0: {{nics: {NICS}}}}}\n",
)
"""Designs with bonds and with NICs that are looked up."""
SYSCTLS = "etc/sysctl.d/"
STRUCTURE = re.compile(
    r"\s*(?:#.*|\[[\w-]+\]|auto \S+|iface \S+|ethernets:|\"\w+\":"
    r"|port_\w+=\$\(with_.*)?"
)
"""Lines that are no settings: comments, headers of sections, and names that others refer to."""


@pytest.mark.parametrize("target", [name for name in EMITTED if name != "sysctl.d"])
def test_every_setting_is_known(target: str) -> None:
    unknown = set()
    for design in (*DESIGNS.values(), *ALSO):
        if target == "frr" and "interface" in design:
            continue
        files = export(compile_network(Cluster.parse(f"name: t\n{design}")), [target]).files
        for name, text in files.items():
            if f"/{target}/" in name and not name.endswith("undo.sh"):
                # FRR comes with the script of `ip`.
                script = "ip" if name.endswith("/up.sh") else target
                unknown |= set(left_over("sysctl.d" if SYSCTLS in name else script, text))
    assert unknown == set()


def left_over(target: str, text: str) -> list[str]:
    """Return the lines of a file of which no pattern is a part."""
    if target == "ip":
        text = text[text.rindex("\n}\n") + 3 :]
    for emitted in EMITTED[target].values():
        text = re.sub(emitted.pattern, "", text, flags=re.MULTILINE)
    return [line for line in text.splitlines() if not STRUCTURE.fullmatch(line)]


def test_a_setting_is_needed_or_has_a_reason() -> None:
    for of_target in EMITTED.values():
        for emitted in of_target.values():
            assert bool(emitted.design) != bool(emitted.reason)


def test_the_page_has_every_reason() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/exporters.md").read_text()
    for of_target in EMITTED.values():
        for emitted in of_target.values():
            assert all(each in page for each in emitted.reason.split("; "))


MUTANTS = [
    (target, name) for target, kinds in EMITTED.items() for name in kinds if kinds[name].design
]


@pytest.mark.slow
@pytest.mark.parametrize(("target", "name"), MUTANTS)
def test_every_setting_is_needed(target: str, name: str, tmp_path: Path) -> None:
    emitted = EMITTED[target][name]
    # The parameters of kernels are one file for several targets.
    loaded = "networkd" if target == "sysctl.d" else target
    reason = why_missing("tests/exporters") or why_not_loaded(loaded)
    if reason:
        pytest.skip(reason)
    cluster = Cluster.parse(f"name: t\n{DESIGNS[emitted.design]}")
    with machines(cluster, loaded, tmp_path) as up:
        up.leave_out(emitted.pattern)
        assert not is_plan(up)


def is_plan(up: Machines) -> bool:
    """Return whether files are loaded without an error and bring the plan up."""
    try:
        up.load()
        up.wait_for_routes(longest_s=3)
    except (AssertionError, RunError):
        return False
    return not any(up.disagreements()) and not any(on_wires(up.trial))
