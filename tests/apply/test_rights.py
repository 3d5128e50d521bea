"""Logins that are not root's: sudo for one program, within limits, and the remedies without it.

The host is one that systemd has started, with a login `deploy`.
"""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.apply.booted import connected, host
from tests.apply.hosts import DESIGN, applied, expect_same, settled, state
from tests.exporters.machines import DESIGNS

from linkwright.apply import AS_ROOT, installation, propose, take_back_all
from linkwright.apply.allowed import expect_allowed
from linkwright.apply.guard import UNITS_OF_ADMIN
from linkwright.apply.present import INSTALLED, SYSTEM_PATH, StepError, environment_of
from linkwright.apply.wanted import wanted
from linkwright.design.cluster import Cluster
from linkwright.errors import UsageError
from linkwright.machines import Machine
from linkwright.machines.inventory import inventory
from linkwright.machines.ssh import connections
from linkwright.network import compile as compile_network
from linkwright.plan.exporters.network_plan import NetworkPlan

RING = compile_network(Cluster.parse(DESIGN))
ALL = "echo 'deploy ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/all"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with host(tmp_path_factory.mktemp("host"), "networkd") as (_, found):
        if found.run(["sh", "-c", "command -v sudo"]).code:
            pytest.skip("sudo missing (apt install sudo)")
        yield found


@contextmanager
def deploy() -> Iterator[Machine]:
    """Connect as a login that is not root's."""
    with connections(inventory("n0=deploy@n0"), before=AS_ROOT) as (machine,):
        yield machine


def test_a_sudo_that_asks_is_refused_with_the_remedy(root: Machine) -> None:
    with deploy() as machine:
        (found,) = propose(RING, [machine])
    ((reason, remedy),) = found.refusals
    assert "password is required" in reason
    assert "--rights" in remedy


def test_a_login_applies_plans_by_the_one_program_that_sudo_lets_it_run(root: Machine) -> None:
    before = state(root)
    assert root.run(["sh"], given=installation("deploy").encode()).code == 0
    with deploy() as machine:
        applied(RING, [machine])
        assert machine.run(["sudo", "-n", "id"]).code, "nothing else runs by sudo"
        (scripts,) = propose(RING, [machine], via="ip")
        assert "more than this login may do" in scripts.refusals[0][0]
        assert not any(one.failure or one.left for one in take_back_all([machine]))
    with connected() as again:
        old = "echo '# older' >> /usr/local/sbin/linkwright-keeper"
        again.run(["sh", "-c", old])
    with deploy() as machine:
        (found,) = propose(RING, [machine])
        assert "another version" in found.refusals[0][0]
    gone = "rm /usr/local/sbin/linkwright-keeper /etc/sudoers.d/linkwright"
    root.run(["sh", "-c", gone])
    settled([root])
    expect_same([before], [root])


def test_a_login_that_sudo_lets_do_all_needs_no_program_there(root: Machine) -> None:
    root.run(["sh", "-c", ALL])
    with deploy() as machine:
        (found,) = propose(RING, [machine], via="ip")
        assert found.changes
        assert not found.refusals
    design = f"{DESIGN}nodes:\n  n0:\n    nics: {{eth1: {{name: mgmt0}}}}\n"
    with deploy() as machine:
        (found,) = propose(compile_network(Cluster.parse(design)), [machine])
    root.run(["rm", "/etc/sudoers.d/all"])
    assert any("this connection comes by" in reason for reason, _ in found.refusals)


def given(target: str, design: str = DESIGN) -> dict[str, Any]:
    """Return a change as the program on a machine gets it."""
    network = NetworkPlan(compile_network(Cluster.parse(design)))
    plan = wanted(network, next(iter(network.nodes())), target, has_docker=True)
    return {
        "run": "0123456789abcdef",
        "scope": plan.scope,
        "wanted": plan.state,
        "confirm_s": 60.0,
    }


