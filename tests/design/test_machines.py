"""The `nodes` section of a design: accepted machines, and refused ones with the remedy.

Names from it go into scripts and files of other programs.
"""

from __future__ import annotations

import pytest

from linkwright.design.cluster import Cluster
from linkwright.design.machines import Nic, RealMachine
from linkwright.errors import DesignError
from linkwright.network import compile as compile_network

MAC = "{mac: '02:00:00:00:00:01'}"
RING = "topology: {kind: ring, shape: [3]}\n"


def machines(nodes: str) -> dict[int, RealMachine]:
    return dict(compile_network(Cluster.parse(f"{RING}nodes: {nodes}")).machines)


def test_machines_have_the_ports_of_the_plan() -> None:
    found = machines(
        "{n1: {name: Beta-2.lan, management: 192.168.1.2, nics: {eth1: {name: enp3s0f1np1},"
        " eth0: {mac: '02-00-00-00-00-0A', path: 'pci-0000:03:00.0'}}}}"
    )
    assert list(found) == [1]
    assert (found[1].name, found[1].management) == ("Beta-2.lan", "192.168.1.2")
    assert found[1].nics[0] == Nic("", "02:00:00:00:00:0a", "pci-0000:03:00.0")
    assert found[1].nics[1] == Nic("enp3s0f1np1", "", "")


REFUSED = [
    ("{m0: {}}", ["'m0'", "known: n0, n1, n2"]),
    ("{n0: {nmae: a}}", ["'nodes.n0.nmae'", "did you mean 'name'"]),
    ("{n0: {nics: {eth2: {}}}}", ["'eth2'", "did you mean 'eth1'"]),
    ("{n0: {nics: {eth0: {mac: 3}}}}", ["'nodes.n0.nics.eth0.mac'", "quotes"]),
    ("{n0: {name: n1}}", ["n0 and n1", "'n1'"]),
    ("{n0: {name: N1}}", ["n0 and n1", "'n1'"]),
    ("{n0: {name: 'a b'}}", ["'a b'", "letters, digits", "hostname"]),
    ("{n0: {name: '../x'}}", ["'../x'", "letters, digits"]),
    ("{n0: {name: '10.0.0.1'}}", ["'10.0.0.1'", "at least one letter"]),
    ("{n0: {name: localhost}}", ["localhost"]),
    ('{n0: {name: "a\\n"}}', ["'a\\n'"]),
    ("{n0: {nics: {eth0: {name: eth1}}}}", ["n0:eth0 and n0:eth1", "'eth1'"]),
    ("{n0: {nics: {eth0: {name: enp129s0f0np0xxy}}}}", ["15", "ip link"]),
    ("{n0: {nics: {eth0: {name: 'a;b'}}}}", ["'a;b'", "15"]),
    ("{n0: {nics: {eth0: {name: lo}}}}", ["'lo'"]),
    ("{n0: {nics: {eth0: {mac: '01:00:5e:00:00:01'}}}}", ["hardware address"]),
    ("{n0: {nics: {eth0: {path: 'pci-*'}}}}", ["ID_PATH"]),
    ("{n0: {management: 0.0.0.0}}", ["0.0.0.0", "managed"]),
    ("{n0: {management: 1.2.3.4}, n1: {management: 1.2.3.4}}", ["n0 and n1", "1.2.3.4"]),
    ("{n0: {serial: 'A1 '}, n1: {serial: A1}}", ["n0 and n1", "serial number", "'A1'"]),
    ("{n0: {serial: ' '}}", ["serial number"]),
    ("{n0: {serial: 12}}", ["'nodes.n0.serial'"]),
    (
        f"{{n0: {{nics: {{eth0: {MAC}}}}}, n1: {{nics: {{eth1: {MAC}}}}}}}",
        ["n0:eth0 and n1:eth1", "hardware address"],
    ),
]


@pytest.mark.parametrize(("nodes", "words"), REFUSED)
def test_a_mistake_is_refused_with_its_remedy(nodes: str, words: list[str]) -> None:
    with pytest.raises(DesignError) as error:
        machines(nodes)
    assert all(word in str(error.value) for word in words), str(error.value)
    assert error.value.hint
