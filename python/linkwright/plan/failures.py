"""Possible failures, as parts are racked: each is a name and the set of parts that fail together.

The parts are cables, NICs in use, hubs and switches as boxes (a chassis with all its logical
switches, one unit of a stack), and nodes. A failed box takes the carrier of every cable plugged
into it away, so a box is the set of those cables; empty boxes lose nothing and are not counted.
Names are those of the plan's tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwright.design.names import plugged_cable_names
from linkwright.errors import UsageError, shown, unknown_name
from linkwright.faults.parts import PART_KINDS
from linkwright.network import NODE
from linkwright.plan.units import RackedUnits

if TYPE_CHECKING:
    from linkwright.network import Network

NUMBERS = ("single", "pairs")
"""Numbers of parts that fail at once."""
MOST_FAILURES = 200_000
"""Largest number of failures of one proof."""

CABLE, PORT, DEVICE = 0, 1, 2
"""Codes of parts in the compiled core, where ports are numbered over all devices."""


@dataclass(frozen=True)
class Failure:
    """Parts that fail together.

    Attributes
    ----------
    kind : str
        One of `PART_KINDS`; two of them joined by "and" for a pair of different kinds.
    name : str
        The part's name, or both.
    parts : tuple of (int, int)
        Code and id of each failed part.
    """

    kind: str
    name: str
    parts: tuple[tuple[int, int], ...]


class FailureColumns(NamedTuple):
    """Failures as the compiled core takes them: the parts of failure i are those from `start[i]` to
    `start[i + 1]`.
    """

    start: NDArray[np.uint32]
    part_kind: NDArray[np.uint8]
    part_id: NDArray[np.uint32]


def failures_of(network: Network, which: str) -> list[Failure]:
    """Return the failures that a word selects.

    Parameters
    ----------
    network : Network
        The compiled network.
    which : str
        "single" or "pairs", optionally with a colon and the only kind of part that fails. Pairs of
        all kinds leave NICs out: a failed NIC has the effect of its cut cable.

    Raises
    ------
    UsageError
        If the word is unknown, no part of the kind is in use, or there are too many pairs.
    """
    number, colon, kind = which.partition(":")
    if number not in NUMBERS:
        known = (*NUMBERS, "none")
        raise UsageError(f"there are no failures {shown(which)}", unknown_name(number, known))
    if colon and kind not in PART_KINDS:
        raise UsageError(
            f"{shown(which)}: there is no kind of part {shown(kind)}",
            unknown_name(kind, PART_KINDS),
        )
    single = [one for each in ([kind] if kind else PART_KINDS) for one in _named(network, each)]
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


def single_failures(
    network: Network, kind: str, *, among: NDArray[np.bool_] | None = None
) -> FailureColumns:
    """Return the single failures of one kind of part, without names.

    Parameters
    ----------
    network : Network
        The compiled network.
    kind : str
        One of `PART_KINDS`.
    among : ndarray of bool, shape (n_nodes,), optional
        The nodes whose NICs count. Default: all.
    """
    if kind == "cable":
        return _one_each(CABLE, np.arange(len(network.wiring.cable_a)))
    if kind == "nic":
        ends = _nics(network)
        ends = ends if among is None else ends[among[ends[:, 0]]]
        return _one_each(PORT, network.port_ids(ends))
    if kind == "node":
        return _one_each(DEVICE, wired_nodes(network))
    unit, cable = _plugged(network, kind)
    return FailureColumns(
        start=np.append(np.unique(unit, return_index=True)[1], len(unit)).astype(np.uint32),
        part_kind=np.full(len(cable), CABLE, dtype=np.uint8),
        part_id=cable.astype(np.uint32),
    )


def together(tried: Sequence[FailureColumns]) -> FailureColumns:
    """Return several columns of failures as one, one after the other."""
    before = np.cumsum([0, *(len(one.part_id) for one in tried)], dtype=np.uint32)
    starts = [one.start[:-1] + first for one, first in zip(tried, before[:-1], strict=True)]
    return FailureColumns(
        start=np.concatenate([*starts, before[-1:]]),
        part_kind=np.concatenate([one.part_kind for one in tried]),
        part_id=np.concatenate([one.part_id for one in tried]),
    )


def _one_each(code: int, ids: NDArray[np.integer[Any]]) -> FailureColumns:
    """Return failures of one part each."""
    return FailureColumns(
        start=np.arange(len(ids) + 1, dtype=np.uint32),
        part_kind=np.full(len(ids), code, dtype=np.uint8),
        part_id=ids.astype(np.uint32),
    )


def _named(network: Network, kind: str) -> Iterator[Failure]:
    """Yield the single failures of one kind of part."""
    start, codes, ids = (column.tolist() for column in single_failures(network, kind))
    for index, name in enumerate(_names(network, kind)):
        parts = slice(start[index], start[index + 1])
        yield Failure(kind, name, tuple(zip(codes[parts], ids[parts], strict=True)))


def _names(network: Network, kind: str) -> Sequence[str]:
    """Return the names of the single failures of one kind of part."""
    if kind == "cable":
        return plugged_cable_names(network.wiring)
    if kind == "nic":
        return [
            f"{network.device_names[node]}:{network.port_name(node, port)}"
            for node, port in _nics(network).tolist()
        ]
    if kind == "node":
        return [network.device_names[node] for node in wired_nodes(network).tolist()]
    units = RackedUnits.of(network).units
    return [units[index].name for index in np.unique(_plugged(network, kind)[0]).tolist()]


def _plugged(network: Network, kind: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the boxes of a kind that have cables, and these cables, by box and cable."""
    racked = RackedUnits.of(network)
    is_wanted = np.array([unit.kind == kind for unit in racked.units], dtype=np.bool_)
    cable, end = np.nonzero(racked.end_unit >= 0)
    unit = racked.end_unit[cable, end]
    found = np.unique(np.stack([unit, cable], axis=1)[is_wanted[unit]], axis=0)
    return found[:, 0], found[:, 1]


def _nics(network: Network) -> NDArray[np.int64]:
    """Return the NICs in use, as nodes and their ports, in order."""
    ends = np.concatenate([network.wiring.cable_a, network.wiring.cable_b]).astype(np.int64)
    return np.unique(ends[network.wiring.kind[ends[:, 0]] == NODE], axis=0)


def wired_nodes(network: Network) -> NDArray[np.int64]:
    """Return the nodes that have a cable, in order; failures of other nodes have no effect."""
    ends = np.concatenate([network.wiring.cable_a[:, 0], network.wiring.cable_b[:, 0]])
    return np.unique(ends[network.wiring.kind[ends] == NODE]).astype(np.int64)


def _both(one: Failure, other: Failure) -> Failure:
    kind = one.kind if one.kind == other.kind else f"{one.kind} and {other.kind}"
    return Failure(kind, f"{one.name} and {other.name}", one.parts + other.parts)
