"""Firewalls, managers and settings of jobs as machines have them: those that are fine, and others.

Each case is one change of the facts of a ring that is as planned.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.as_built.planted import DESIGN
from tests.as_built.rendered import rendered

RING = rendered(DESIGN)


def found(node: str, **values: Any) -> set[tuple[str, str | None]]:
    """Return kind and interface of the findings after a change of a machine."""
    facts = RING.copy()
    facts.machine(node).update(values)
    return {(one.kind, one.nic) for one in facts.verify().findings}


FIREWALLS = {
    "everything passes": (True, "ACCEPT", []),
    "everything is dropped": (False, "DROP", []),
    "the ports pass": (
        True,
        "DROP",
        ["-A FORWARD -i eth0 -j ACCEPT", "-A FORWARD -i eth1 -j ACCEPT"],
    ),
    "one direction passes": (False, "DROP", ["-A FORWARD -i eth0 -o eth1 -j ACCEPT"]),
    "known connections pass": (
        False,
        "DROP",
        ["-A FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT"],
    ),
    "firewalld rejects the rest": (
        False,
        "ACCEPT",
        ["-A FORWARD -j REJECT --reject-with icmp-host-prohibited"],
    ),
    "the plan's own chain": (
        True,
        "DROP",
        [
            "-A FORWARD -j DOCKER-USER",
            "-A DOCKER-USER -i eth0 -j LINKWRIGHT",
            "-A DOCKER-USER -i eth1 -j LINKWRIGHT",
        ],
    ),
    "a rule for another port": (True, "ACCEPT", ["-A FORWARD -i docker0 -j DROP"]),
    "all ports by a pattern": (True, "DROP", ["-A FORWARD -i eth+ -j ACCEPT"]),
    "chains that ask each other": (
        False,
        "DROP",
        ["-A FORWARD -j A", "-A A -j B", "-A A -j A", "-A B -j A", "-A B -j B"],
    ),
}


@pytest.mark.parametrize("name", FIREWALLS)
def test_firewalls(name: str) -> None:
    passes, policy, rules = FIREWALLS[name]
    firewall = {"forward_policy": policy, "forward_rules": rules}
    assert found("n1", firewall=firewall) == (set() if passes else {("dropped-forwards", None)})


NETWORKD = {"networkd": "active", "files": ["/etc/systemd/network/a.network"]}
OWN = ["10.99.0.0/31", "10.99.0.2/31", "10.99.0.129/32"]
MANAGERS = {
    "no systemd": ({}, set()),
    "nothing active": (
        {"networkd": "inactive", "networkmanager": "inactive"},
        {("unkept-address", nic) for nic in ("eth0", "eth1", "id0")},
    ),
    "all in files": ({**NETWORKD, "configured_addresses": OWN}, set()),
    "one is not": (
        {**NETWORKD, "configured_addresses": OWN[1:]},
        {("unkept-address", "eth0")},
    ),
    "files have no address": (
        {**NETWORKD, "interfaces": {"mgmt0": ["networkd"]}},
        {("unkept-address", nic) for nic in ("eth0", "eth1", "id0")},
    ),
    "NetworkManager for another interface": (
        {
            **NETWORKD,
            "networkmanager": "active",
            "configured_addresses": OWN,
            "interfaces": {"eth0": ["networkd"], "mgmt0": ["networkmanager"]},
        },
        set(),
    ),
    "both for one interface": (
        {
            **NETWORKD,
            "networkmanager": "active",
            "configured_addresses": OWN,
            "interfaces": {"eth1": ["networkd", "networkmanager"]},
        },
        {("fighting-managers", "eth1")},
    ),
}


@pytest.mark.parametrize("name", MANAGERS)
def test_managers(name: str) -> None:
    managers, expected = MANAGERS[name]
    assert found("n0", managers=managers) == expected


SETTINGS: dict[str, tuple[bool, dict[str, str], dict[str, str]]] = {
    "ports of the plan": (True, {"NCCL_SOCKET_IFNAME": "eth", "UCX_NET_DEVICES": "eth0,eth1"}, {}),
    "all devices": (True, {"UCX_NET_DEVICES": "all"}, {}),
    "an exact name": (False, {"NCCL_SOCKET_IFNAME": "=eth"}, {}),
    "without others": (True, {"NCCL_SOCKET_IFNAME": "^docker,lo,mgmt"}, {}),
    "without the plan": (False, {"NCCL_SOCKET_IFNAME": "^eth1"}, {}),
    "excluded by Open MPI": (False, {"OMPI_MCA_btl_tcp_if_exclude": "lo,eth0"}, {}),
    "both lists": (
        False,
        {"OMPI_MCA_btl_tcp_if_exclude": "lo", "OMPI_MCA_btl_tcp_if_include": "eth0"},
        {},
    ),
    "a subnet of the plan": (True, {"OMPI_MCA_btl_tcp_if_include": "10.99.0.0/24"}, {}),
    "no subnet": (False, {"OMPI_MCA_btl_tcp_if_include": "10.99.0.0/99"}, {}),
    "a parameter file": (False, {}, {"~/.prte/mca-params.conf": "prte_if_include = mgmt0\n"}),
    "a meeting place": (True, {"MASTER_ADDR": "10.99.0.129"}, {}),
    "another meeting place": (False, {"MASTER_ADDR": "192.168.77.1"}, {}),
    "a host file": (True, {}, {"/srv/hostfile": "# all\nn0 slots=2\nroot@n1:2\n10.99.0.131\n"}),
    "an unknown host": (False, {}, {"/srv/hostfile": "web1 slots=2\n"}),
    "a variable of the shell": (True, {"GLOO_SOCKET_IFNAME": "$FABRIC"}, {}),
    "no host file": (True, {}, {"/etc/profile.d/machines.sh": "export UCX_TLS=tcp\n"}),
    "hosts of MLX": (True, {}, {"/srv/hosts.json": '[{"ssh": "n0", "ips": ["10.99.0.129"]}]'}),
    "Wi-Fi in hosts of MLX": (False, {}, {"/srv/hosts.json": '[{"ips": ["192.168.1.9"]}]'}),
    "broken hosts of MLX": (True, {}, {"/srv/hosts.json": '[{"ips": 7}, 3'}),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_jobs(name: str) -> None:
    is_fine, environment, files = SETTINGS[name]
    settings = {"environment": environment, "files": files}
    assert found("n0", settings=settings) == (set() if is_fine else {("wrong-setting", None)})


def test_rdma_devices_stand_for_their_interfaces() -> None:
    rdma = [
        {"device": "mlx5_0", "interface": "eth0"},
        {"device": "mlx5_1", "interface": "mgmt0"},
    ]
    for device, is_fine in (
        ("=mlx5_0", True),
        ("=mlx5_1:1", False),
        ("=mlx5_7", False),
        ("mlx5", False),
        ("mlx5_0", True),
        ("=mlx5", False),
        ("^mlx5_1", True),
    ):
        settings = {"environment": {"NCCL_IB_HCA": device}}
        expected = set() if is_fine else {("wrong-setting", None)}
        assert found("n0", settings=settings, rdma=rdma) == expected, device


def test_rdma_devices_that_could_not_be_asked_for_are_not_judged() -> None:
    settings = {"environment": {"UCX_NET_DEVICES": "mlx5_0:1"}}
    assert found("n0", settings=settings) == {("wrong-setting", None)}
    missing = [{"fact": "rdma", "reason": "rdma is not installed", "needs": "install iproute2"}]
    assert found("n0", settings=settings, missing=missing) == set()
