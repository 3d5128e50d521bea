"""The classes of paths of designs, the planes that carried them, and offloads after a kill.

Machines are those of the plan, and none of them is asked.
"""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from typing import Any

import pytest

from linkwright import Cluster, calibrations
from linkwright import compile as compile_network
from linkwright.as_built.matched import matched
from linkwright.as_built.planned import Planned
from linkwright.errors import RunError
from linkwright.facts import ClusterFacts, Interface, MachineFacts
from linkwright.hardware.answers import Counters
from linkwright.hardware.fleet import Fleet, Place, fleet_of
from linkwright.machines import Local
from linkwright.measurement.carried import wrong_planes
from linkwright.measurement.machines import Site, nics_of
from linkwright.measurement.paths import paths_of
from linkwright.measurement.survey import surveyed

TSO = "tcp-segmentation-offload"
FEATURES = f"""Features for eth0:
tx-checksumming: on
\ttx-checksum-ipv4: on
{TSO}: on
\ttx-tcp-segmentation: on
\ttx-tcp-ecn-segmentation: off [fixed]
\ttx-tcp-mangleid-segmentation: off
\ttx-tcp6-segmentation: on
generic-segmentation-offload: on
generic-receive-offload: on
"""


def site(design: str) -> Site:
    """Return a cluster whose machines are as planned; none of them is asked."""
    network = compile_network(Cluster.parse(design))
    planned = Planned(network)
    machines = tuple(
        MachineFacts(
            name=name,
            hostname=name,
            interfaces=tuple(
                Interface(name=one.name, addresses=one.addresses) for one in node.interfaces
            ),
        )
        for name, node in planned.nodes.items()
    )
    places = {
        name: Place(name, Local(name), node.host.identities[0], ())
        for name, node in planned.nodes.items()
    }
    agents: Any = dict.fromkeys(places)
    found = matched(planned, ClusterFacts("now", machines))
    return Site(network, planned, found, Fleet(places, agents))


def kinds(found: Site) -> dict[str, int]:
    names = [one.kind for one in paths_of(found)]
    return {name: names.count(name) for name in dict.fromkeys(names)}


@pytest.mark.parametrize(
    ("design", "classes"),
    [
        ("{name: a, topology: {kind: direct}}", {"one hop": 1}),
        ("{name: a, topology: {kind: switch, nodes: 4}}", {"through a switch": 4}),
        ("{name: a, topology: {kind: full-mesh, nodes: 4}}", {"one hop": 6}),
        (
            "{name: a, topology: {kind: ring, shape: [6]}}",
            {"one hop": 6, "two hops": 6, "three hops": 3},
        ),
        (
            "{name: a, topology: {kind: p-mesh, shape: [2, 2]}}",
            {"through a switch": 4, "two hops": 2},
        ),
    ],
)
def test_each_class_has_its_paths(design: str, classes: dict[str, int]) -> None:
    found = kinds(site(design))
    assert found.keys() == classes.keys()
    assert found["one hop" if "one hop" in found else "through a switch"] == next(
        iter(classes.values())
    )


def test_every_node_that_forwards_is_on_a_measured_path() -> None:
    paths = paths_of(site("{name: a, topology: {kind: torus, shape: [4, 4]}}"))
    forwarders = {node for one in paths for node in one.forwarders}
    assert len(forwarders) == 16


def test_twins_are_told_apart() -> None:
    design = """
name: twins
topology:
  kind: custom
  nodes: {a: {nics: {eth0: nic-1g, eth1: nic-1g}}, b: {nics: {eth0: nic-1g, eth1: nic-1g}}}
  cables: [[a:eth0, b:eth0], [a:eth1, b:eth1]]
parts: {catalogue: ethernet-2026, node: {slots: null}}
"""
    paths = paths_of(site(design))
    assert [one.twin for one in paths] == ["1 of 2", "2 of 2"]
    assert len({one.legs for one in paths}) == 2


def counters(**nics: int) -> Counters:
    grown = {name: {"rx_bytes": n, "tx_bytes": 0} for name, n in nics.items()}
    return Counters(nics=grown, tcp={}, cpu=[0.0, 1.0, 1.0])


