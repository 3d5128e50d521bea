"""The fewest moves of plugs: equal to brute force on all small cablings, and in an order in which
they can be made.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

import pytest

from linkwright.as_built.moves import Joined, Move, Plug, assigned, is_exchange, moves_of

Cabling = tuple[tuple[int, int], ...]


def cablings(ports: tuple[int, ...]) -> Iterator[Cabling]:
    """Yield all sets of cables among ports, each port with one plug at most."""
    if len(ports) < 2:
        yield ()
        return
    first, rest = ports[0], ports[1:]
    yield from cablings(rest)
    for other in rest:
        for more in cablings(tuple(one for one in rest if one != other)):
            yield ((first, other), *more)


def joined(cables: Cabling, *, of_plan: bool) -> list[Joined]:
    """Return cables among ports, of which a node has two each."""
    plugs = [Plug(f"n{number // 2}", f"eth{number % 2}") for number in range(8)]
    return [
        Joined((plugs[a], plugs[b]), name=f"c{number}" if of_plan else "")
        for number, (a, b) in enumerate(cables)
    ]


def n_moves(found: Cabling, planned: Cabling) -> int:
    given = assigned(joined(found, of_plan=False), joined(planned, of_plan=True))
    return len(moves_of(given))


def fewest(found: Cabling, planned: Cabling) -> int:
    """Return the number of moves by trying all ways to give cables to planned ones."""
    if len(found) > len(planned):
        found, planned = planned, found
    return min(
        sum(2 - len({*a} & {*b}) for a, b in zip(found, chosen, strict=True))
        for chosen in permutations(planned, len(found))
    )


@pytest.mark.parametrize("n_ports", [4, 5, 6])
def test_moves_equal_brute_force(n_ports: int) -> None:
    every = list(cablings(tuple(range(n_ports))))
    for found in every:
        for planned in every:
            assert n_moves(found, planned) == fewest(found, planned), (found, planned)


def test_moves_equal_brute_force_with_four_cables() -> None:
    full = [one for one in cablings(tuple(range(8))) if len(one) == 4]
    planned = full[0]
    for found in full:
        assert n_moves(found, planned) == fewest(found, planned), found


def walked(found: Cabling, planned: Cabling) -> int:
    """Return the number of moves by walking through all places of all plugs."""
    few = min(len(found), len(planned))
    goals = {frozenset(map(frozenset, one)) for one in combinations(planned, few)}
    at = {tuple(port for cable in found for port in cable)}
    for n in range(9):
        for state in at:
            cables = {frozenset(state[i : i + 2]) for i in range(0, len(state), 2)}
            if any(goal <= cables for goal in goals):
                return n
        at = {(*s[:i], p, *s[i + 1 :]) for s in at for i in range(len(s)) for p in range(4)} | at
    raise AssertionError("no way")


def test_no_sequence_of_moves_is_shorter() -> None:
    every = list(cablings((0, 1, 2, 3)))
    for found in every:
        for planned in every:
            if len(found) <= len(planned):
                assert n_moves(found, planned) == walked(found, planned), (found, planned)


def after(moves: list[Move], found: Cabling) -> set[frozenset[tuple[str, str]]]:
    """Return the cables after moves, of which a circle has one plug in the hand."""
    cables = [[(end.node, end.port) for end in one.ends] for one in joined(found, of_plan=False)]
    held: tuple[list[tuple[str, str]], int, tuple[str, str]] | None = None
    for move in moves:
        source, target = move.leaves.key, move.enters.key
        cable = next(one for one in cables if source in one)
        side = cable.index(source)
        if any(target in one for one in cables):
            assert held is None, "one hand is enough"
            assert is_exchange(move, moves)
            cable[side] = ("hand", "")
            held = cable, side, target
            continue
        cable[side] = target
        if held is not None and not any(held[2] in one for one in cables):
            held[0][held[1]] = held[2]
            held = None
    return {frozenset(one) for one in cables}


def test_moves_can_be_made_in_their_order() -> None:
    every = [one for one in cablings(tuple(range(6))) if len(one) == 3]
    for found in every:
        for planned in every:
            given = assigned(joined(found, of_plan=False), joined(planned, of_plan=True))
            target = {
                frozenset((e.node, e.port) for e in one.ends)
                for one in joined(planned, of_plan=True)
            }
            assert after(moves_of(given), found) == target, (found, planned)


def test_ports_of_a_switch_are_interchangeable() -> None:
    def to(node: str, port: str, switch: str, name: str = "") -> Joined:
        return Joined((Plug(node, "eth0"), Plug(switch, port, switch)), name)

    planned = [
        to("n0", "p1", "sw0", "c0"),
        to("n1", "p2", "sw0", "c1"),
        to("n2", "p1", "sw1", "c2"),
    ]
    assert moves_of(assigned([to("n1", "", "sw0"), to("n0", "", "sw0")], planned)) == []
    found = [to("n0", "", "sw1"), to("n1", "", "sw0"), to("n2", "", "sw0")]
    assert len(moves_of(assigned(found, planned))) == 2


def test_cables_of_another_kind_do_not_help() -> None:
    a, b, c, d = (Plug(f"n{number}", "eth0") for number in range(4))
    given = assigned([Joined((a, b), kind="usb-c")], [Joined((c, d), "c0", "rj45")])
    assert [(one.found is None, one.planned is None) for one in given] == [
        (True, False),
        (False, True),
    ]
    assert moves_of(given) == []


def test_plugs_stay_at_their_machine_if_they_can() -> None:
    n0, n1, n2 = ([Plug(name, f"eth{port}") for port in (0, 1)] for name in ("n0", "n1", "n2"))
    planned = [Joined((n0[0], n1[1]), "c0"), Joined((n1[0], n2[1]), "c1")]
    moves = moves_of(assigned([Joined((n0[0], n1[0])), Joined((n1[1], n2[1]))], planned))
    assert [one.to_json() for one in moves] == [
        {"cable": cable, "node": "n1", "from_port": own, "to_port": other, "other_end": end}
        for cable, own, other, end in (
            ("c0", "eth0", "eth1", "n0:eth0"),
            ("c1", "eth1", "eth0", "n2:eth1"),
        )
    ]
