"""Plans that machines keep: files for the manager of each, loaded without a boot, up again after
one, and taken back to the last byte.

The host is a namespace in which systemd is the first process, with the manager as a service.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.apply.booted import connected, host
from tests.apply.hosts import (
    CABLES,
    DESIGN,
    NAMES,
    applied,
    expect_same,
    left,
    proposed,
    settled,
    state,
)
from tests.exporters.machines import lacks
from tests.machines.booted_hosts import booted_hosts, missing

from linkwright.apply import bring_all, new_run, propose, take_back_all
from linkwright.cli import run
from linkwright.design.cluster import Cluster
from linkwright.machines import Machine
from linkwright.machines.inventory import inventory
from linkwright.machines.ssh import connections
from linkwright.network import compile as compile_network

RING = compile_network(Cluster.parse(DESIGN))
TABLES = compile_network(
    Cluster.parse(DESIGN.replace("[3]", "[5]").replace("true", "by-interface"))
)
CHAIN = compile_network(Cluster.parse("name: ring\ntopology: {kind: mesh, shape: [3]}\n"))
"""A network in which the host has one of its two ports."""
LEFT = """
nmcli -g NAME connection show 2> /dev/null | grep -x linkwright-eth1
ls /run/systemd/network/10-netplan-eth1.* 2> /dev/null
ip -o address show dev eth1 scope global
"""
"""Script that prints what a manager still has of a plan for the other port."""
MANAGERS = [
    "networkd",
    "ip",
    *(
        pytest.param(one, marks=pytest.mark.slow)
        for one in ("netplan", "networkmanager", "ifupdown2")
    ),
]


@pytest.mark.parametrize("manager", MANAGERS)
def test_a_plan_is_loaded_is_there_after_a_boot_and_is_taken_back(
    manager: str, tmp_path: Path
) -> None:
    with host(tmp_path, manager) as (up, machine):
        before = state(machine)
        (proposal,) = propose(RING, [machine])
        assert proposal.via == manager
        applied(RING, [machine])
        up.reboot("n0")
        with connected() as again:
            assert remaining(again, manager) == []
            assert not any(one.failure or one.left for one in take_back_all([again]))
            settled([again])
            expect_same([before], [again])
            applied(TABLES, [again])
            expect_a_port_given_up(again)
            assert not any(one.failure or one.left for one in take_back_all([again]))
            settled([again])
            expect_same([before], [again])


def expect_a_port_given_up(machine: Machine) -> None:
    """Go to a plan with one port fewer, back to the tables, and to that plan again."""
    run = new_run()
    (outcome,) = bring_all([machine], proposed(CHAIN, [machine]), run, confirm_s=300)
    assert outcome.failure is None
    assert not any(one.failure or one.left for one in take_back_all([machine], run))
    settled([machine])
    assert left(TABLES, [machine]) == [()]
    applied(CHAIN, [machine])
    assert machine.run(["sh", "-c", LEFT]).output == ""


def remaining(machine: Machine, manager: str) -> list[str]:
    """Return the steps that a machine lacks some time after its start."""
    ends = time.monotonic() + 20
    while time.monotonic() < ends:
        (steps,) = left(RING, [machine])
        if manager == "networkmanager" and lacks("dummy"):
            # It brings no interface up by itself that stands in for a dummy.
            steps = tuple(one for one in steps if "id0" not in one)
        if not steps:
            return []
        time.sleep(0.3)
    return list(steps)


def test_verify_finds_nothing_before_and_after_a_boot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three hosts without a manager, which keep the plan by a script."""
    if missing():
        pytest.skip(str(missing()))
    (tmp_path / "hosts").mkdir()
    design, names = tmp_path / "ring.yaml", ",".join(NAMES)
    design.write_text(DESIGN)
    with booted_hosts(tmp_path / "hosts", NAMES, CABLES) as up:
        monkeypatch.setenv("PATH", up.search_path)
        with connections(inventory(names)) as machines:
            applied(RING, machines)
        words = ["verify", str(design), "--hosts", names, "--probe"]
        assert run(words) == 0
        up.reboot("n1")
        with connections(inventory("n1")) as (machine,):
            assert remaining(machine, "ip") == []
        assert run(words) == 0
        assert run(["undo", "--hosts", names, "--yes"]) == 0
        assert run(words) == 1