def test_an_interface_that_is_not_of_the_path_is_the_wrong_plane() -> None:
    ring = site("{name: a, topology: {kind: ring, shape: [4]}}")
    path = next(one for one in paths_of(ring) if one.kind == "one hop")
    (a, nic), (b, other) = path.legs
    right = {a: counters(**{nic: 10**6}), b: counters(**{other: 10**6})}
    assert list(wrong_planes(ring, path, right, 10**6)) == []
    astray = {a: counters(**{nic: 1000, "mgmt0": 10**6}), b: counters(**{other: 10**6})}
    (problem,) = wrong_planes(ring, path, astray, 10**6)
    assert problem.kind == "wrong-plane"
    assert f"{a} carried" in problem.text
    assert "by mgmt0" in problem.text
    elsewhere = {**right, "n3": counters(eth0=10**6, eth1=10**6)}
    (problem,) = wrong_planes(ring, path, elsewhere, 10**6)
    assert "is not on the path" in problem.text


def test_a_cluster_without_a_measured_path_says_its_problems() -> None:
    empty = site("{name: a, topology: {kind: ring, shape: [4]}}")
    with fleet_of(list(empty.fleet.places.values())) as fleet:
        found = replace(empty, fleet=fleet)
        with pytest.raises(RunError, match=r"no path can be measured: packets from n\d") as error:
            surveyed(found, calibrations.load("linux-6-desktop"), has_parts=False)
    assert "further reason" in error.value.message
    assert "linkwright apply" in (error.value.hint or "")


def test_a_cluster_that_is_not_up_says_each_reason_once() -> None:
    empty = site("{name: a, topology: {kind: ring, shape: [4]}}")
    lacks = dict.fromkeys(("n0", "n1", "n2"), "no interface has the address of the plan")
    missing = {**lacks, "n3": "n3 is not reached: refused"}
    found = replace(empty, fleet=Fleet({}, {}, missing))
    with pytest.raises(RunError) as error:
        surveyed(found, calibrations.load("linux-6-desktop"))
    assert error.value.message.endswith(
        "n0, n1 and n2: no interface has the address of the plan; n3 is not reached: refused"
    )


def test_bonds_of_others_are_not_of_the_fabric() -> None:
    found = site("{name: a, topology: {kind: bonded-switches, nodes: 3}}")
    node = found.matched.nodes["n0"]
    (bond,) = (one for one in node.plan.interfaces if one.members)
    other = Interface(name="bond9", kind="bond")
    facts = replace(node.facts, interfaces=(*node.facts.interfaces, other))
    assert nics_of(replace(node, facts=facts)) == (bond.name,)


def test_offloads_are_given_back_by_a_process_of_its_own(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "ethtool"
    (tmp_path / "shown").write_text(FEATURES)
    tool.write_text(
        "#!/bin/sh\n"
        f'if [ $1 = -k ]; then cat {tmp_path}/shown; else echo "$@" >> {tmp_path}/calls; fi\n'
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    from linkwright.hardware.program import program
    from linkwright.machines.agents import Agent

    given = {"version": 1, "token": "0" * 16, "nics": ["eth0"]}
    agent = Agent(Local("n0"), program(), given).start()
    assert agent.ask("offload", ["eth0", TSO, False], longest_s=10) is True
    gro = "generic-receive-offload"
    for is_on in (False, True):
        assert agent.ask("offload", ["eth0", gro, is_on], longest_s=10) is True
    refused = agent.ask("offload", ["mgmt0", TSO, False], longest_s=10)
    assert refused == {"error": "mgmt0 is no port of the fabric"}
    assert agent.talk is not None
    os.kill(agent.talk.process.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    wanted = (
        "-K eth0 tx-tcp-segmentation off tx-tcp6-segmentation off\n"
        f"-K eth0 {gro} off\n-K eth0 {gro} on\n"
        "-K eth0 tx-tcp-segmentation on tx-tcp6-segmentation on\n"
    )
    while (tmp_path / "calls").read_text() != wanted:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    agent.end()
