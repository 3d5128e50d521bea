"""A plan on real hosts until their next boot: applied, refused, and taken back to the last line.

The hosts are namespaces of this machine with an sshd each, cabled as a ring.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from tests.apply import hosts
from tests.apply.hosts import (
    DESIGN,
    NAMES,
    applied,
    expect_same,
    proposed,
    settled,
    state,
)
from tests.machines.real_hosts import RealHosts

from linkwright.apply import (
    bring_all,
    confirm_all,
    new_run,
    propose,
    take_back_all,
)
from linkwright.cli import run
from linkwright.design.cluster import Cluster
from linkwright.machines import Machine
from linkwright.machines.inventory import inventory
from linkwright.machines.ssh import connections
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan.exporters.network_plan import NetworkPlan

CABLES = hosts.CABLES
CHAIN = """
name: chain
topology: {kind: mesh, shape: [3]}
addressing: {scheme: per-segment, identities: interface}
nodes: {n2: {nics: {eth0: {name: eth1}}}}
"""
"""A network without dummies, in which n1 forwards."""
LOCAL_ROUTES = ["ip", "-6", "route", "show", "table", "local", "dev", "eth0"]


@pytest.fixture(scope="module")
def machines(up: RealHosts) -> Iterator[list[Machine]]:
    """Connect to the hosts, once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", up.search_path)
        with connections(inventory(",".join(NAMES))) as found:
            settled(found)
            yield list(found)


@pytest.fixture(scope="module")
def network() -> Network:
    return compile_network(Cluster.parse(DESIGN))


def test_a_plan_is_applied_carries_packets_and_is_taken_back(
    network: Network, machines: list[Machine]
) -> None:
    before = [state(one) for one in machines]
    applied(network, machines)
    across = NetworkPlan(network).hosts[2].identities[0]
    assert machines[0].run(["ping", "-c", "1", "-W", "2", across]).code == 0
    assert all(one.left == () and one.failure is None for one in take_back_all(machines))
    expect_same(before, machines)
    assert all(one.failure is None for one in take_back_all(machines)), "nothing to take back"


def test_what_no_plan_has_put_there_is_refused_and_stays(
    network: Network, machines: list[Machine]
) -> None:
    machine = machines[1]
    there = {
        "address": ["ip", "address", "add", "10.250.0.1/24", "dev", "eth0"],
        "route": ["ip", "route", "add", "10.251.0.0/24", "dev", "eth1", "metric", "3"],
        "rule": ["ip", "rule", "add", "iif", "eth0", "lookup", "main", "priority", "77"],
    }
    for words in there.values():
        assert machine.run(words).code == 0
    (found,) = propose(network, [machine])
    for words in there.values():
        machine.run([*words[:2], "del", *words[3:]])
    reasons = " ".join(reason for reason, _ in found.refusals)
    assert all(f"the {noun} `" in reasons for noun in there)
    assert "10.250.0.1/24" in reasons
    assert "priority 77" in reasons


def test_the_interface_of_the_connection_is_refused(machines: list[Machine]) -> None:
    design = f"{DESIGN}nodes:\n  n0:\n    nics: {{eth1: {{name: mgmt0}}}}\n"
    (found,) = propose(compile_network(Cluster.parse(design)), machines[:1])
    assert any("this connection comes by" in reason for reason, _ in found.refusals)


def test_an_unconfirmed_change_is_taken_back_by_the_machine(
    network: Network, machines: list[Machine]
) -> None:
    machines = machines[:1]
    before = [state(one) for one in machines]
    proposals, name = proposed(network, machines), new_run()
    assert not any(one.failure for one in bring_all(machines, proposals, name, confirm_s=8))
    others = bring_all(machines, proposals, new_run(), confirm_s=8)
    assert all("another change" in str(one.failure) for one in others)
    deadline = time.monotonic() + 30
    while any(one.run(["test", "-e", "/var/lib/linkwright"]).code == 0 for one in machines):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    expect_same(before, machines)
    late = confirm_all(machines, proposals, name)
    assert all(one.failure for one in late)


def test_a_machine_that_fails_at_the_end_takes_all_back(
    network: Network, machines: list[Machine]
) -> None:
    """Lose an address before the confirmation; then take back a change that is confirmed."""
    before = [state(one) for one in machines]
    proposals, name = proposed(network, machines), new_run()
    bring_all(machines, proposals, name, confirm_s=300)
    machines[1].run(["ip", "address", "flush", "dev", "eth0", "scope", "global"])
    found = confirm_all(machines, proposals, name)
    assert [one.failure is None for one in found] == [True, False, True]
    assert not any(one.failure or one.left for one in take_back_all(machines, name))
    expect_same(before, machines)
    first = machines[:1]
    bring_all(first, proposals[:1], name, confirm_s=300)
    assert confirm_all(first, proposals[:1], name)[0].failure is None
    assert not any(one.failure or one.left for one in take_back_all(first, name))
    expect_same(before[:1], first)


def test_a_machine_that_has_changed_since_the_list_is_not_changed(
    network: Network, machines: list[Machine]
) -> None:
    machine = machines[:1]
    proposals = proposed(network, machine)
    machine[0].run(["ip", "address", "add", "172.30.0.1/24", "dev", "eth0"])
    (outcome,) = bring_all(machine, proposals, new_run(), confirm_s=60)
    assert "list them again" in str(outcome.failure)
    assert "172.30.0.1" in machine[0].run(["ip", "address", "show", "dev", "eth0"]).output
    machine[0].run(["ip", "address", "del", "172.30.0.1/24", "dev", "eth0"])


