"""Laws of addresses and MTUs that a design gives itself: those of another plan make its plan, in
every kind of network and every file for machines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.kinds import KINDS, compiled

from linkwright.design.names import nic_name
from linkwright.errors import LinkwrightError
from linkwright.network import Network
from linkwright.plan import export, plan, planned
from linkwright.plan.exporters import EXPORTERS

BASES = {"ipv4": "10.0.0.0/9", "ipv6": "fd00:aa::/48"}
OTHERS = {"ipv4": "172.16.0.0/12", "ipv6": "fd00:bb::/48"}
MTU = 1400


def own_values(network: Network) -> dict[str, Any]:
    """Return the `nodes` section that gives every interface of a network its own address."""
    sections: dict[str, Any] = {}
    addresses = network.addresses
    rows = zip(addresses.node.tolist(), addresses.port.tolist(), addresses.ip, strict=True)
    for node, port, ip in rows:
        machine = sections.setdefault(network.device_names[node], {"nics": {}})
        if port < 0:
            machine.setdefault("address", []).append(str(ip.ip))
            continue
        nic = machine["nics"].setdefault(nic_name(network.wiring, node, port), {"mtu": MTU})
        nic.setdefault("address", []).append(str(ip))
    return sections


def files(network: Network) -> Mapping[str, str]:
    """Return the plan of a network and the files for its machines, without the design's hash."""
    refused: dict[str, LinkwrightError] = {}
    exported = export(network, EXPORTERS, refused=refused).files
    texts = {**planned(network).files, **exported, **{k: e.message for k, e in refused.items()}}
    return {name: str(text).replace(network.design_hash, "") for name, text in texts.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_addresses_of_another_plan_make_that_plan(kind: str) -> None:
    theirs = compiled(KINDS[kind], addressing=OTHERS, mtu=MTU)
    ours = compiled(KINDS[kind], addressing=BASES, nodes=own_values(theirs))
    assert files(ours) == files(theirs)


@pytest.mark.parametrize("kind", ["ring", "full-mesh", "p-mesh"])
def test_computed_addresses_written_out_change_nothing(kind: str) -> None:
    computed = compiled(KINDS[kind], mtu=MTU)
    assert files(compiled(KINDS[kind], nodes=own_values(computed))) == files(computed)


@pytest.mark.parametrize("target", [name for name, one in EXPORTERS.items() if one.takes_ports])
def test_files_of_machines_have_the_mtu_of_each_link(target: str) -> None:
    design = {"nodes": {"n0": {"nics": {"eth0": {"mtu": 1400}}}}, "mtu": 1300}
    network = compiled({"kind": "ring", "shape": [3]}, **design)
    text = "".join(export(network, [target]).files.values())
    assert text.count("1400") == 2  # of both ends; identities of some targets have an MTU too
    assert text.count("1300") >= 4


def test_addresses_of_ones_own_stay_when_a_ring_grows() -> None:
    own = {
        "n0": {"address": "10.99.0.1", "nics": {"eth0": {"address": "192.0.2.1/24"}}},
        "n1": {"nics": {"eth1": {"address": "192.0.2.2/24"}}},
    }
    sections = {"nodes": own, "addressing": {"grow_to": 5}}
    small, large = (compiled({"kind": "ring", "shape": [n]}, **sections) for n in (4, 5))
    changes = planned(large, earlier=plan(small)).changes
    assert changes is not None
    assert any(one.device == "n4" for one in changes.changes)
    interfaces = [one for one in changes.changes if one.table == "interfaces"]
    own_ones = [one for one in interfaces if "192.0.2." in one.old or "10.99.0.1" in one.old]
    assert interfaces
    assert not own_ones
