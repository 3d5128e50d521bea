"""All mappings of one graph onto another: their number is that of the graph's symmetries."""

from __future__ import annotations

from linkwright.adoption.isomorphism import Graph, Vertex, isomorphisms


def ring(n: int) -> Graph:
    def vertex(number: int) -> Vertex:
        return "node", number % n

    return {vertex(k): {vertex(k - 1): 1, vertex(k + 1): 1} for k in range(n)}


def mappings(n: int, fixed: dict[int, int]) -> list[dict[Vertex, Vertex]]:
    of = {("node", a): ("node", b) for a, b in fixed.items()}
    return list(isomorphisms(ring(n), ring(n), preferred={}, fixed=of))


def test_a_ring_has_its_turns_and_their_mirror_images() -> None:
    found = mappings(5, {})
    assert len(found) == 10
    assert len({tuple(sorted(one.items())) for one in found}) == 10
    for one in found:
        assert all(
            one[neighbour] in ring(5)[one[vertex]]
            for vertex, near in ring(5).items()
            for neighbour in near
        )


def test_fixed_vertices_leave_those_that_fit() -> None:
    assert len(mappings(6, {0: 0})) == 2
    assert len(mappings(6, {0: 0, 1: 5})) == 1
    assert mappings(6, {0: 0, 1: 3}) == []


def test_graphs_that_differ_have_none() -> None:
    assert list(isomorphisms(ring(5), ring(6), preferred={}, fixed={})) == []
