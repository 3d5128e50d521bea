"""The NICs of nodes: built-in ports first, then cards in slots, and the largest network that fits.

A second count, port by port and slot by slot, is the judge.
"""

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.design.wired import LIMITS, topology
from tests.kinds import examples

from linkwright.design.node_nics import Filled, fill, most_ports, nics_of_nodes
from linkwright.design.parts import (
    BuiltIn,
    NicPart,
    NodePart,
    Part,
    Slot,
    catalogue,
    catalogue_names,
)
from linkwright.design.topologies import Wiring

NOW = catalogue("ethernet-2026").parts
WIRINGS: dict[str, Wiring] = {}


def of_type(name: str, kind: type[Part]) -> list[Any]:
    return [part for part in catalogue(name).parts.values() if isinstance(part, kind)]


PAIRS = [
    pytest.param(node, nic, id=f"{name} {node.key} {nic.key}")
    for name in catalogue_names()
    for node in of_type(name, NodePart)
    for nic in of_type(name, NicPart)
]


def wirings() -> dict[str, Wiring]:
    """Return a wiring of every kind, and the same with a front end where it has a port."""
    if not WIRINGS:
        for name, fields in examples(most_nodes=9).items():
            kind, rest = fields["kind"], {k: v for k, v in fields.items() if k != "kind"}
            built = topology(kind, **rest)
            WIRINGS[name] = built.build(LIMITS)
            if kind != "fat-tree":
                WIRINGS[f"{name} fe"] = built.build(LIMITS, front_end=True)
    return WIRINGS


def ports_of(machine: NodePart, nic: NicPart) -> float:
    """Return the number of ports of a NIC that a machine can have, counted one by one."""
    own = 0
    for row in machine.built_in:
        same = row.nic.key == nic.key
        family = row.nic.connector == nic.connector is not None
        enough = row.nic.rate_mbps >= nic.rate_mbps and row.nic.mtu >= nic.mtu
        for _ in range(row.count * row.nic.ports):
            own += same or (family and enough)
    if machine.slots is None:
        return float("inf")
    for row in machine.slots:
        for _ in range(row.count):
            if row.bus == "any":
                own += nic.ports
            elif nic.bus != "none" and (row.bus or nic.bus) == (nic.bus or row.bus):
                length = row.size or row.lanes or 16
                own += nic.ports if (nic.lanes or 1) <= length else 0
    return own


@pytest.mark.parametrize(("machine", "nic"), PAIRS)
def test_every_kind_fits_up_to_the_ports_of_the_machine(machine: NodePart, nic: NicPart) -> None:
    most = ports_of(machine, nic)
    assert (most_ports(machine, nic) or 0) == (0 if most == float("inf") else most)
    for name, wiring in wirings().items():
        needed = wiring.nic_ports["nic"]
        groups = nics_of_nodes(wiring, {"node": machine, "nic": nic})
        computers = np.flatnonzero(~wiring.is_routed_switch).tolist()
        assert sorted(int(n) for one in groups for n in one.nodes) == computers, name
        for one in groups:
            n_ports = int(needed[one.nodes[0]])
            assert (needed[one.nodes] == n_ports).all(), name
            assert (one.filled.lack is not None) == (n_ports > most), name
            check_counts(one.filled, machine, {"nic": (nic, n_ports)})


@pytest.mark.parametrize(("machine", "nic"), PAIRS)
def test_the_most_ports_fit_and_one_more_does_not(machine: NodePart, nic: NicPart) -> None:
    most = most_ports(machine, nic)
    if most is None:
        assert fill(machine, {"nic": (nic, 100)}).lack is None
        return
    assert fill(machine, {"nic": (nic, most)}).lack is None
    lack = fill(machine, {"nic": (nic, most + 1)}).lack
    assert lack is not None
    assert (lack.needed, lack.n_missing) == (most + 1, 1)
    assert f"node 'n0' needs {most + 1} port" in lack.reason("n0")
    assert f"'{machine.key}' has " in lack.reason("n0")
    assert "choose " in lack.fix