MAC = "'02:00:00:00:00:01'"
PLANS = {
    **{f"exporters: {kind}": f"name: t\n{design}" for kind, design in DESIGNS.items()},
    "bonds": "name: t\ntopology: {kind: bonded-dual-net, nodes: 2}\n",
    "unnumbered": f"{DESIGN}addressing: {{scheme: unnumbered, ipv4: 10.0.0.0/24}}\n",
    "names": f"{DESIGN}nodes: {{n0: {{nics: {{eth0: {{name: Lan-0}}, eth1: {{mac: {MAC}}}}}}}}}\n",
}
"""Plans of several kinds of ports, addresses and rules."""


@pytest.mark.parametrize("target", ["networkd", "netplan", "networkmanager", ""])
@pytest.mark.parametrize("kind", PLANS)
def test_plans_are_within_the_limits_of_a_login(kind: str, target: str) -> None:
    expect_allowed(given(target, PLANS[kind]))


MARKED = f"{DESIGN}addressing: {{scheme: per-link, ipv6: 'fd00::/48'}}\n"
MARKS = f"{UNITS_OF_ADMIN}/linkwright-marks.service"
WANTED = f"{UNITS_OF_ADMIN}/multi-user.target.wants/linkwright-marks.service"


def test_the_unit_of_marks_has_the_command_of_marks_alone() -> None:
    change = given("networkd", MARKED)
    assert {MARKS, WANTED} <= change["wanted"]["files"].keys()
    expect_allowed(change)
    rule = "ip6tables -w -t mangle -A OUTPUT -d {} -j MARK --set-mark {}"
    for line in (
        "[Service]\nExecStart=/bin/sh -c id",
        f"[Service]\nExecStart={rule.format('::/0', '0x4c57')}",
        f"[Service]\nExecStart={rule.format('fd00::/48', '0x1')}",
        f"[Service]\nExecStart={rule.format('fd00::/48', '0x4c57')} %i",
        "[Service]\nType=oneshot",
        "[Unit]\nDescription=%t",
        "[Unit]\nOnFailure=x.service",
        "[Install]\nWantedBy=multi-userXtarget",
        "[Timer]\nOnBootSec=1",
    ):
        harmed = copy.deepcopy(change)
        _line(harmed, MARKS, line)
        with pytest.raises(StepError):
            expect_allowed(harmed)
    for value in ({"kind": "link", "target": "/tmp/x"}, {"kind": "folder"}):
        harmed = copy.deepcopy(change)
        harmed["wanted"]["files"][WANTED] = value
        with pytest.raises(StepError):
            expect_allowed(harmed)


def test_the_program_of_a_login_runs_the_programs_of_the_system_alone() -> None:
    own = {"PATH": "/tmp/own", "XTABLES_LIBDIR": "/tmp/x"}
    assert environment_of(INSTALLED, own) == {"PATH": SYSTEM_PATH, "LC_ALL": "C"}
    assert environment_of("-c", own)["PATH"] == f"{SYSTEM_PATH}:/tmp/own"


def _file(change: dict[str, Any], place: str, text: str) -> None:
    content = base64.b64encode(text.encode()).decode()
    value = {"kind": "file", "mode": 0o644, "uid": 0, "gid": 0, "sha256": "", "content": content}
    change["scope"]["files"].append(place)
    change["wanted"]["files"][place] = value


def _line(change: dict[str, Any], place: str, line: str) -> None:
    """Add a line to a file of a plan."""
    value = change["wanted"]["files"][place]
    text = base64.b64decode(value["content"]).decode() + line + "\n"
    value["content"] = base64.b64encode(text.encode()).decode()


def mark(destination: str, value: str) -> list[str]:
    """Return a line of the firewall that marks packets."""
    words = ["-A", "OUTPUT", "-d", destination, "-j", "MARK", "--set-xmark"]
    return ["ip6tables", "mangle", *words, f"{value}/0xffffffff"]


