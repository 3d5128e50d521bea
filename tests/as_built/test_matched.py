"""Machines as nodes of a plan: by name, serial number, host name and hardware address.

The machines of the facts have names of their own.
"""

from __future__ import annotations

from linkwright.as_built.matched import matched
from linkwright.as_built.planned import Planned
from linkwright.design.cluster import Cluster
from linkwright.facts import ClusterFacts, Interface, MachineFacts
from linkwright.network import compile as compile_network

DESIGN = """
name: ring
topology: {kind: ring, shape: [4]}
nodes:
  n0: {serial: PF3XK9}
  n1: {name: alpha}
  n2: {nics: {eth0: {mac: "02:00:00:00:00:07", name: lan0}}}
"""


def test_a_machine_is_found_by_each_of_its_marks() -> None:
    port = Interface("lan0", mac="02:00:00:00:00:07")
    other = Interface("eth0", mac="02:00:00:00:00:08")
    machines = (
        MachineFacts("box-a", hostname="one", serial="PF3XK9", interfaces=(other,)),
        MachineFacts("box-b", hostname="Alpha.lan", serial="PF3XK8", interfaces=(other,)),
        MachineFacts("box-c", hostname="three", interfaces=(port,)),
        MachineFacts("n3", hostname="four", interfaces=(other,)),
        MachineFacts("box-e", hostname="five", serial="", interfaces=(other,)),
    )
    planned = Planned(compile_network(Cluster.parse(DESIGN)))
    found = matched(planned, ClusterFacts("now", machines))
    assert found.node_of == {"box-a": "n0", "box-b": "n1", "box-c": "n2", "n3": "n3"}
    assert [one.name for one in found.strangers] == ["box-e"]


def test_a_serial_number_counts_more_than_a_host_name() -> None:
    machine = MachineFacts("box", hostname="alpha", serial="PF3XK9", interfaces=(Interface("a"),))
    planned = Planned(compile_network(Cluster.parse(DESIGN)))
    assert matched(planned, ClusterFacts("now", (machine,))).node_of == {"box": "n0"}