def check_counts(filled: Filled, machine: NodePart, wanted: dict[str, tuple[NicPart, int]]) -> None:
    """Check that no port or slot is used twice, and that each wanted port has a place or is
    counted as missing.
    """
    for row in machine.built_in:
        used = sum(one.n_ports for one in filled.built_in if one.nic == row.nic)
        assert used <= sum(r.count * r.nic.ports for r in machine.built_in if r.nic == row.nic)
    for slot in machine.slots or ():
        taken = sum(card.slot == slot for card in filled.cards)
        assert taken <= sum(row.count for row in machine.slots or () if row == slot)
    for role, (nic, needed) in wanted.items():
        placed = sum(one.n_ports for one in filled.built_in if one.role == role)
        placed += sum(card.n_ports for card in filled.cards if card.role == role)
        assert placed <= needed
        assert placed == needed or filled.lack is not None
        assert all(1 <= card.n_ports <= nic.ports for card in filled.cards if card.role == role)
        assert all(one.nic.serves(nic) for one in filled.built_in if one.role == role)
        assert all(card.slot is None or card.slot.takes(card.nic) for card in filled.cards)


ORIGIN = {
    "name": "x",
    "price": 1.0,
    "currency": "USD",
    "date": dt.date(2026, 1, 1),
    "source": "x",
    "confidence": "given",
}


@st.composite
def nics(draw: st.DrawFn) -> NicPart:
    fields = {
        "ports": draw(st.integers(1, 3)),
        "rate_mbps": draw(st.sampled_from([1000.0, 10000.0])),
        "connector": draw(st.sampled_from(["rj45", "sfp", None])),
        "bus": draw(st.sampled_from(["pcie", "pci", "none", None])),
        "lanes": draw(st.sampled_from([None, 1, 8])),
    }
    return NicPart(key=draw(st.sampled_from("abcd")), **fields, **ORIGIN)


@st.composite
def machines(draw: st.DrawFn) -> NodePart:
    rows = draw(st.lists(st.builds(BuiltIn, nic=nics(), count=st.integers(1, 2)), max_size=2))
    slot = st.builds(
        Slot,
        count=st.integers(1, 2),
        bus=st.sampled_from(["pcie", "pci", "any", None]),
        lanes=st.sampled_from([None, 1, 16]),
    )
    slots = draw(st.none() | st.lists(slot, max_size=3))
    return NodePart(key="m", built_in=tuple(rows), slots=slots and tuple(slots), **ORIGIN)


@given(machines(), st.lists(st.tuples(nics(), st.integers(1, 5)), min_size=1, max_size=3))
def test_nothing_is_used_twice(machine: NodePart, demands: list[tuple[NicPart, int]]) -> None:
    wanted = {f"nic:{number}": demand for number, demand in enumerate(demands)}
    check_counts(fill(machine, wanted), machine, wanted)


@given(machines(), nics(), st.integers(1, 12))
def test_one_nic_fits_if_the_machine_has_its_ports(
    machine: NodePart, nic: NicPart, needed: int
) -> None:
    filled = fill(machine, {"nic": (nic, needed)})
    own = sum(row.count * row.nic.ports for row in machine.built_in if row.nic.serves(nic))
    assert (filled.lack is None) == (needed <= ports_of(machine, nic))
    assert sum(one.n_ports for one in filled.built_in) == min(own, needed)


def best(machine: NodePart, demands: list[tuple[NicPart, int]]) -> tuple[int, int]:
    """Return the fewest ports without a place and the fewest cards for them, of all divisions."""
    ports = [(row.nic, row.count * row.nic.ports) for row in machine.built_in]
    slots = [(row, row.count) for row in machine.slots or ()]

    def less(counts: tuple[int, ...], at: int) -> tuple[int, ...]:
        return tuple(count - (index == at) for index, count in enumerate(counts))

    @cache
    def of(
        number: int, left: int, ports_left: tuple[int, ...], slots_left: tuple[int, ...]
    ) -> tuple[int, int]:
        if left <= 0:
            if number + 1 == len(demands):
                return 0, 0
            return of(number + 1, demands[number + 1][1], ports_left, slots_left)
        nic = demands[number][0]
        missing, cards = of(number, left - 1, ports_left, slots_left)
        found = [(missing + 1, cards)]
        for at, (own, _) in enumerate(ports):
            if ports_left[at] and own.serves(nic):
                found.append(of(number, left - 1, less(ports_left, at), slots_left))
        after = [
            less(slots_left, at)
            for at, (slot, _) in enumerate(slots)
            if slots_left[at] and slot.takes(nic)
        ]
        for rest in [slots_left] if machine.slots is None else after:
            missing, cards = of(number, left - nic.ports, ports_left, rest)
            found.append((missing, cards + 1))
        return min(found)

    start = (tuple(count for _, count in ports), tuple(count for _, count in slots))
    return of(0, demands[0][1], *start)


