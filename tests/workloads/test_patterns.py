"""Patterns of traffic: their pairs, by hand and by what has to hold.

How long they take and what they load is asked of the engines.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwright.errors import UsageError
from linkwright.workloads import (
    BitComplement,
    Incast,
    Neighbour,
    Pattern,
    Permutation,
    Shift,
    Uniform,
    parse_pattern,
)


def pairs(pattern: Pattern, n_ranks: int) -> list[tuple[int, int]]:
    source, destination = pattern.pairs(n_ranks)
    return list(zip(source.tolist(), destination.tolist(), strict=True))


def test_patterns_by_hand() -> None:
    assert pairs(Shift(k=-1), 3) == [(0, 2), (1, 0), (2, 1)]
    assert pairs(BitComplement(), 4) == [(0, 3), (1, 2), (2, 1), (3, 0)]
    assert pairs(BitComplement(), 3) == [(0, 2), (2, 0)]
    assert pairs(Incast(root=1), 3) == [(0, 1), (2, 1)]
    assert pairs(Uniform(), 3) == [(0, 1), (1, 2), (2, 0), (0, 2), (1, 0), (2, 1)]
    assert pairs(Neighbour(), 3) == [(0, 1), (1, 2), (2, 0), (0, 2), (1, 0), (2, 1)]
    assert pairs(Neighbour(wraps=False), 3) == [(0, 1), (1, 2), (1, 0), (2, 1)]
    assert pairs(Neighbour(shape=(2, 2)), 4) == [
        *[(0, 1), (1, 0), (2, 3), (3, 2)],
        *[(0, 2), (1, 3), (2, 0), (3, 1)],
    ]


@given(st.integers(2, 40), st.integers(0, 99))
def test_nobody_sends_to_itself_or_twice_to_the_same(n_ranks: int, seed: int) -> None:
    for pattern in (Uniform(), Permutation(seed=seed), Neighbour(), BitComplement(), Incast()):
        sent = pairs(pattern, n_ranks)
        assert all(source != destination for source, destination in sent)
        assert len(set(sent)) == len(sent)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.booleans())
def test_neighbours_are_mutual_and_differ_along_one_axis(shape: list[int], wraps: bool) -> None:
    n_ranks = int(np.prod(shape))
    sent = set(pairs(Neighbour(shape=tuple(shape), wraps=wraps), n_ranks))
    assert sent == {(destination, source) for source, destination in sent}
    for source, destination in sent:
        a, b = (np.array(np.unravel_index(rank, shape)) for rank in (source, destination))
        assert (a != b).sum() == 1
    degree = sum(min(side - 1, 2) if wraps else 0 for side in shape)
    assert not wraps or len(sent) == degree * n_ranks


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(UsageError, match="3 x 4 does not have 9 ranks"):
        Neighbour(shape=(3, 4)).n_ranks(9)
    with pytest.raises(UsageError, match="root is 5"):
        Incast(root=5).n_ranks(4)
    with pytest.raises(UsageError, match="seed 1 leaves each of 3 nodes in place"):
        Permutation(seed=1).n_ranks(3)
    with pytest.raises(UsageError, match="2000 nodes have"):
        Uniform().steps(2000)
    with pytest.raises(UsageError, match="unknown pattern 'tornado'"):
        parse_pattern("tornado")
