"""Laws of growth: a shape that grows within `grow_to` keeps its addresses.

A P-Mesh keeps every address. Its NICs count from the last axis, and an axis of one node has none:
where such an axis grows, the NICs of the axes before it get a higher number, and keep their
addresses. Elsewhere numbers stay too.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plan.networks import NO_SLOT_LIMIT, network

from linkwright.design.addressing import Interface
from linkwright.errors import DesignError

SIDES = {1: 40, 2: 12, 3: 5, 4: 3}
"""The longest side to grow to, by the number of axes: a few hundred nodes."""


@st.composite
def growths(draw: st.DrawFn) -> tuple[list[int], list[int], int, bool]:
    """Return a shape, a larger one, the side that both may grow to, and whether IPv6 is in use."""
    n_axes = draw(st.integers(1, 4))
    grow_to = draw(st.integers(2, SIDES[n_axes]))
    large = draw(st.lists(st.integers(1, grow_to), min_size=n_axes, max_size=n_axes))
    small = [draw(st.integers(1, side)) for side in large]
    return small, large, grow_to, draw(st.booleans())


@settings(max_examples=60)
@given(growths().filter(lambda growth: math.prod(growth[0]) > 1))
def test_a_mesh_grows_without_renumbering(growth: tuple[list[int], list[int], int, bool]) -> None:
    small, large, grow_to, is_v6 = growth
    before = _interfaces(small, grow_to, is_v6=is_v6)
    after = _interfaces(large, grow_to, is_v6=is_v6)
    assert before.items() <= after.items()


def _interfaces(
    shape: list[int], grow_to: int, *, is_v6: bool
) -> dict[tuple[tuple[int, ...], int], Interface]:
    """Return the address of each NIC, by the place of its node and the axis it runs along."""
    addressing = {"grow_to": grow_to, **({"ipv6": True} if is_v6 else {})}
    built = network("p-mesh", shape=shape, sections={"addressing": addressing, **NO_SLOT_LIMIT})
    axes = [axis for axis in reversed(range(len(shape))) if shape[axis] > 1]
    places = built.wiring.coordinates[built.addresses.node].tolist()
    nics = built.addresses.port.tolist()
    keys = ((tuple(place), axes[nic]) for place, nic in zip(places, nics, strict=True))
    return dict(zip(keys, built.addresses.ip, strict=True))


@pytest.mark.parametrize("scheme", ["per-link", "coordinates"])
@pytest.mark.parametrize("kind", ["torus", "mesh", "hyperx"])
@settings(max_examples=20)
@given(
    growth=growths().filter(
        lambda growth: min(growth[0]) > 2 or len(growth[0]) == 1 < min(growth[0])
    )
)
def test_cables_and_nodes_that_stay_keep_their_addresses_and_names(
    kind: str, scheme: str, growth: tuple[list[int], list[int], int, bool]
) -> None:
    small, large, grow_to, is_v6 = growth
    addressing = {"scheme": scheme, "grow_to": grow_to, **({"ipv6": True} if is_v6 else {})}
    before, after = (_cables(kind, shape, addressing) for shape in (small, large))
    assert {key: before[key] for key in before.keys() & after.keys()}.items() <= after.items()
    nodes = {key: name for key, name in before.items() if isinstance(name, str)}
    assert nodes.items() <= after.items()


def _cables(kind: str, shape: list[int], addressing: dict[str, Any]) -> dict[Any, Any]:
    """Return addresses: of each cable by the places of its ends, of each node with its name."""
    sections = {"addressing": addressing, "names": "coordinates", **NO_SLOT_LIMIT}
    built = network(kind, shape=shape, sections=sections)
    place = [tuple(row) for row in built.wiring.coordinates.tolist()]
    addresses = built.addresses
    at = dict(
        zip(
            zip(addresses.node.tolist(), addresses.port.tolist(), strict=True),
            addresses.ip,
            strict=True,
        )
    )
    found: dict[Any, Any] = {}
    for a, b in zip(built.wiring.cable_a.tolist(), built.wiring.cable_b.tolist(), strict=True):
        ends = sorted([(place[a[0]], at[tuple(a)]), (place[b[0]], at[tuple(b)])])
        found[ends[0][0], ends[1][0]] = ends
    for node, identity in enumerate(addresses.identity.tolist()):
        found[place[node]] = f"{built.device_names[node]} {addresses.ip[identity]}"
    return found


def test_a_front_end_stays_too() -> None:
    sections = {"front_end": True, "addressing": {"grow_to": 4}}
    small, large = (network("mesh", shape=[2, side], sections=sections) for side in (2, 4))
    links = [
        [
            str(ip)
            for ip, node in zip(one.addresses.ip, one.addresses.node, strict=True)
            if node == fe
        ]
        for one, fe in ((small, small.front_end), (large, large.front_end))
    ]
    assert links[0] == links[1]
    assert len(links[0]) == 2


def test_a_shape_beyond_its_growth_is_refused() -> None:
    with pytest.raises(DesignError, match="set grow_to: 5 or more"):
        network("torus", shape=[5], sections={"addressing": {"grow_to": 4}})
