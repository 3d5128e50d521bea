"""Settings of the nodes' kernels, each with its reason.

Settings of a fabric port name the port, so that other ports of a machine keep theirs. Those that
the kernel only has for the whole machine say so in their reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.nodes.routes import relays_of
from linkwright.nodes.sources import shared_ports
from linkwright.records.read_only import ArrayRecord

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["Demands", "Sysctl", "demands", "most_forwards", "settings_of_node"]

MOST_NEIGHBOURS = 1024
"""Number of neighbours above which a kernel refuses new ones by default (gc_thresh3)."""
TTL, MOST_TTL = 64, 255
"""Time to live that kernels give by default, and the largest in a header."""


@dataclass(frozen=True, kw_only=True)
class Sysctl:
    """A parameter of a node's kernel.

    Attributes
    ----------
    key : str
        Path below /proc/sys.
    value : str
    reason : str
        Effect of the value, in one sentence without a full stop.
    interface : str
        Interface that the key names; empty for the whole machine.
    """

    key: str
    value: str
    reason: str
    interface: str = ""


class Demands(ArrayRecord):
    """The demands of a network on the kernels of its nodes.

    Attributes
    ----------
    families : tuple of bool
        Families in use: False for IPv4, True for IPv6.
    is_relay : ndarray of bool, shape (n_nodes,)
        Whether a node relays packets of others.
    shares_segment : ndarray of bool, shape (n_nodes,)
        Whether several ports of a node are on one segment.
    n_stations : ndarray of int64, shape (n_nodes,)
        Number of stations that share segments with a node.
    has_fallback : bool
        Whether nodes have backup routes.
    by_interface : bool
        Whether tables by incoming interface may send packets back to their own sender.
    n_forwards : int
        Most forwards of a packet, by backup routes too; 0 if it is not known.
    """

    families: tuple[bool, ...]
    is_relay: NDArray[np.bool_]
    shares_segment: NDArray[np.bool_]
    n_stations: NDArray[np.int64]
    has_fallback: bool
    by_interface: bool
    n_forwards: int


def demands(network: Network) -> Demands:
    """Return the demands of a network on the kernels of its nodes."""
    return Demands(
        families=tuple(sorted(set(network.addresses.is_v6.tolist()))),
        is_relay=relays_of(network, with_fallback=network.fallback),
        shares_segment=_shares_segment(network),
        n_stations=_stations(network),
        has_fallback=network.fallback,
        by_interface=network.by_interface,
        n_forwards=most_forwards(network),
    )


def most_forwards(network: Network) -> int:
    """Return a bound on the forwards of a packet, also after a failure that the tables survive.

    A backup route may lead back and then round. With tables by incoming interface a packet goes to
    the cut, down to a chord, across it and up again; where trees follow each other, it passes each
    port of a node once at most. The bound is 0 for explicit tables, whose paths are not known.
    """
    if network.routing == "explicit":
        return 0
    longest = int(network.closed.forwards_worst)
    if network.cuts_survived > 1:
        return int(network.port_start[network.n_nodes])
    if network.by_interface:
        return 3 * longest + 1
    return longest * (2 if network.fallback or network.without else 1)


def settings_of_node(asked: Demands, node: int, ports: Sequence[str]) -> Iterator[Sysctl]:
    """Yield the settings of one node.

    Parameters
    ----------
    asked : Demands
        Demands of the network.
    node : int
        Number of the node.
    ports : sequence of str
        Names of its interfaces with a cable; a bond instead of its members.
    """
    n_stations = int(asked.n_stations[node])
    for is_v6 in asked.families:
        if asked.is_relay[node]:
            yield from _relaying(ports, is_v6=is_v6)
        family = "ipv6" if is_v6 else "ipv4"
        if asked.has_fallback:
            for port in ports:
                yield Sysctl(
                    key=f"net/{family}/conf/{port}/ignore_routes_with_linkdown",
                    value="1",
                    reason="a backup route is used when the link of the better one is dark",
                    interface=port,
                )
        if is_v6:
            yield from _plan_alone(ports)
        elif len(ports) > 1:
            yield from _without_filters(ports)
        if asked.shares_segment[node] and not is_v6:
            yield from _answering_for_itself(ports)
        if asked.by_interface and not is_v6:
            yield from _taking_own_packets(ports)
        if n_stations > MOST_NEIGHBOURS:
            yield from _neighbour_tables(n_stations, is_v6=is_v6)
        if asked.n_forwards >= TTL:
            yield from _long_paths(ports, asked.n_forwards, is_v6=is_v6)


def _relaying(ports: Sequence[str], *, is_v6: bool) -> Iterator[Sysctl]:
    if is_v6:
        yield Sysctl(
            key="net/ipv6/conf/all/forwarding",
            value="1",
            reason="relays packets between its ports; the kernel has this for the whole machine "
            "only, and a NIC outside the plan that learns its address from router "
            "advertisements then needs accept_ra=2",
        )
        return
    yield Sysctl(
        key="net/ipv4/ip_forward",
        value="1",
        reason="relays packets between its ports; this holds for the whole machine",
    )
    for port in ("", *ports):
        yield Sysctl(
            key=f"net/ipv4/conf/{port or 'all'}/send_redirects",
            value="0",
            reason="a sender that is told of a shorter path would keep it after a failure; "
            "redirects are sent if either the port or the whole machine allows them",
            interface=port,
        )


def _without_filters(ports: Sequence[str]) -> Iterator[Sysctl]:
    for port in ports:
        yield Sysctl(
            key=f"net/ipv4/conf/{port}/rp_filter",
            value="2",
            reason="packets may arrive by another port than the one of the way back; the larger "
            "of the values of the port and of the whole machine is in force",
            interface=port,
        )


def _taking_own_packets(ports: Sequence[str]) -> Iterator[Sysctl]:
    for port in ports:
        yield Sysctl(
            key=f"net/ipv4/conf/{port}/accept_local",
            value="1",
            reason="a packet that is turned back at a cut may pass its own sender",
            interface=port,
        )


def _answering_for_itself(ports: Sequence[str]) -> Iterator[Sysctl]:
    for port in ports:
        yield Sysctl(
            key=f"net/ipv4/conf/{port}/arp_ignore",
            value="1",
            reason="several ports of this node share a segment, and by default each answers ARP "
            "for the addresses of all",
            interface=port,
        )
    for port in ports:
        yield Sysctl(
            key=f"net/ipv4/conf/{port}/arp_announce",
            value="2",
            reason="a port asks by ARP with its own address, so that no neighbour learns that of "
            "another port by it",
            interface=port,
        )


def _neighbour_tables(n_stations: int, *, is_v6: bool) -> Iterator[Sysctl]:
    least = 1 << (n_stations - 1).bit_length()
    for level in (1, 2, 3):
        yield Sysctl(
            key=f"net/{'ipv6' if is_v6 else 'ipv4'}/neigh/default/gc_thresh{level}",
            value=str(least << (level - 1)),
            reason=f"{n_stations:,} stations share a segment with this node, and a kernel knows "
            f"{MOST_NEIGHBOURS:,} by default; this holds for the whole machine",
        )


def _plan_alone(ports: Sequence[str]) -> Iterator[Sysctl]:
    for port in ports:
        yield Sysctl(
            key=f"net/ipv6/conf/{port}/accept_ra",
            value="0",
            reason="no default route and no address but those of the plan",
            interface=port,
        )


def _long_paths(ports: Sequence[str], n_forwards: int, *, is_v6: bool) -> Iterator[Sysctl]:
    reason = f"packets may be forwarded {n_forwards} times, and by default they end after {TTL - 1}"
    if not is_v6:
        yield Sysctl(
            key="net/ipv4/ip_default_ttl",
            value=str(MOST_TTL),
            reason=f"{reason}; this holds for the whole machine",
        )
        return
    for port in ports:
        yield Sysctl(
            key=f"net/ipv6/conf/{port}/hop_limit",
            value=str(MOST_TTL),
            reason=reason,
            interface=port,
        )


def _shares_segment(network: Network) -> NDArray[np.bool_]:
    found = np.zeros(network.n_nodes, dtype=np.bool_)
    found[[node for node, _ in shared_ports(network)]] = True
    return found


def _stations(network: Network) -> NDArray[np.int64]:
    """Return the number of stations that share segments with each node, shape (n_nodes,)."""
    addresses = network.addresses
    on_port = np.flatnonzero((addresses.port >= 0) & (addresses.is_v6 == addresses.is_v6[0]))
    ports = network.port_start[addresses.node[on_port]] + addresses.port[on_port]
    segment = network.core.fabric.port_segment[ports]
    on_segment = np.bincount(segment)[segment] - 1
    return np.bincount(addresses.node[on_port], on_segment, network.n_nodes).astype(np.int64)