HARMS: dict[str, Callable[[dict[str, Any]], object]] = {
    "script": lambda one: _file(one, "/etc/linkwright/up.sh", "id"),
    "unit": lambda one: _file(one, "/etc/systemd/system/linkwright.service", "[Service]"),
    "way out": lambda one: _file(one, "/etc/systemd/network/10-linkwright-x/../../a.network", ""),
    "dispatcher": lambda one: _file(one, "/etc/NetworkManager/dispatcher.d/x", "id"),
    "core": lambda one: _file(one, "/etc/sysctl.d/60-linkwright.conf", "kernel.core_pattern = |x"),
    "core now": lambda one: one["wanted"]["parameters"].update({"kernel/core_pattern": "1"}),
    "path": lambda one: one["wanted"]["parameters"].update({"net/ipv4/../../../etc/x": "1"}),
    "read": lambda one: one["scope"]["parameters"].append("net/ipv4/../../../../etc/shadow"),
    "program": lambda one: one["wanted"]["filters"].append(
        ["/tmp/x", "filter", "-N", "LINKWRIGHT"]
    ),
    "option": lambda one: one["wanted"]["filters"].append(
        ["iptables", "filter", "-N", "LINKWRIGHT", "--modprobe=/tmp/x"]
    ),
    "mark of all": lambda one: one["wanted"]["filters"].append(mark("::/0", "0x4c57")),
    "mark of others": lambda one: one["scope"]["filters"].append(mark("fd00::/8", "0x1")),
    "default": lambda one: one["wanted"]["routes"].append(["-4", "0.0.0.0/0", "dev", "eth0"]),
    "elsewhere": lambda one: one["wanted"]["routes"].append(["-4", "10.0.0.9", "dev", "mgmt0"]),
    "words": lambda one: one["wanted"]["routes"].append(
        ["-4", "10.0.0.9", "dev", "eth0", "encap", "bpf"]
    ),
    "address": lambda one: one["wanted"]["addresses"].append(["10.0.0.9/24", "dev", "mgmt0"]),
    "kind": lambda one: one["wanted"]["links"]["eth0"].update({"kind": "vxlan"}),
    "name": lambda one: one["scope"]["interfaces"].append("../x"),
    "set-user bit": lambda one: next(
        value for value in one["wanted"]["files"].values() if value["kind"] == "file"
    ).update({"mode": 0o4755}),
    "capital": lambda one: one["wanted"]["routes"].append(["-4", "10.0.0.9", "dev", "Lan"]),
    "halves": lambda one: one["wanted"]["routes"].append(["-4", "0.0.0.0/1", "dev", "eth0"]),
    "subnet of all": lambda one: one["wanted"]["addresses"].append(["10.0.0.9/1", "dev", "eth0"]),
    "table of the kernel": lambda one: one["scope"]["tables"].append(255),
    "rule of the kernel": lambda one: one["scope"]["priorities"].append(0),
    "rule before": lambda one: one["wanted"]["rules"].append(
        ["-4", "priority", "5", "from", "all", "iif", "eth0", "lookup", "1000"]
    ),
    "rule of others": lambda one: one["wanted"]["rules"].append(
        ["-4", "priority", "1000", "from", "all", "iif", "mgmt0", "lookup", "1000"]
    ),
    "loopback": lambda one: one["scope"]["interfaces"].append("lo"),
    "offload of others": lambda one: one["scope"]["offloads"].append("mgmt0"),
    "parameter of others": lambda one: one["wanted"]["parameters"].update(
        {"net/ipv4/conf/mgmt0/rp_filter": "0"}
    ),
    "firewall of others": lambda one: one["wanted"]["filters"].append(
        ["iptables", "filter", "-A", "DOCKER-USER", "-i", "mgmt0", "-j", "LINKWRIGHT"]
    ),
    "file of others": lambda one: one["scope"]["files"].append(
        "/run/systemd/network/10-netplan-eth0.network"
    ),
    "generated of others": lambda one: one["scope"]["generated"].append(
        "/run/systemd/network/10-netplan-mgmt0.network"
    ),
    "generated": lambda one: one["wanted"].update(
        {"generated": {"/etc/systemd/system/x.service": {"kind": "link", "target": "/tmp/x"}}}
    ),
    "form": lambda one: one.update({"wanted": 7}),
    "run": lambda one: one.update({"run": "../x"}),
}
"""Ways to become root, or to harm others, by the program that sudo lets a login run."""