def test_ports_of_bridges_and_routes_elsewhere_are_refused(
    network: Network, machines: list[Machine]
) -> None:
    machine = machines[0]
    for line in (
        "link add dev vmbr0 type bridge",
        "link set dev eth0 master vmbr0",
        "route add 10.0.0.0/32 via 192.168.77.254",
    ):
        assert machine.run(["ip", *line.split()]).code == 0, line
    (found,) = propose(network, [machine])
    machine.run(["ip", "link", "del", "dev", "vmbr0"])
    machine.run(["ip", "route", "del", "10.0.0.0/32"])
    reasons = " ".join(reason for reason, _ in found.refusals)
    assert "eth0 is a port of vmbr0" in reasons
    assert "leads the plan's own addresses elsewhere" in reasons
    assert not found.changes


def test_undo_keeps_its_journal_until_all_is_given_back_and_drops_one_of_an_earlier_start(
    network: Network, machines: list[Machine]
) -> None:
    machine = machines[:1]
    before = [state(machine[0])]
    applied(network, machine)
    rename = "ip link set dev $0 down; ip link set dev $0 name $1; ip link set dev $1 up"
    machine[0].run(["sh", "-c", rename, "eth0", "eth9"])
    assert take_back_all(machine)[0].left
    machine[0].run(["sh", "-c", rename, "eth9", "eth0"])
    while "fe80" not in machine[0].run(LOCAL_ROUTES).output:
        time.sleep(0.2)
    assert not take_back_all(machine)[0].left
    expect_same(before, machine)
    applied(network, machine)
    with_plan = machine[0].run(["ip", "-4", "address"]).output
    change = "import pathlib; p = pathlib.Path('/var/lib/linkwright/before.json'); "
    change += "import json; v = json.loads(p.read_text()); v['boot'] = 'earlier'; "
    kept = machine[0].get(PurePosixPath("/var/lib/linkwright/before.json"))
    machine[0].run(["python3", "-c", f"{change}p.write_text(json.dumps(v))"])
    machine[0].run(["rm", "/var/lib/linkwright/last.json"])
    assert not take_back_all(machine)[0].left
    assert machine[0].run(["ip", "-4", "address"]).output == with_plan
    assert machine[0].run(["test", "-e", "/var/lib/linkwright"]).code
    machine[0].run(["mkdir", "/var/lib/linkwright"])
    machine[0].put(PurePosixPath("/var/lib/linkwright/before.json"), kept)
    assert not take_back_all(machine)[0].left
    expect_same(before, machine)


def test_another_plan_changes_the_difference_and_undo_goes_to_the_beginning(
    machines: list[Machine],
) -> None:
    """Apply tables by incoming interface, and then backup routes, to a node of a larger ring."""
    machines = machines[:1]
    before = [state(one) for one in machines]
    backups, tables = (
        compile_network(Cluster.parse(DESIGN.replace("[3]", "[5]").replace("true", fallback)))
        for fallback in ("true", "by-interface")
    )
    applied(tables, machines)
    assert "iif eth0" in machines[0].run(["ip", "rule"]).output
    (proposal,) = proposed(backups, machines)
    assert not proposal.refusals
    assert any(one.startswith("- rule") for one in proposal.changes)
    assert not any("address" in one for one in proposal.changes)
    applied(backups, machines)
    assert "iif eth0" not in machines[0].run(["ip", "rule"]).output
    assert not any(one.failure or one.left for one in take_back_all(machines))
    expect_same(before, machines)


def test_the_command_lists_changes_applies_them_and_takes_them_back(
    machines: list[Machine], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design = tmp_path / "ring.yaml"
    design.write_text(DESIGN.replace("routing: {fallback: true}\n", ""))
    before = [state(machines[0])]
    words = ["apply", str(design), "--hosts", "n0"]
    assert run([*words, "--dry-run", "--format", "json"]) == 0
    (first, *_) = json.loads(capsys.readouterr().out)
    assert first["machine"] == "n0"
    assert first["changes"]
    assert run(words) == 2, "nobody can be asked"
    expect_same(before, machines[:1])


@pytest.mark.skipif(shutil.which("iptables") is None, reason="iptables missing")
def test_the_command_ends_with_the_comparison_of_verify(
    machines: list[Machine], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Apply a plan to a relay whose firewall drops forwarded packets, and again without it."""
    design, relay = tmp_path / "chain.yaml", machines[1]
    design.write_text(CHAIN)
    before = [state(relay)]
    words = ["apply", str(design), "--hosts", "n1", "--yes"]
    assert relay.run(["iptables", "-P", "FORWARD", "DROP"]).code == 0
    assert run(words) == 1
    out, remarks = capsys.readouterr()
    assert "1 machine changed" in remarks
    assert "dropped-forwards" in out
    assert "missing-machine" not in out
    assert relay.run(["iptables", "-P", "FORWARD", "ACCEPT"]).code == 0
    assert run([*words, "--format", "json"]) == 0
    out, remarks = capsys.readouterr()
    assert json.loads(out)[0]["changes"] == []
    assert "the machines have the plan already\nchain is " in remarks
    assert run(["undo", "--hosts", "n1", "--yes", "-q"]) == 0
    expect_same(before, [relay])
