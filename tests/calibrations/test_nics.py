"""Classes of NICs: their constants, what they leave alone, and the latencies that follow.

That the engine meets published figures of each is in test_targets.py.
"""

from __future__ import annotations

from functools import cache

import pytest

import linkwright
from linkwright import calibrations, workloads
from linkwright.calibrations import nics
from linkwright.errors import DesignError
from linkwright.nodes.hosts import hosts_of

COMPUTERS = ("linux-6-desktop", "linux-6-server")
PAPERS = [name for name in calibrations.names() if name not in COMPUTERS]


def network(nic: str, cable: str, *, topology: str = "{kind: direct}", extra: str = "") -> object:
    node = "mini-pc" if nic.startswith("usb4") else "desktop-pc"
    return linkwright.compile(
        linkwright.Cluster.parse(
            f"{{topology: {topology}, parts: {{catalogue: ethernet-2026, node: {node}, nic: {nic}, "
            f"cable: {cable}}}{extra}}}"
        )
    )


@cache
def latency_us(nic: str, cable: str) -> float:
    found = linkwright.run(network(nic, cable), workloads.PingPong(size_bytes=1))
    return found.filter(metric="latency").values()[0] * 1e6


@pytest.mark.parametrize("computer", COMPUTERS)
@pytest.mark.parametrize("name", nics.names())
@pytest.mark.parametrize("forwards", [False, True])
def test_each_class_fits_each_computer(computer: str, name: str, forwards: bool) -> None:
    nic, hosts = nics.load(name), calibrations.load(computer)
    found = hosts.with_nic(nic, forwards=forwards)
    assert found.name == f"{computer} nic={name}"
    for section, constants in nic.constants(forwards=forwards).items():
        for key, constant in constants.items():
            mine = getattr(getattr(found, section), key)
            assert mine.origin == f"NIC class {name}: {constant['origin']}"
    assert found.tcp == hosts.tcp
    assert found.messages == hosts.messages


@pytest.mark.parametrize("name", nics.names())
def test_a_class_has_a_reason_unless_its_latency_is_published(name: str) -> None:
    nic = nics.load(name)
    assert bool(nic.reason) == (nic.confidence != "published") == bool(nic.doubt)


@pytest.mark.parametrize("name", PAPERS)
def test_hosts_with_constants_of_their_own_keep_them(name: str) -> None:
    hosts = calibrations.load(name)
    assert hosts_of(network("usb4", "usb4-cable"), name) is hosts


def test_latency_depends_on_the_nic() -> None:
    of = [
        latency_us("nic-1g", "cat-6a"),
        latency_us("nic-2-5g", "cat-6a"),
        latency_us("nic-10g", "dac-10g"),
        latency_us("usb4", "usb4-cable"),
    ]
    assert of == pytest.approx([55, 28, 16, 65], rel=0.05)


def test_a_constant_that_a_user_has_set_stays() -> None:
    hosts = calibrations.load("linux-6-desktop").changed({"queues.interrupt_hold_us": 3})
    found = hosts_of(network("usb4", "usb4-cable"), hosts)
    assert found.queues.interrupt_hold_us.value == 3
    assert found.host.forward.us == 3.5
    assert found.name == "linux-6-desktop queues.interrupt_hold_us=3 nic=usb4"


@pytest.mark.parametrize(
    ("topology", "extra", "tso_bytes"),
    [
        ("{kind: direct}", "", 65536),
        ("{kind: ring, shape: [3]}", "", 65536),
        ("{kind: ring, shape: [3]}", ", routing: {fallback: true}", 0),
        ("{kind: ring, shape: [4]}", "", 0),
    ],
)
def test_usb4_cuts_no_segments_where_nodes_forward(
    topology: str, extra: str, tso_bytes: int
) -> None:
    hosts = hosts_of(network("usb4", "usb4-cable", topology=topology, extra=extra))
    assert hosts.queues.tso_bytes.value == tso_bytes


def test_the_closed_forms_of_a_path_move_with_the_class() -> None:
    of = {
        name: calibrations.load("linux-6-desktop").with_nic(nics.load(name), forwards=True)
        for name in ("gigabit", "usb4")
    }
    gigabit, usb4 = of["gigabit"].path, of["usb4"].path
    assert (gigabit.latency_us.value, gigabit.latency_per_forward_us.value) == (54.2, 49.1)
    forwarded = usb4.bandwidth_bytes_per_s.value - usb4.bandwidth_per_forward_bytes_per_s.value
    assert forwarded == pytest.approx(3.8e8, rel=0.01)
    assert gigabit.bandwidth_per_forward_bytes_per_s.value == 0


def test_an_unknown_class_is_refused_with_the_nearest() -> None:
    with pytest.raises(DesignError, match="mlx5"):
        network("{rate_mbps: 25000, nic_class: mlx6}", "dac-25g")
    with pytest.raises(DesignError, match="usb4"):
        nics.load("usb5")
