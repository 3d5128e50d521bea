"""The NICs of the nodes: built-in ports in use, and cards to buy and the slots that they take.

Built-in ports come first, because they cost nothing. A port serves a NIC of the design if it is
the same part, or has the same connectors and at least its rate. The remaining ports are on cards,
each in a slot that takes it. The division of ports and slots among the NICs of a node is the
one with the fewest ports without a place, then the cheapest. Equal nodes are filled once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from linkwright.design.matching import matched
from linkwright.design.parts import NicPart, NodePart, Part, Slot
from linkwright.design.rates import rate_text
from linkwright.design.topologies.wiring import Wiring
from linkwright.notebook import counted

__all__ = ["Card", "Filled", "InUse", "Lack", "NodeNics", "fill", "most_ports", "nics_of_nodes"]

Wanted = Mapping[str, tuple[NicPart, int]]
"""Role -> NIC of the design and the number of its ports with a cable."""

MOST_DIVISIONS = 2000
"""Divisions of built-in ports among cards that are tried at most."""


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


def fill(machine: NodePart, wanted: Wanted) -> Filled:
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
    tries = [_filled(machine, wanted, most) for most in _divisions(machine, wanted)]
    return min(tries, key=lambda one: (one.n_missing, one.cost)).filled


@dataclass(frozen=True)
class _Try:
    """The NICs of a node for one division of its built-in ports."""

    filled: Filled
    n_missing: int
    cost: float
    """Price of the cards."""


def _divisions(machine: NodePart, wanted: Wanted) -> Iterator[dict[str, int]]:
    """Yield the most built-in ports of each role, first as many as it needs.

    The others matter only where cards compete for a built-in port: the one that gets it may save a
    card, or a slot that alone takes the other.
    """
    needed = {role: n_ports for role, (_, n_ports) in wanted.items()}
    yield needed
    room = _built_in_ports(machine)
    serving = {
        role: {own for own in room if own.serves(nic)}
        for role, (nic, _) in wanted.items()
        if nic.is_card
    }
    most = {
        role: min(needed[role], sum(room[nic] for nic in own))
        for role, own in serving.items()
        if any(own & others for other, others in serving.items() if other != role)
    }
    if prod(n + 1 for n in most.values()) <= MOST_DIVISIONS:
        for numbers in product(*(range(n, -1, -1) for n in most.values())):
            yield needed | dict(zip(most, numbers, strict=True))


def _built_in_ports(machine: NodePart) -> Counter[NicPart]:
    room: Counter[NicPart] = Counter()
    for row in machine.built_in:
        room[row.nic] += row.count * row.nic.ports
    return room


def _filled(machine: NodePart, wanted: Wanted, most: Mapping[str, int]) -> _Try:
    in_use = _from_built_in(machine, wanted, most)
    n_built_in = {role: sum(one.n_ports for one in in_use if one.role == role) for role in wanted}
    cards, lacks = _on_cards(machine, wanted, n_built_in)
    filled = Filled(in_use, cards, max(lacks, key=lambda one: one.n_missing, default=None))
    n_missing = sum(one.n_missing for one in lacks)
    return _Try(filled, n_missing, sum(card.nic.price for card in cards))


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


def _from_built_in(machine: NodePart, wanted: Wanted, most: Mapping[str, int]) -> tuple[InUse, ...]:
    """Return the built-in ports that serve the NICs, up to the most of each role.

    Each NIC takes ports of its own part first. Of the others, NICs that are no cards choose before
    cards, fast ones before slow ones, and each takes the slowest port that serves it. None takes
    the last port that serves another if it has a choice.
    """
    room = _built_in_ports(machine)
    first, later = [], []
    for role in sorted(wanted, key=lambda one: _urgency(wanted[one][0])):
        nic = wanted[role][0]
        n_own = sum(count for own, count in room.items() if own.key == nic.key)
        first += [role] * min(n_own, most[role])
        later += [role] * max(0, most[role] - n_own)
    roles = first + later
    wishes = {role: _own_then_slow(room, nic) for role, (nic, _) in wanted.items()}
    places = matched([wishes[role] for role in roles], room)
    found = Counter(zip(roles, places, strict=True))
    return tuple(
        InUse(role, own, found[role, own])
        for role in wanted
        for own in room
        if (role, own) in found
    )


def _own_then_slow(room: Iterable[NicPart], nic: NicPart) -> list[NicPart]:
    """Return the built-in NICs that serve one, in the order in which it takes them."""
    return sorted(
        (own for own in room if own.serves(nic)),
        key=lambda own: (own.key != nic.key, own.rate_mbps),
    )


def _urgency(nic: NicPart) -> tuple[bool, float]:
    return nic.is_card, -nic.rate_mbps


def _on_cards(
    machine: NodePart, wanted: Wanted, n_built_in: Mapping[str, int]
) -> tuple[tuple[Card, ...], list[Lack]]:
    """Return the cards in the order of the roles, and the NICs for whose ports slots are missing.

    The cards with the most lanes choose first, and those that name no bus last.
    """
    left = {role: n_ports - n_built_in[role] for role, (_, n_ports) in wanted.items()}
    order = [
        role
        for role in sorted(wanted, key=lambda one: _needs(wanted[one][0]))
        for _ in range(wanted[role][0].cards_for(left[role]))
    ]
    slots = _slots_of(machine, [wanted[role][0] for role in order])
    cards: dict[str, list[Card]] = {role: [] for role in wanted}
    for role, slot in zip(order, slots, strict=True):
        if slot is None and machine.slots is not None:
            continue
        nic = wanted[role][0]
        cards[role].append(Card(role, nic, min(left[role], nic.ports), slot))
        left[role] -= cards[role][-1].n_ports
    n_free = sum(row.count for row in machine.slots or ()) - sum(map(len, cards.values()))
    lacks = []
    for role, (nic, needed) in wanted.items():
        if left[role]:
            on_cards = needed - n_built_in[role] - left[role]
            lacks.append(Lack(nic, machine.key, needed, n_built_in[role], on_cards, n_free))
    return tuple(card for role in wanted for card in cards[role]), lacks


def _slots_of(machine: NodePart, nics: Sequence[NicPart]) -> list[Slot | None]:
    """Return the slot of each card; None if it has none, or the slots are not known."""
    room: Counter[Slot] = Counter()
    for row in machine.slots or ():
        room[row] += row.count
    return matched([_preferred(room, nic) for nic in nics], room)


def _needs(nic: NicPart) -> tuple[bool, int]:
    return nic.bus is None, -(nic.lanes or 0)


def _preferred(slots: Iterable[Slot], nic: NicPart) -> list[Slot]:
    """Return the slots that take a card: those for its bus alone first, the fastest of each."""
    fitting = [slot for slot in slots if slot.takes(nic)]
    return sorted(fitting, key=lambda slot: (slot.bus == nic.bus, slot.lanes or 0), reverse=True)


def _kind(nic: NicPart) -> str:
    rate = rate_text(nic.rate_mbps)
    return f"{nic.connector}, {rate}" if nic.connector else rate
