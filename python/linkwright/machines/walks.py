"""Walks: packets followed from node to node by the decisions of the nodes' kernels alone.

A kernel says where a packet leaves; the wiring says who hears it there. Each step asks all kernels
at once about every packet that is still on its way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.machines.live_nodes import LOCAL, NONE, REFUSED
from linkwright.records.read_only import ArrayRecord

if TYPE_CHECKING:
    from linkwright.machines.live_nodes import LiveNodes
    from linkwright.network import Network
    from linkwright.nodes.table import NodeTable

__all__ = ["ARRIVED", "LOOP", "NO_ROUTE", "UNSEEN", "Walks", "walk", "wires_of_interfaces"]

ARRIVED, NO_ROUTE, UNSEEN, LOOP = range(4)
"""Ends of a walk: at a node with the address; where a kernel has no route; on a wire that does not
join the two ends; after more hops than there are places to pass.
"""


class Walks(ArrayRecord):
    """The ways of `w` packets.

    Attributes
    ----------
    end : ndarray of int8, shape (w,)
        One of `ARRIVED`, `NO_ROUTE`, `UNSEEN` and `LOOP`.
    nodes : ndarray of int64, shape (w, h)
        Nodes passed, the sender first, -1 behind the last.
    source : ndarray of int32, shape (w,)
        Address that the sender's kernel gives to each packet; -1 if it has no route.
    n_lookups : int
        Decisions asked for.
    """

    end: NDArray[np.int8]
    nodes: NDArray[np.int64]
    source: NDArray[np.int32]
    n_lookups: int


def walk(
    nodes: LiveNodes,
    network: Network,
    sender: NDArray[np.int64],
    destination: NDArray[np.int64],
    *,
    is_filtered: bool = False,
    with_bonds_mended: bool = False,
) -> Walks:
    """Follow packets by the answers of the nodes' kernels.

    Parameters
    ----------
    nodes : LiveNodes
        Nodes that are up.
    network : Network
        The network whose wires are intact.
    sender, destination : ndarray of int64, shape (w,)
        Node that sends each packet, and the address that the packet is for.
    is_filtered : bool
        Whether nodes on the way are asked about the packet as it arrives, with its source and
        interface, so that reverse-path filters have their say. Default: as if it were their own,
        except with routes by incoming interface, which are always asked so.
    with_bonds_mended : bool
        Whether NICs on wires that others have lost are taken out of the bonds. Default: a bond
        sends by all its NICs with carrier, and loses frames where the receiver hears only some.
    """
    table, wires = nodes.table, wires_of_interfaces(nodes.table, network)
    carrier, owner = table.address_interface.astype(np.int64), network.addresses.node
    w = len(sender)
    faced = _faced(table, network)
    # A borrowed address is the same at every port and on the loopback.
    owners = np.append(network.addresses.owners, NONE)
    at, end = sender.astype(np.int64), np.full(w, LOOP, dtype=np.int8)
    interface, source, chosen = np.full((3, w), -1, dtype=np.int32)
    passed, n_lookups = [at.copy()], 0
    moving = np.arange(w)
    # With tables by interface a packet may pass a node once by each port.
    n_ports = int(network.port_start[network.n_nodes]) if network.by_interface else 0
    for _ in range(network.n_nodes + n_ports + 1):
        if not len(moving):
            break
        asked = (at[moving].astype(np.uint32), destination[moving].astype(np.uint32))
        answer = nodes.look_up(*asked, interface[moving], source[moving])
        if not n_lookups:
            chosen = owners[answer.source].astype(np.int32)
        n_lookups += len(moving)
        out, gateway = answer.interface.astype(np.int64), answer.gateway
        target = np.where(gateway != NONE, gateway, destination[moving])
        there = _facing(faced[out], carrier[target], owner[target], table)
        is_local, is_refused = out == LOCAL, out == REFUSED
        is_heard = _is_heard(wires[out], wires[there], by_any=with_bonds_mended)
        end[moving[is_local]] = ARRIVED
        end[moving[is_refused]] = NO_ROUTE
        end[moving[~is_local & ~is_refused & ~is_heard]] = UNSEEN
        goes = ~is_local & ~is_refused & is_heard
        moving, answered = moving[goes], owners[answer.source[goes]]
        at[moving] = owner[target[goes]]
        if is_filtered or network.by_interface:
            first = source[moving] < 0
            source[moving] = np.where(first, answered, source[moving])
            interface[moving] = there[goes]
        passed.append(np.full(w, -1, dtype=np.int64))
        passed[-1][moving] = at[moving]
    return Walks(end=end, nodes=np.stack(passed, axis=1), source=chosen, n_lookups=n_lookups)


def _faced(table: NodeTable, network: Network) -> NDArray[np.int64]:
    """Return the interface at the other end of the cable of each unnumbered one, -1 for all others;
    a row more stands for the codes of decisions without an interface.
    """
    found = np.full(len(table.interface_node) + 1, -1, dtype=np.int64)
    if network.addresses.is_borrowed.any():
        on_port = np.flatnonzero(table.interface_port >= 0)
        ends = np.column_stack([table.interface_node[on_port], table.interface_port[on_port]])
        address = network.facing[network.port_ids(ends)]
        carrier = table.address_interface.astype(np.int64)
        found[on_port] = np.where(address >= 0, carrier[address], -1)
    return found


def _facing(
    faced: NDArray[np.int64],
    carrier: NDArray[np.int64],
    owner: NDArray[np.integer],
    table: NodeTable,
) -> NDArray[np.int64]:
    """Return the interfaces that packets arrive at: those at the other ends of unnumbered ones, if
    the node there has the address, else those with the address.
    """
    is_owner = (faced >= 0) & (table.interface_node[faced] == owner)
    return np.where(is_owner, faced, carrier)


def _is_heard(
    sender: NDArray[np.int64], receiver: NDArray[np.int64], *, by_any: bool
) -> NDArray[np.bool_]:
    """Return whether interfaces hear others, by all the wires that these use or by any."""
    used = sender >= 0
    shared = used & (sender[:, :, np.newaxis] == receiver[:, np.newaxis, :]).any(axis=2)
    found: NDArray[np.bool_] = shared.any(axis=1)
    return found if by_any else found & (shared | ~used).all(axis=1)


def wires_of_interfaces(table: NodeTable, network: Network) -> NDArray[np.int64]:
    """Return the wires that each interface is on, a column for each of its ports; -1 for none.

    A wire is all that cables, hubs and switches join, without a node. A row more than there are
    interfaces stands for the codes of decisions without an interface.
    """
    start, wiring = network.port_start, network.wiring
    of_port = _joined(network)
    bonds = {(node, first): n_ports for node, first, n_ports in wiring.bonds.tolist()}
    n_columns = max([1, *bonds.values()])
    found = np.full((len(table.interface_node) + 1, n_columns), -1, dtype=np.int64)
    ends = zip(table.interface_node.tolist(), table.interface_port.tolist(), strict=True)
    for interface, (node, port) in enumerate(ends):
        if port >= 0:
            first, n_ports = int(start[node]) + port, bonds.get((node, port), 1)
            found[interface, :n_ports] = of_port[first : first + n_ports]
    return found


def _joined(network: Network) -> NDArray[np.int64]:
    """Return a number for each port that it shares with all ports on its wire; -1 without cable."""
    start, wiring = network.port_start.astype(np.int64), network.wiring
    n_ports = int(start[-1])
    # Ports of nodes are ends by themselves, hubs and switches are one each.
    ends = [
        np.where(at[:, 0] < network.n_nodes, start[at[:, 0]] + at[:, 1], n_ports + at[:, 0])
        for at in (wiring.cable_a.astype(np.int64), wiring.cable_b.astype(np.int64))
    ]
    label = np.arange(n_ports + len(start), dtype=np.int64)
    while True:
        lower = np.minimum(label[ends[0]], label[ends[1]])
        before = label.copy()
        for end in ends:
            np.minimum.at(label, end, lower)
        if (label == before).all():
            break
    is_wired = np.zeros(len(label), dtype=np.bool_)
    for end in ends:
        is_wired[end] = True
    return np.where(is_wired, label, -1)[:n_ports]