@given(machines(), st.lists(st.tuples(nics(), st.integers(1, 4)), min_size=1, max_size=3))
def test_ports_and_slots_are_divided_at_best(
    machine: NodePart, demands: list[tuple[NicPart, int]]
) -> None:
    filled = fill(machine, {f"nic:{number}": demand for number, demand in enumerate(demands)})
    n_missing, n_cards = best(machine, demands)
    assert (filled.lack is None) == (n_missing == 0)
    assert n_missing or len(filled.cards) == n_cards


def test_a_card_leaves_the_slot_that_another_needs() -> None:
    """The long card names no bus and chooses last; a short one in the long slot gives way."""
    machine = NodePart(key="m", slots=(Slot(bus="pcie", lanes=16), Slot(lanes=1)), **ORIGIN)
    rates: Any = {"ports": 1, "rate_mbps": 1000.0, "connector": "rj45"}
    short = NicPart(key="short", bus="pcie", lanes=1, **rates, **ORIGIN)
    long = NicPart(key="long", lanes=16, **rates, **ORIGIN)
    filled = fill(machine, {"nic:short": (short, 1), "nic:long": (long, 1)})
    assert filled.lack is None
    assert [card.slot and card.slot.lanes for card in filled.cards] == [1, 16]


def test_each_nic_gets_its_own_port_before_another_takes_it() -> None:
    """A 2.5 GbE NIC could run on the 10 GbE port, which a faster one needs."""
    wanted = {
        "nic:nic-2-5g-onboard": (NOW["nic-2-5g-onboard"], 1),
        "nic:nic-10g-onboard": (NOW["nic-10g-onboard"], 1),
    }
    machine: Any = NOW["mini-workstation"]
    assert fill(machine, wanted).lack is None  # type: ignore[arg-type]


def test_built_in_ports_then_cards() -> None:
    machine: Any = NOW["mini-workstation"]
    nic: Any = NOW["nic-25g-dual"]
    filled = fill(machine, {"nic": (nic, 5)})
    assert [(one.nic.key, one.n_ports) for one in filled.built_in] == [("nic-25g-onboard", 2)]
    assert [card.n_ports for card in filled.cards] == [2]
    assert filled.lack is not None
    assert "has 2 built in and slots for 2 more" in filled.lack.reason("n0")
    assert [card.slot and card.slot.lanes for card in filled.cards] == [16], "x8 is too long for x4"


@pytest.mark.parametrize(
    ("machine", "nic", "needed", "words"),
    [
        ("dgx-spark", "nic-dgx-spark", 3, "has 2 built in and no free slot"),
        ("dgx-spark", "nic-dgx-spark-twins", 5, "has 2 built in and no free slot"),
        ("mini-pc-2-5g", "usb4", 3, "has 2 built in and no free slot"),
        ("mini-pc", "nic-10g", 1, "has none built in and no free slot"),
        ("desktop-pc", "usb4", 1, "has none built in and 3 slots, but this NIC is no card"),
        ("desktop-pc", "nic-10g", 4, "has slots for 3"),
    ],
)
def test_the_reason_counts_both(machine: str, nic: str, needed: int, words: str) -> None:
    node: Any = NOW[machine]
    wanted: Any = NOW[nic]
    lack = fill(node, {"nic": (wanted, needed)}).lack
    assert lack is not None
    assert words in lack.reason("n0")


@pytest.mark.parametrize(
    ("slot", "card", "rate_gbps"),
    [
        (Slot(lanes=16, generation=5), "nic-100g-dual", 126),
        (Slot(lanes=4, size=16, generation=4), "nic-25g-dual", 31.5),
        (Slot(lanes=16), "nic-25g-dual", None),
        (Slot(lanes=1, generation=1), "nic-1g", 2),
    ],
)
def test_the_rate_of_a_slot(slot: Slot, card: str, rate_gbps: float | None) -> None:
    nic: Any = NOW[card]
    found = slot.rate_bps(nic)
    assert (found is None) == (rate_gbps is None)
    assert found is None or found / 1e9 == pytest.approx(rate_gbps, rel=1e-3)
