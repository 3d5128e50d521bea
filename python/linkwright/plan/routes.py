"""The routes of all nodes as CSV text: by far the longest table of a plan, written node by node.

Routes that the kernel has by itself, to the subnet of each interface, are not listed.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from linkwright.design.names import bond_names, nic_name
from linkwright.errors import PlanError
from linkwright.files import Pieces
from linkwright.network import FIRST_TABLE
from linkwright.nodes.routes import routes_of
from linkwright.nodes.sources import SourceRoutes, source_routes
from linkwright.text.csv_text import csv_cell, csv_of_cells, csv_text

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["ROUTE_COLUMNS", "count_routes", "has_rules", "prefix_texts", "routes_text"]

ROUTE_COLUMNS = ("node", "destination", "via", "nic", "metric", "src")
"""Columns of every table of routes; with rules, the number of the table follows."""
MOST_ROUTES = 30_000_000
"""Largest number of rows of a table of routes: some gigabytes of text."""

_Array = npt.NDArray[Any]


def has_rules(network: Network) -> bool:
    """Return whether some nodes have several tables of routes, and rules that choose one."""
    return network.by_interface or source_routes(network) is not None


def routes_text(network: Network) -> Pieces:
    """Return the CSV text of every node's routes, which is made node by node as it is read, in the
    order of destinations, tables and metrics.

    With rules each route has its table, empty for the main one.

    Raises
    ------
    PlanError
        If there are too many to write.
    """
    _check_number_of_routes(network)
    return Pieces(partial(_text_by_node, network))


def count_routes(network: Network) -> int:
    """Return the number of routes of all nodes."""
    of_node = (_n_routes(network, node) for node in range(network.n_nodes))
    by_source = source_routes(network)
    return sum(of_node) + (0 if by_source is None else len(by_source.node))


def _text_by_node(network: Network) -> Iterator[str]:
    by_source, with_table = source_routes(network), has_rules(network)
    yield csv_text((*ROUTE_COLUMNS, *(("table",) * with_table)), [])
    lines = _Lines(network, with_table=with_table)
    for node in range(network.n_nodes):
        yield lines.text(node, _of_main(network, node))
        if by_source is not None:
            yield lines.text(node, _of_sources(by_source, by_source.node == node))


def _check_number_of_routes(network: Network) -> None:
    """Estimate the number from two nodes, which resemble the others in a regular shape."""
    most = max(_n_routes(network, node) for node in {0, network.n_nodes // 2})
    if most * network.n_nodes > MOST_ROUTES:
        raise PlanError(
            f"'{network.name}' would have some {most * network.n_nodes:,} routes, at most "
            f"{MOST_ROUTES:,} are written into a plan",
            "choose fewer nodes, or a network whose segments hold more of them",
        )


def _n_routes(network: Network, node: int) -> int:
    return len(routes_of(network, node).metric)


class _Columns(NamedTuple):
    """Columns of some routes of one node, each of shape (r,) but for the destinations."""

    destination: _Array
    """shape (r, 16): first address."""
    is_v6: _Array
    prefix_length: _Array
    via: _Array
    """Number of the gateway's address, -1 for none."""
    port: _Array
    metric: _Array
    source: _Array
    """Number of the address that packets have as source."""
    table: _Array
    """-1 for the main table."""


def _of_main(network: Network, node: int) -> _Columns:
    """Return the routes of a node in its main table, and by the port that packets came in by."""
    routes = routes_of(network, node)
    return _Columns(
        routes.destination,
        routes.is_v6,
        routes.prefix_length,
        routes.via,
        routes.port,
        routes.metric,
        network.addresses.identities(routes.node, routes.is_v6),
        np.where(routes.table < 0, -1, FIRST_TABLE + routes.table),
    )


def _of_sources(routes: SourceRoutes, own: npt.NDArray[np.bool_]) -> _Columns:
    """Return the routes of a node in its tables by source address."""
    return _Columns(
        routes.bits[own],
        routes.is_v6[own],
        routes.length[own],
        routes.via[own],
        routes.port[own],
        routes.metric[own],
        routes.source[own],
        routes.table[own],
    )


class _Lines:
    """Makes lines of a table of routes; every text is written once and then looked up."""

    def __init__(self, network: Network, *, with_table: bool) -> None:
        self._network, self._with_table = network, with_table
        self._bonds = bond_names(network.wiring)
        ips = [csv_cell(interface.ip) for interface in network.addresses.ip]
        self._addresses = np.array([*ips, ""], dtype=object)  # the number of a gateway may be -1
        self._prefixes: dict[bytes, str] = {}

    def text(self, node: int, routes: _Columns) -> str:
        """Return the lines of routes of a node."""
        wiring = self._network.wiring

        def nic(port: int) -> str:
            return self._bonds.get((node, port)) or nic_name(wiring, node, port)

        columns = [
            [csv_cell(self._network.device_names[node])] * len(routes.via),
            prefix_texts(
                routes.destination, routes.is_v6, routes.prefix_length, known=self._prefixes
            ),
            self._addresses[routes.via].tolist(),
            _cells(routes.port, nic),
            _cells(routes.metric, str),
            self._addresses[routes.source].tolist(),
        ]
        if self._with_table:
            columns.append(_cells(routes.table, lambda one: "" if one < 0 else str(one)))
        return csv_of_cells(zip(*columns, strict=True))


def _cells(values: _Array, text: Callable[[int], str]) -> list[str]:
    """Return the cell of each value; every distinct value is written once."""
    distinct, index = np.unique(values, return_inverse=True)
    cells = np.array([csv_cell(text(one)) for one in distinct.tolist()], dtype=object)
    found: list[str] = cells[index].tolist()
    return found


def prefix_texts(
    destination: npt.NDArray[np.uint8],
    is_v6: npt.NDArray[np.bool_],
    prefix_length: npt.NDArray[np.uint8],
    *,
    known: dict[bytes, str] | None = None,
) -> list[str]:
    """Return each route's destination; every prefix is formatted once and then looked up.

    Parameters
    ----------
    destination : ndarray of uint8, shape (r, 16)
        First addresses.
    is_v6, prefix_length : ndarray, shape (r,)
        Family and length of each prefix.
    known : dict, optional
        Texts of earlier calls, which takes those of this one.
    """
    keys = np.column_stack((destination, is_v6, prefix_length)).astype(np.uint8).tobytes()
    step = destination.shape[1] + 2
    written = {} if known is None else known
    texts = []
    for start in range(0, len(keys), step):
        key = keys[start : start + step]
        text = written.get(key)
        if text is None:
            text = written[key] = _prefix_text(key)
        texts.append(text)
    return texts


def _prefix_text(key: bytes) -> str:
    bits, is_v6, length = key[:16], key[16], key[17]
    if is_v6:
        return str(ipaddress.IPv6Network((bits, length)))
    return str(ipaddress.IPv4Network((bits[12:], length)))
