"""Decisions by `ip route get` beside those by netlink: the same kernels are asked both ways, about
their own packets and about packets that arrive, whole and without a cable.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.exporters.machines import BY_INTERFACE, FALLBACK, SHARED
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster
from linkwright.emulation.kernels import Kernels
from linkwright.errors import RunError
from linkwright.machines import Local, Machine
from linkwright.machines.live_nodes import LOCAL, NONE, REFUSED, Lookups
from linkwright.machines.route_get import RouteGet
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.verification.trial import Trial

BOTH = "addressing: {ipv4: true, ipv6: true}\n"
DESIGNS = {
    "ring": "topology: {kind: ring, shape: [4]}\n" + FALLBACK + BOTH,
    "mesh without backup": "topology: {kind: mesh, shape: [3]}\n" + BOTH,
    "ring by interface": "topology: {kind: ring, shape: [5]}\n" + BY_INTERFACE + BOTH,
    "two ports on a switch": SHARED + BOTH,
    "bonds": "topology: {kind: bonded-dual-net, nodes: 3}\n",
}
IN_NAMESPACES = pytest.mark.skipif(bool(why_missing("tests/machines")), reason="no namespaces")


def up(text: str) -> tuple[Network, Kernels]:
    network = compile_network(Cluster.parse(f"name: t\n{text}"))
    kernels = Kernels(network)
    kernels.plug(kernels.cabled, has_carrier=True)
    return network, kernels


def packets(network: Network, kernels: Kernels) -> list[NDArray[np.integer]]:
    """Return packets of every node to every address: its own, and those that arrive at each of its
    interfaces from each identity of the same family.
    """
    table, addresses = kernels.table, network.addresses
    rows = [
        (node, to, NONE, NONE)
        for node in range(network.n_nodes)
        for to in range(len(addresses.node))
    ]
    rows += [
        (int(table.interface_node[at]), to, at, source)
        for at in kernels.cabled.tolist()
        for to in range(len(addresses.node))
        for source in addresses.identity.tolist()
        if addresses.is_v6[to] == addresses.is_v6[source]
    ]
    node, to, interface, source = np.array(rows).T
    return [*np.array([node, to], np.uint32), *np.array([interface, source], np.int32)]


def columns(found: Lookups) -> list[list[int]]:
    return [column.tolist() for column in (found.interface, found.gateway, found.source)]


@IN_NAMESPACES
@pytest.mark.parametrize("name", DESIGNS)
def test_both_ways_of_asking_agree(name: str) -> None:
    network, kernels = up(DESIGNS[name])
    asked = packets(network, kernels)
    by_program = RouteGet(kernels.machines, kernels.table, network)

    def agree() -> list[list[int]]:
        found = columns(by_program.look_up(*asked))
        assert found == columns(kernels.look_up(*asked))
        return found

    whole = agree()
    assert len({LOCAL, *whole[0]}) > network.n_nodes, "each node sends by some interface"
    kernels.plug(kernels.cabled[:1], has_carrier=False)
    assert agree() != whole
    kernels.plug(kernels.cabled[:1], has_carrier=True)
    kernels.filter_reverse_paths("strict")
    agree()


@IN_NAMESPACES
def test_packets_without_a_route_are_refused_and_named_in_their_place() -> None:
    network, kernels = up("topology: {kind: mesh, shape: [3]}\n")
    kernels.plug(kernels.cabled, has_carrier=False)
    asked = packets(network, kernels)
    found = RouteGet(kernels.machines, kernels.table, network).look_up(*asked)
    assert columns(found) == columns(kernels.look_up(*asked))
    assert set(found.interface.tolist()) == {LOCAL, REFUSED}


@IN_NAMESPACES
def test_a_trial_takes_nodes_that_are_asked_by_programs() -> None:
    network, kernels = up(DESIGNS["ring by interface"])
    trial = Trial(RouteGet(kernels.machines, kernels.table, network), network)
    assert list(trial.whole()) == []
    assert trial.n_lookups > trial.n_pairs > 0


@IN_NAMESPACES
def test_a_trial_by_programs_finds_a_route_that_is_wrong() -> None:
    network, kernels = up("topology: {kind: ring, shape: [4]}\n")
    machine = kernels.machines[0]
    routes = json.loads(machine.run(["ip", "-json", "route"]).output)
    to = next(route["dst"] for route in routes if "gateway" in route)
    assert machine.run(["ip", "route", "replace", "blackhole", to]).code == 0
    trial = Trial(RouteGet(kernels.machines, kernels.table, network), network)
    found = list(trial.whole())
    assert {one.sender for one in found if "no route" in one.kernels} == {"n0"}


class Silent(Local):
    """A machine whose `ip` says nothing."""

    def command(self, words: Sequence[str]) -> list[str]:
        return ["true"]


@IN_NAMESPACES
def test_a_machine_without_iproute2_is_named() -> None:
    network, kernels = up("topology: {kind: mesh, shape: [3]}\n")
    machines: list[Machine] = [*kernels.machines[:2], Silent("n2")]
    with pytest.raises(RunError, match="n2 does not answer `ip route get`"):
        list(Trial(RouteGet(machines, kernels.table, network), network).whole())
