"""Placement: the node on which each rank of a program runs.

By default rank i runs on compute node i, in the order in which nodes are numbered: row by row. A
count behind a placement, or behind a node, puts several ranks in a row on each node. The first
background rank runs on the front end.
"""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import UsageError, nearest_name, shown
from linkwright.files import MEBIBYTE, read_text
from linkwright.network import Network
from linkwright.placement.pairing import local_pairs, remote_pairs

__all__ = [
    "GRAMMAR",
    "IN_ORDER",
    "RANDOM",
    "background_nodes",
    "is_random",
    "most_ranks",
    "nodes_of_ranks",
    "with_ranks_per_node",
]

IN_ORDER = "row"
"""Rank i on node i."""
RANDOM = "random"
"""Ranks on nodes drawn from the seed."""

GRAMMAR = (
    "row, random, a block such as 2x2, local-pairs, remote-pairs, nodes such as 0,1,4,5, or @FILE "
    "with one node per line; row:4, 2x2:4 or 0:4,1:4 put four ranks on each node"
)
"""The forms of a placement."""

_PURPOSE = 0x706C_6163_65
"""Purpose number of a random placement, "place": other draws of the same seed differ."""

_PAIRS = {
    "local-pairs": (local_pairs, "that share a medium"),
    "remote-pairs": (remote_pairs, "that share no medium"),
}
"""Placements of ranks 2i and 2i + 1 on nodes that share a medium, or that share none."""

_MOST_PER_NODE = 1 << 20
"""Most ranks of a program."""

_MOST_BYTES = 16 * MEBIBYTE
"""Largest size of a file of nodes."""

_BLOCK = re.compile(r"\d{1,9}(x\d{1,9})+", re.ASCII)
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_COUNTED = re.compile(r"(.+):(\d{1,9})", re.ASCII)
"""A placement or a node, and the ranks on each node."""


