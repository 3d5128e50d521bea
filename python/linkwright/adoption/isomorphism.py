"""Mappings of one graph onto another that keep edges, their multiplicities and kinds of vertices.

Colours are refined until they separate all that neighbours of neighbours tell apart; then vertices
are placed one by one, each beside one that has its place. Regular networks need hardly a step
back. Vertices are tried in their order, so that equal graphs are mapped onto themselves first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence

__all__ = ["Graph", "Vertex", "isomorphisms"]

Vertex = tuple[str, Hashable]
"""Kind and name of a vertex."""
Graph = Mapping[Vertex, Mapping[Vertex, int]]
"""Neighbours of each vertex with the number of edges to each, in order."""
MOST_STEPS = 200_000
"""Placements that are tried; the search ends with them."""


def isomorphisms(
    first: Graph,
    second: Graph,
    *,
    preferred: Mapping[Vertex, Vertex],
    fixed: Mapping[Vertex, Vertex],
) -> Iterator[dict[Vertex, Vertex]]:
    """Yield mappings, each as the vertex of the second graph for each one of the first.

    Parameters
    ----------
    first, second : Graph
        Both graphs.
    preferred : mapping
        Vertices of the second graph to try first.
    fixed : mapping
        Vertices of the second graph that no other vertex of the first may have.
    """
    colours = _colours(first, second)
    if colours is not None:
        yield from _Search(first, second, colours, preferred, fixed).run()


def _colours(first: Graph, second: Graph) -> tuple[dict[Vertex, int], dict[Vertex, int]] | None:
    """Return colours, equal where vertices look alike; None if the graphs differ."""
    found = [{vertex: hash(vertex[0]) for vertex in graph} for graph in (first, second)]
    n_before = 0
    while True:
        names: dict[Hashable, int] = {}
        for index, graph in enumerate((first, second)):
            old = found[index]
            found[index] = {
                vertex: names.setdefault(
                    (old[vertex], tuple(sorted((old[one], n) for one, n in near.items()))),
                    len(names),
                )
                for vertex, near in graph.items()
            }
        if Counter(found[0].values()) != Counter(found[1].values()):
            return None
        if len(names) == n_before:
            return found[0], found[1]
        n_before = len(names)


class _Search:
    """The placement of vertices, in an order in which each has a placed neighbour."""

    def __init__(
        self,
        first: Graph,
        second: Graph,
        colours: tuple[dict[Vertex, int], dict[Vertex, int]],
        preferred: Mapping[Vertex, Vertex],
        fixed: Mapping[Vertex, Vertex],
    ) -> None:
        self.first, self.second = first, second
        self.colour, self.other = colours
        self.preferred = preferred
        self.fixed, self.reserved = fixed, set(fixed.values())
        self.order, self.parent = _breadth_first(first)
        self.place: dict[Vertex, Vertex] = {}
        self.taken: set[Vertex] = set()

    def run(self) -> Iterator[dict[Vertex, Vertex]]:
        """Yield the mappings."""
        choices = [self._candidates(self.order[0])]
        for _ in range(MOST_STEPS):
            target = next(choices[-1], None)
            vertex = self.order[len(choices) - 1]
            if target is None:
                choices.pop()
                if not choices:
                    return
                self.taken.discard(self.place.pop(self.order[len(choices) - 1]))
                continue
            self.place[vertex] = target
            if len(choices) == len(self.order):
                yield dict(self.place)
                del self.place[vertex]
                continue
            self.taken.add(target)
            choices.append(self._candidates(self.order[len(choices)]))

    def _candidates(self, vertex: Vertex) -> Iterator[Vertex]:
        parent = self.parent[vertex]
        near: Sequence[Vertex] = list(
            self.second if parent is None else self.second[self.place[parent]]
        )
        wanted = self.preferred.get(vertex)
        if wanted is not None and wanted in near:
            near = [wanted, *(one for one in near if one != wanted)]
        for target in near:
            if target not in self.taken and self._fits(vertex, target):
                yield target

    def _fits(self, vertex: Vertex, target: Vertex) -> bool:
        if self.colour[vertex] != self.other[target]:
            return False
        if self.fixed.get(vertex, target) != target:
            return False
        if target in self.reserved and vertex not in self.fixed:
            return False
        there = self.second[target]
        return all(
            there.get(self.place[one]) == n
            for one, n in self.first[vertex].items()
            if one in self.place
        )


def _breadth_first(graph: Graph) -> tuple[list[Vertex], dict[Vertex, Vertex | None]]:
    """Return the vertices so that each follows one of its neighbours, which is its parent."""
    parent: dict[Vertex, Vertex | None] = {}
    order: list[Vertex] = []
    for root in graph:
        if root in parent:
            continue
        parent[root] = None
        queue = [root]
        for vertex in queue:
            for one in graph[vertex]:
                if one not in parent:
                    parent[one] = vertex
                    queue.append(one)
        order += queue
    return order, parent
