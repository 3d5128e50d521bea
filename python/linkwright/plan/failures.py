"""What can fail, as it is racked: each failure a name and the set of parts that die in it.

Cables, NICs in use, hubs and switches as boxes (a chassis with all its logical switches, one unit
of a stack), and nodes. Whatever box dies takes the carrier of every cable plugged into it away, so
a box is the set of those cables; empty boxes lose nothing and are not counted. Names are those of
the plan's tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwright.design.names import plugged_cable_names
from linkwright.errors import UsageError, shown, unknown_name
from linkwright.network import NODE
from linkwright.plan.units import RackedUnits

if TYPE_CHECKING:
    from linkwright.network import Network

KINDS = ("cable", "nic", "hub", "switch", "node")
"""Kinds of parts that fail, in the order in which they are shown."""
NUMBERS = ("single", "pairs")
"""How many parts fail at once."""
MOST_FAILURES = 200_000
"""The most failures of one proof."""

CABLE, PORT, DEVICE = 0, 1, 2
"""Codes of parts in the compiled core; ports count over all devices there."""


@dataclass(frozen=True)
class Failure:
    """Parts that fail together.

    Attributes
    ----------
    kind : str
        One of `KINDS`; two of them joined by "and" for a pair of different kinds.
    name : str
        The part's name, or both.
    parts : tuple of (int, int)
        Code and id of each part that dies.
    """

    kind: str
    name: str
    parts: tuple[tuple[int, int], ...]


class FailureColumns(NamedTuple):
    """Failures as the compiled core takes them: those of failure i are the parts from `start[i]` to
    `start[i + 1]`.
    """

    start: NDArray[np.uint32]
    part_kind: NDArray[np.uint8]
    part_id: NDArray[np.uint32]


def failures_of(network: Network, which: str) -> list[Failure]:
    """Return the failures that a word stands for.

    Parameters
    ----------
    network : Network
        The compiled network.
    which : str
        "single" or "pairs", and after a colon the one kind of part that fails, if not all. Pairs of
        all kinds leave NICs out: a dead NIC does what its cut cable does.

    Raises
    ------
    UsageError
        When the word is none of these, nothing of that kind is in use, or there are too many pairs.
    """
    number, colon, kind = which.partition(":")
    if number not in NUMBERS:
        known = (*NUMBERS, "none")
        raise UsageError(f"there are no failures {shown(which)}", unknown_name(number, known))
    if colon and kind not in KINDS:
        raise UsageError(
            f"{shown(which)}: there is no kind of part {shown(kind)}", unknown_name(kind, KINDS)
        )
    single = [one for one in _single(network) if not kind or one.kind == kind]
    if kind and not single:
        raise UsageError(
            f"{shown(which)}: '{network.name}' has no {kind} in use that could fail",
            "try another kind of part, or --failures single",
        )
    if number == "single":
        return single
    if not kind:
        single = [one for one in single if one.kind != "nic"]
    n_pairs = len(single) * (len(single) - 1) // 2
    if n_pairs > MOST_FAILURES:
        raise UsageError(
            f"{len(single)} parts make {n_pairs} pairs of failures, at most {MOST_FAILURES} are "
            "tried",
            "try the pairs of one kind of part, for example --failures pairs:switch",
        )
    return [_both(one, other) for one, other in combinations(single, 2)]


def columns(failures: Sequence[Failure]) -> FailureColumns:
    """Return failures as the compiled core takes them."""
    parts = np.array([part for one in failures for part in one.parts], dtype=np.uint32)
    parts = parts.reshape(-1, 2)
    ends = np.cumsum([len(one.parts) for one in failures], dtype=np.uint32)
    return FailureColumns(
        start=np.concatenate([np.zeros(1, dtype=np.uint32), ends]),
        part_kind=parts[:, 0].astype(np.uint8),
        part_id=np.ascontiguousarray(parts[:, 1]),
    )


def _single(network: Network) -> Iterator[Failure]:
    names, racked = plugged_cable_names(network.wiring), RackedUnits.of(network)
    for cable in range(len(network.wiring.cable_a)):
        yield Failure("cable", names[cable], ((CABLE, cable),))
    yield from _nics(network)
    boxes = [
        Failure(unit.kind, unit.name, tuple((CABLE, cable) for cable in plugged.tolist()))
        for index, unit in enumerate(racked.units)
        if len(plugged := np.flatnonzero((racked.end_unit == index).any(axis=1)))
    ]
    yield from sorted(boxes, key=lambda box: KINDS.index(box.kind))
    for node in wired_nodes(network).tolist():
        yield Failure("node", network.device_names[node], ((DEVICE, node),))


def _nics(network: Network) -> Iterator[Failure]:
    start = network.core.fabric.port_start
    ends = np.concatenate([network.wiring.cable_a, network.wiring.cable_b])
    for node, port in sorted(ends[network.wiring.kind[ends[:, 0]] == NODE].tolist()):
        name = f"{network.device_names[node]}:{network.port_name(node, port)}"
        yield Failure("nic", name, ((PORT, int(start[node]) + port),))


def wired_nodes(network: Network) -> NDArray[np.int64]:
    """Return the nodes that have a cable, in order; nothing is lost with the others."""
    ends = np.concatenate([network.wiring.cable_a[:, 0], network.wiring.cable_b[:, 0]])
    return np.unique(ends[network.wiring.kind[ends] == NODE]).astype(np.int64)


def _both(one: Failure, other: Failure) -> Failure:
    kind = one.kind if one.kind == other.kind else f"{one.kind} and {other.kind}"
    return Failure(kind, f"{one.name} and {other.name}", one.parts + other.parts)
