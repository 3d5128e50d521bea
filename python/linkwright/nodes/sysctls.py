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

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["Setting", "relays", "settings_of_node", "stations"]

MOST_NEIGHBOURS = 1024
"""Number of neighbours above which a kernel refuses new ones by default (gc_thresh3)."""


@dataclass(frozen=True, kw_only=True)
class Setting:
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


def relays(network: Network) -> NDArray[np.bool_]:
    """Return which nodes relay packets of others, by any route, backup routes included.

    Returns
    -------
    ndarray of bool, shape (n_nodes,)
        A gateway relays unless the route leads to an address of its own.
    """
    return network.core.relays(with_fallback=network.fallback)


def stations(network: Network) -> NDArray[np.int64]:
    """Return the number of stations that share segments with each node, shape (n_nodes,)."""
    addresses = network.addresses
    on_port = np.flatnonzero((addresses.port >= 0) & (addresses.is_v6 == addresses.is_v6[0]))
    ports = network.port_start[addresses.node[on_port]] + addresses.port[on_port]
    segment = network.core.fabric.port_segment[ports]
    on_segment = np.bincount(segment)[segment] - 1
    return np.bincount(addresses.node[on_port], on_segment, network.n_nodes).astype(np.int64)


def settings_of_node(
    ports: Sequence[str],
    *,
    families: Sequence[bool],
    is_relay: bool,
    has_fallback: bool,
    by_interface: bool = False,
    n_stations: int,
) -> Iterator[Setting]:
    """Yield the settings of one node.

    Parameters
    ----------
    ports : sequence of str
        Names of its interfaces with a cable; a bond instead of its members.
    families : sequence of bool
        Families in use: False for IPv4, True for IPv6.
    is_relay : bool
        Whether it relays packets of others.
    has_fallback : bool
        Whether it has backup routes.
    by_interface : bool
        Whether tables by incoming interface may send packets back to their own sender.
    n_stations : int
        Number of stations that share segments with it.
    """
    for is_v6 in families:
        if is_relay:
            yield from _relaying(ports, is_v6=is_v6)
        family = "ipv6" if is_v6 else "ipv4"
        if has_fallback:
            for port in ports:
                yield Setting(
                    key=f"net/{family}/conf/{port}/ignore_routes_with_linkdown",
                    value="1",
                    reason="a backup route is used when the link of the better one is dark",
                    interface=port,
                )
        if is_v6:
            yield from _plan_alone(ports)
        elif len(ports) > 1:
            yield from _without_filters(ports)
        if by_interface and not is_v6:
            yield from _taking_own_packets(ports)
        if n_stations > MOST_NEIGHBOURS:
            yield from _neighbour_tables(n_stations, is_v6=is_v6)


def _relaying(ports: Sequence[str], *, is_v6: bool) -> Iterator[Setting]:
    if is_v6:
        yield Setting(
            key="net/ipv6/conf/all/forwarding",
            value="1",
            reason="relays packets between its ports; the kernel has this for the whole machine "
            "only, and a NIC outside the plan that learns its address from router "
            "advertisements then needs accept_ra=2",
        )
        return
    yield Setting(
        key="net/ipv4/ip_forward",
        value="1",
        reason="relays packets between its ports; this holds for the whole machine",
    )
    for port in ("", *ports):
        yield Setting(
            key=f"net/ipv4/conf/{port or 'all'}/send_redirects",
            value="0",
            reason="a sender that is told of a shorter path would keep it after a failure; "
            "redirects are sent if either the port or the whole machine allows them",
            interface=port,
        )


def _without_filters(ports: Sequence[str]) -> Iterator[Setting]:
    for port in ports:
        yield Setting(
            key=f"net/ipv4/conf/{port}/rp_filter",
            value="2",
            reason="packets may arrive by another port than the one of the way back; the larger "
            "of the values of the port and of the whole machine is in force",
            interface=port,
        )


def _taking_own_packets(ports: Sequence[str]) -> Iterator[Setting]:
    for port in ports:
        yield Setting(
            key=f"net/ipv4/conf/{port}/accept_local",
            value="1",
            reason="a packet that is turned back at a cut may pass its own sender",
            interface=port,
        )


def _neighbour_tables(n_stations: int, *, is_v6: bool) -> Iterator[Setting]:
    least = 1 << (n_stations - 1).bit_length()
    for level in (1, 2, 3):
        yield Setting(
            key=f"net/{'ipv6' if is_v6 else 'ipv4'}/neigh/default/gc_thresh{level}",
            value=str(least << (level - 1)),
            reason=f"{n_stations:,} stations share a segment with this node, and a kernel knows "
            f"{MOST_NEIGHBOURS:,} by default; this holds for the whole machine",
        )


def _plan_alone(ports: Sequence[str]) -> Iterator[Setting]:
    for port in ports:
        yield Setting(
            key=f"net/ipv6/conf/{port}/accept_ra",
            value="0",
            reason="no default route and no address but those of the plan",
            interface=port,
        )
