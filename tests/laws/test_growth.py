"""Law of P-Mesh addressing: a mesh that grows within `grow_to` keeps every address it has.

NICs count from the last axis, and an axis of one node has none: where such an axis grows, the NICs
of the axes before it get a higher number, and keep their addresses. Elsewhere numbers stay too.
"""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plan.networks import NO_SLOT_LIMIT, network

from linkwright.design.addressing import Interface

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