@pytest.mark.parametrize("harm", HARMS)
def test_a_login_gets_no_other_right(harm: str) -> None:
    change = copy.deepcopy(given("networkd"))
    HARMS[harm](change)
    with pytest.raises(StepError):
        expect_allowed(change)


NETWORK = "/etc/systemd/network/10-linkwright-eth0.network"
CONNECTION = "/etc/NetworkManager/system-connections/linkwright-eth0.nmconnection"
LINES = [
    ("networkd", NETWORK, "[Match]\nName=*"),
    ("networkd", NETWORK, "[Match]\nName=mgmt0"),
    ("networkd", NETWORK, "[Match]\nType=ether"),
    ("networkd", NETWORK, "[Network]\nGateway=10.0.0.1"),
    ("networkd", NETWORK, "[Network]\nTunnel=x"),
    ("networkd", NETWORK, "[Route]\nGateway=10.0.0.1"),
    ("networkd", NETWORK, "[Route]\nDestination=0.0.0.0/1\nGateway=10.0.0.1"),
    ("networkd", NETWORK, "[Route]\nDestination=10.0.0.0/8\nTable=255"),
    ("networkd", NETWORK, "[RoutingPolicyRule]\nTable=1000"),
    ("networkd", NETWORK, "[DHCPv4]\nUseRoutes=yes"),
    ("networkd", NETWORK, "# x\r[Network]\rGateway=10.0.0.1"),
    ("networkd", "/etc/systemd/network/10-linkwright-id0.netdev", "Kind=wireguard"),
    ("networkmanager", CONNECTION, "[vpn]\nservice-type=x"),
    ("networkmanager", CONNECTION, "[connection]\ntype=vpn\ninterface-name=eth0"),
    ("networkmanager", CONNECTION, "gateway=10.0.0.1"),
    (
        "networkmanager",
        "/etc/NetworkManager/conf.d/60-linkwright.conf",
        "[main]\ndhcp=/tmp/x",
    ),
    ("netplan", "/etc/netplan/60-linkwright.yaml", "  tunnels:"),
    ("netplan", "/etc/netplan/60-linkwright.yaml", '    "mgmt0":'),
    ("netplan", "/etc/netplan/60-linkwright.yaml", "      dhcp4: true"),
    ("netplan", "/etc/sysctl.d/60-linkwright.conf", "net/ipv4/conf/mgmt0/rp_filter = 0"),
]
"""Lines that a manager, or the kernel, would take for more than the ports of a plan."""


@pytest.mark.parametrize(("target", "place", "line"), LINES)
def test_files_have_lines_of_plans_alone(target: str, place: str, line: str) -> None:
    change = given(target)
    _line(change, place, "# A comment.")
    expect_allowed(change)
    _line(change, place, line)
    with pytest.raises(StepError):
        expect_allowed(change)


def test_files_that_hold_for_all_interfaces_are_refused() -> None:
    for target, place in (("networkd", NETWORK), ("networkmanager", CONNECTION)):
        change = given(target)
        change["wanted"]["files"][place]["content"] = ""
        with pytest.raises(StepError):
            expect_allowed(change)


def test_a_login_has_a_plain_name() -> None:
    with pytest.raises(UsageError, match="no name of a login"):
        installation("root ALL")
