"""The NICs of the nodes: built-in ports in use, and cards to buy and the slots that they take.

Built-in ports come first, because they cost nothing. A port serves a NIC of the design if it is
the same part, or has the same connectors and at least its rate. The remaining ports are on cards,
each in a slot that takes it. Equal nodes are filled once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwright.design.parts import NicPart, NodePart, Part, Slot
from linkwright.design.topologies.wiring import Wiring
from linkwright.notebook import counted

__all__ = ["Card", "Filled", "InUse", "Lack", "NodeNics", "fill", "most_ports", "nics_of_nodes"]


@dataclass(frozen=True)
class InUse:
    """Built-in ports of one part that serve as a NIC of the design."""

    role: str
    """Role of the NIC in the design: nic, or nic with a key."""
    nic: NicPart
    """The part that the computer has."""
    n_ports: int


@dataclass(frozen=True)
class Card:
    """A card to buy, the number of its ports in use, and its slot."""

    role: str
    nic: NicPart
    n_ports: int
    slot: Slot | None
    """None if the slots of the computer are not known."""


@dataclass(frozen=True)
class Lack:
    """A computer with too few ports for a NIC of the design."""

    nic: NicPart
    machine: str
    """Key of the computer."""
    needed: int
    built_in: int
    """Built-in ports that serve."""
    on_cards: int
    """Ports of the cards that fit."""
    n_free_slots: int
    """Slots without a card, of which none takes one more."""

    @property
    def n_missing(self) -> int:
        """Number of ports without a place."""
        return self.needed - self.built_in - self.on_cards

    def reason(self, node: str, n_others: int = 0) -> str:
        """Return the needs of a node, and of others like it, and the ports of its computer."""
        need = f"and {n_others} more need" if n_others else "needs"
        return (
            f"node '{node}' {need} {counted(self.needed, 'port')} of '{self.nic.key}' "
            f"({_kind(self.nic)}), machine '{self.machine}' has {self.available}"
        )

    @property
    def available(self) -> str:
        """Return the ports that the computer has for the NIC."""
        if self.on_cards and not self.built_in:
            return self._slots
        return f"{self.built_in or 'none'} built in and {self._slots}"

    @property
    def fix(self) -> str:
        """Return the remedies."""
        most = self.built_in + self.on_cards
        fewer = f"a topology with at most {counted(most, 'port')} per node, or " if most else ""
        card = "" if self.nic.is_card or not self.n_free_slots else "a NIC that is a card, or "
        return f"choose {fewer}{card}another node under 'parts'"

    @property
    def _slots(self) -> str:
        if self.on_cards:
            return f"slots for {self.on_cards}{' more' if self.built_in else ''}"
        if not self.n_free_slots:
            return "no free slot"
        slots = counted(self.n_free_slots, "slot")
        if not self.nic.is_card:
            return f"{slots}, but this NIC is no card"
        return f"{slots} into which this card does not fit"


@dataclass(frozen=True)
class Filled:
    """The NICs of a node, in the order of its ports by role."""

    built_in: tuple[InUse, ...]
    cards: tuple[Card, ...]
    lack: Lack | None
    """The NIC of the design with the most missing ports, or None if all have a place."""

    def built_in_nics(self) -> Iterator[tuple[str, NicPart, int]]:
        """Yield the role, the part and the number of the built-in NICs in use."""
        for one in self.built_in:
            yield one.role, one.nic, one.nic.cards_for(one.n_ports)

    @property
    def n_nics(self) -> int:
        """Number of NICs in use, built in or on cards."""
        return len(self.cards) + sum(count for _, _, count in self.built_in_nics())


@dataclass(frozen=True)
class NodeNics:
    """Equal nodes and the NICs of each."""

    nodes: NDArray[np.int64]
    """Node ids, ascending."""
    machine: NodePart
    filled: Filled


def nics_of_nodes(wiring: Wiring, parts: Mapping[str, Part]) -> tuple[NodeNics, ...]:
    """Return the NICs of all nodes, equal nodes together, in the order of the first of each.

    Parameters
    ----------
    wiring : Wiring
        Devices and cables.
    parts : mapping of str to Part
        Part of each role in use.
    """
    ports = {role: counts for role, counts in wiring.nic_ports.items() if counts.any()}
    return tuple(
        _of_group(wiring, parts, nodes, {r: int(counts[nodes[0]]) for r, counts in ports.items()})
        for nodes in _equal_nodes(wiring, ports)
    )


def _equal_nodes(wiring: Wiring, ports: Mapping[str, NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """Return the nodes of each part and number of ports by role, by the first node of each."""
    computers = np.flatnonzero(~wiring.is_routed_switch)
    kind_of_node = wiring.part_role[computers].astype(np.int64)
    of_roles = [counts[computers] for counts in ports.values()]
    for counts in (np.zeros_like(kind_of_node), *of_roles):
        pairs = kind_of_node * (int(counts.max(initial=0)) + 1) + counts
        kind_of_node = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
    order = computers[np.argsort(kind_of_node, kind="stable")]
    groups = np.split(order, np.cumsum(np.bincount(kind_of_node))[:-1])
    return sorted(groups, key=lambda nodes: int(nodes[0]))


def _of_group(
    wiring: Wiring, parts: Mapping[str, Part], nodes: NDArray[np.int64], ports: Mapping[str, int]
) -> NodeNics:
    machine = parts[wiring.part_role_of(int(nodes[0]))]
    assert isinstance(machine, NodePart), "nodes have parts of nodes"
    wanted = {}
    for role, n_ports in ports.items():
        nic = parts[role]
        assert isinstance(nic, NicPart), "ports of nodes belong to NICs"
        if n_ports:
            wanted[role] = (nic, n_ports)
    return NodeNics(nodes, machine, fill(machine, wanted))


def fill(machine: NodePart, wanted: Mapping[str, tuple[NicPart, int]]) -> Filled:
    """Return the places of the ports that a node needs.

    Parameters
    ----------
    machine : NodePart
        The computer.
    wanted : mapping of str to (NicPart, int)
        Role -> NIC of the design and the number of its ports with a cable.

    Examples
    --------
    >>> from linkwright.design.parts import catalogue
    >>> parts = catalogue("ethernet-2026").parts
    >>> fill(parts["mini-pc"], {"nic": (parts["usb4"], 3)}).lack.n_missing
    1
    """
    free: Counter[NicPart] = Counter()
    for row in machine.built_in:
        free[row.nic] += row.count * row.nic.ports
    in_use = _from_built_in(wanted, free)
    n_built_in = {role: sum(one.n_ports for one in in_use if one.role == role) for role in wanted}
    cards, lacks = _on_cards(machine, wanted, n_built_in)
    return Filled(
        built_in=in_use,
        cards=tuple(card for role in wanted for card in cards[role]),
        lack=max(lacks, key=lambda one: one.n_missing, default=None),
    )


def most_ports(machine: NodePart, nic: NicPart) -> int | None:
    """Return the largest number of ports that a computer can have of a NIC; None without a limit.

    Examples
    --------
    >>> from linkwright.design.parts import catalogue
    >>> parts = catalogue("ethernet-2026").parts
    >>> most_ports(parts["dgx-spark"], parts["nic-dgx-spark"])
    2
    """
    if machine.slots is None:
        return None
    own = sum(row.count * row.nic.ports for row in machine.built_in if row.nic.serves(nic))
    return own + nic.ports * sum(row.count for row in machine.slots if row.takes(nic))


def _from_built_in(
    wanted: Mapping[str, tuple[NicPart, int]], free: Counter[NicPart]
) -> tuple[InUse, ...]:
    """Return the built-in ports that serve the NICs, and take them out of those that are free.

    Each NIC takes ports of its own part first. Of the others, NICs that are no cards choose before
    cards, fast ones before slow ones, and each takes the slowest port that serves it.
    """
    found: dict[tuple[str, NicPart], int] = {}
    left = {role: n_ports for role, (_, n_ports) in wanted.items()}

    def take(role: str, own: NicPart) -> None:
        n_taken = min(left[role], free[own])
        if n_taken:
            found[role, own] = n_taken
            left[role] -= n_taken
            free[own] -= n_taken

    for role, (nic, _) in wanted.items():
        for own in free:
            if own.key == nic.key:
                take(role, own)
    for role in sorted(wanted, key=lambda one: _urgency(wanted[one][0])):
        for own in sorted(free, key=lambda one: one.rate_mbps):
            if own.serves(wanted[role][0]):
                take(role, own)
    return tuple(
        InUse(role, own, found[role, own])
        for role in wanted
        for own in free
        if (role, own) in found
    )


def _urgency(nic: NicPart) -> tuple[bool, float]:
    return nic.is_card, -nic.rate_mbps


def _on_cards(
    machine: NodePart,
    wanted: Mapping[str, tuple[NicPart, int]],
    n_built_in: Mapping[str, int],
) -> tuple[dict[str, list[Card]], list[Lack]]:
    """Return the cards of each role, and the NICs for whose ports there are too few slots.

    The cards with the most lanes choose first, and those that name no bus last.
    """
    free = None if machine.slots is None else _free_slots(machine.slots)
    cards: dict[str, list[Card]] = {role: [] for role in wanted}
    lacks = []
    for role in sorted(wanted, key=lambda one: _needs(wanted[one][0])):
        nic, needed = wanted[role]
        left = needed - n_built_in[role]
        while left > 0 and (free is None or _best(free, nic)):
            slot = _taken(free, nic)
            cards[role].append(Card(role, nic, min(left, nic.ports), slot))
            left -= nic.ports
        if left > 0:
            n_free = sum((free or {}).values())
            on_cards = needed - n_built_in[role] - left
            lacks.append(Lack(nic, machine.key, needed, n_built_in[role], on_cards, n_free))
    return cards, lacks


def _free_slots(rows: Iterable[Slot]) -> Counter[Slot]:
    free: Counter[Slot] = Counter()
    for row in rows:
        free[row] += row.count
    return free


def _taken(free: Counter[Slot] | None, nic: NicPart) -> Slot | None:
    """Return the slot for a card, and take it out of those that are free."""
    slot = None if free is None else _best(free, nic)
    if free is not None and slot is not None:
        free[slot] -= 1
    return slot


def _needs(nic: NicPart) -> tuple[bool, int]:
    return nic.bus is None, -(nic.lanes or 0)


def _best(free: Mapping[Slot, int], nic: NicPart) -> Slot | None:
    """Return the free slot for a card: one for its bus alone, then the fastest."""
    fitting = [row for row, count in free.items() if count and row.takes(nic)]
    return max(fitting, key=lambda row: (row.bus == nic.bus, row.lanes or 0), default=None)


def _kind(nic: NicPart) -> str:
    rate = f"{nic.rate_mbps / 1000:g} Gb/s" if nic.rate_mbps >= 1000 else f"{nic.rate_mbps:g} Mb/s"
    return f"{nic.connector}, {rate}" if nic.connector else rate