def nodes_of_ranks(
    placement: str, network: Network, n_ranks: int, *, seed: int = 0
) -> NDArray[np.uint32]:
    """Return the node of each rank; ranks of one node have its processors in turn.

    Parameters
    ----------
    placement : str
        One of the forms of `GRAMMAR`. A block is the corner of the grid with that shape, row by
        row.
        Pairs are ranks 2i and 2i + 1, see `linkwright.placement.pairing`.
    network : Network
        The cluster.
    n_ranks : int
        Ranks of the program.
    seed : int
        Seed of a random placement.

    Returns
    -------
    ndarray, shape (n_ranks,)
        Compute nodes.

    Raises
    ------
    UsageError
        If the placement is unknown, has too few nodes, or names a node that does not exist.

    Examples
    --------
    >>> import linkwright
    >>> torus = linkwright.Cluster.parse("{name: t, topology: {kind: torus, shape: [4, 4]}}")
    >>> nodes_of_ranks("2x2", linkwright.compile(torus), 4).tolist()
    [0, 1, 4, 5]
    >>> nodes_of_ranks("2x2:2", linkwright.compile(torus), 6).tolist()
    [0, 0, 1, 1, 4, 4]
    """
    form, per_node = _counted(placement)
    nodes = _nodes(form, network, -(-int(n_ranks) // per_node), seed)
    if len(nodes) * per_node < n_ranks:
        what = "nodes" if per_node == 1 else f"nodes of {per_node} ranks"
        raise UsageError(
            f"placement {shown(placement)} has {len(nodes)} {what} for {n_ranks} ranks",
            "name a node for every rank, or run fewer ranks",
        )
    return np.repeat(np.asarray(nodes, dtype=np.uint32), per_node)[:n_ranks]


def most_ranks(placement: str, network: Network) -> int:
    """Return the number of ranks that a program has if it sets none: one on every compute node, or
    as many as the placement puts there.

    Examples
    --------
    >>> import linkwright
    >>> four = linkwright.compile(
    ...     linkwright.Cluster.parse("{name: s, topology: {kind: switch, nodes: 4}}")
    ... )
    >>> most_ranks("row", four), most_ranks("row:2", four), most_ranks("0:8,1:8", four)
    (4, 8, 16)
    """
    form, per_node = _counted(placement)
    if form in (IN_ORDER, RANDOM, *_PAIRS) or _BLOCK.fullmatch(form):
        return network.n_compute * per_node
    return max(network.n_compute, len(_listed(_texts(form), form, network)))


def with_ranks_per_node(placement: str, ranks_per_node: int) -> str:
    """Return a placement with a number of ranks on each of its nodes.

    Parameters
    ----------
    placement : str
        One of the forms of `GRAMMAR`.
    ranks_per_node : int
        Ranks in a row on each node; with 1 the placement stays as it is.

    Raises
    ------
    UsageError
        If the placement has counts of its own, or none can be added to it.

    Examples
    --------
    >>> with_ranks_per_node("row", 4), with_ranks_per_node("0,2", 2), with_ranks_per_node("2x2", 1)
    ('row:4', '0:2,2:2', '2x2')
    """
    if ranks_per_node == 1:
        return placement
    if placement in _PAIRS or placement.startswith("@") or ":" in placement:
        raise UsageError(
            f"placement {shown(placement)} takes no number of ranks per node",
            "leave one of both out",
        )
    counted = [f"{form.strip()}:{ranks_per_node}" for form in placement.split(",")]
    return ",".join(counted)


def is_random(placement: str) -> bool:
    """Return whether the seed places the ranks."""
    return _counted(placement)[0] == RANDOM


def _counted(placement: str) -> tuple[str, int]:
    """Return a placement without its count of ranks per node, and the count; a list of nodes has
    counts of its own.
    """
    counted = _COUNTED.fullmatch(placement)
    if counted is None or not (counted[1] in (IN_ORDER, RANDOM) or _BLOCK.fullmatch(counted[1])):
        return placement, 1
    return counted[1], _count(counted[2], placement)


def _count(text: str, placement: str) -> int:
    """Return a number of ranks on a node."""
    if not 1 <= int(text) <= _MOST_PER_NODE:
        raise UsageError(
            f"placement {shown(placement)} puts {int(text)} ranks on a node",
            f"put from 1 to {_MOST_PER_NODE} there",
        )
    return int(text)


def background_nodes(network: Network, taken: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the nodes of background ranks: the front end, then every idle compute node.

    Parameters
    ----------
    network : Network
        The cluster.
    taken : ndarray, shape (n_ranks,)
        Nodes of the other ranks.

    Raises
    ------
    UsageError
        If there is no front end, or other ranks share nodes.
    """
    if len(np.unique(taken)) < len(taken):
        raise UsageError(
            "background traffic runs beside one rank per node",
            "place one rank on a node, or leave out the background",
        )
    if network.front_end is None:
        raise UsageError(
            f"design '{network.name}' has no front end, which background traffic needs",
            "give the design front_end: true, or leave out the background",
        )
    left = np.setdiff1d(np.arange(network.n_compute), taken)
    return np.append(network.front_end, left).astype(np.uint32)


def _nodes(placement: str, network: Network, n_ranks: int, seed: int) -> list[int]:
    if placement == IN_ORDER:
        return list(range(network.n_compute))
    if placement == RANDOM:
        generator = np.random.default_rng([_PURPOSE, seed])
        shuffled: list[int] = generator.permutation(network.n_compute).tolist()
        return shuffled
    if placement in _PAIRS:
        return _paired(placement, network, n_ranks)
    if _BLOCK.fullmatch(placement):
        return _block(tuple(int(side) for side in placement.split("x")), network)
    return _listed(_texts(placement), placement, network)


def _block(sides: tuple[int, ...], network: Network) -> list[int]:
    """Return the nodes of the corner of a grid, row by row."""
    shape = network.shape
    if len(sides) != len(shape) or any(a > b for a, b in zip(sides, shape, strict=True)):
        grid = "x".join(map(str, shape)) or "no grid"
        raise UsageError(
            f"there is no block {'x'.join(map(str, sides))} in design '{network.name}' ({grid})",
            "choose a block with as many sides as the grid and none longer, or name the nodes",
        )
    if math.prod(shape) != network.n_compute:
        raise UsageError(
            f"the grid of design '{network.name}' has more than one node at a position",
            "name the nodes: --placement 0,1,4,5",
        )
    places = itertools.product(*(range(side) for side in sides))
    return [int(np.ravel_multi_index(place, shape)) for place in places]


def _paired(placement: str, network: Network, n_ranks: int) -> list[int]:
    """Return the nodes of all pairs, one pair after the other."""
    choose, what = _PAIRS[placement]
    pairs = choose(network, (n_ranks + 1) // 2)
    if 2 * len(pairs) < n_ranks:
        raise UsageError(
            f"placement {shown(placement)}: {n_ranks} ranks need {(n_ranks + 1) // 2} pairs of "
            f"nodes {what}, design '{network.name}' has {len(pairs)}",
            "run fewer pairs, or name the nodes: --placement 0,1,4,5",
        )
    return [node for pair in pairs for node in pair]


def _texts(placement: str) -> list[str]:
    if not placement.startswith("@"):
        return placement.split(",")
    hint = "name a file of nodes, one per line"
    lines = read_text(placement[1:], "", most_bytes=_MOST_BYTES, hint=hint).splitlines()
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _listed(texts: list[str], placement: str, network: Network) -> list[int]:
    names = {name: node for node, name in enumerate(network.device_names[: network.n_compute])}
    return [node for text in texts for node in _nodes_of(text.strip(), names, placement)]


def _nodes_of(text: str, names: dict[str, int], placement: str) -> list[int]:
    """Return a node as often as ranks run there."""
    counted = _COUNTED.fullmatch(text)
    if counted is None:
        return [_node(text, names, placement)]
    return [_node(counted[1], names, placement)] * _count(counted[2], placement)


def _node(text: str, names: dict[str, int], placement: str) -> int:
    node = int(text) if _NUMBER.fullmatch(text) else names.get(text, -1)
    if not 0 <= node < len(names):
        near = nearest_name(text, [IN_ORDER, RANDOM, *_PAIRS, *names])
        offer = f"did you mean '{near}'? " if near else ""
        raise UsageError(
            f"placement {shown(placement)}: there is no compute node {shown(text)}",
            f"{offer}nodes count from 0 to {len(names) - 1}, or go by name; else write {GRAMMAR}",
        )
    return node
