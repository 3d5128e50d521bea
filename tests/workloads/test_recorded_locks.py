"""Locks of one-sided operations: which ranks wait for which, as a run plays them.

That the recorder writes such rows is tested in tests/live.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import linkwright
from linkwright import engines
from linkwright.workloads import Recording

EXCLUSIVE, SHARED, UNLOCK = (1 << 30) - 7, (1 << 30) - 8, (1 << 30) - 9
REQUEST, REPLY = (1 << 30) - 3, (1 << 30) - 4
HEAD = (
    "# linkwright recording 2, rank {rank} of {n}\n# run 7\n"
    "# communicator 0 of -1 by 0: {all}\n# communicator 1 of -1 by 0: {rank}\n"
)
WINDOW = "# communicator {} of 0 by 0: {}\n"


def asked(tag: int, window: int) -> str:
    """Return the rows of a request to rank 0 that waits for the reply."""
    return f"2 0 0 {tag} 1 0 {window}\n3 0 0 {REPLY} 1 0 0\n22 0 0 0 1 0 0\n"


def held(kind: int, *, compute_s: float = 0.1, window: int = 2) -> str:
    """Return the rows of a lock at rank 0, a computation and a put under it, and its end."""
    put = f"2 0 8 {REQUEST} 1 {round(compute_s * 1e9)} 0\n"
    return asked(kind, window) + put + asked(UNLOCK, window)


def time_s(folder: Path, *callers: str, engine: str = "flow") -> float:
    """Return the time of ranks that make these rows, with two windows, beside a rank 0 that only
    waits.
    """
    n = len(callers) + 1
    ranks = " ".join(map(str, range(n)))
    for rank, text in enumerate(["", *callers]):
        head = HEAD.format(rank=rank, n=n, all=ranks) + WINDOW.format(2, ranks)
        head += WINDOW.format(3, ranks)
        body = f"{head}{text}12 0 0 0 0 0 0\n# end\n"
        (folder / f"rank-{rank}.txt").write_text(body, encoding="utf-8")
    design = linkwright.Cluster.parse(f"{{name: t, topology: {{kind: switch, nodes: {n}}}}}")
    result = engines.run(
        linkwright.compile(design),
        Recording(folder=str(folder)),
        engine=engine,
        calibration="ideal-reno",
    )
    return result.filter(metric="time").values()[0]


@pytest.mark.parametrize("engine", ["analytic", "flow", "packet"])
@pytest.mark.parametrize(
    ("kinds", "n_turns"),
    [
        ((EXCLUSIVE, EXCLUSIVE, EXCLUSIVE), 3),
        ((SHARED, SHARED, SHARED), 1),
        ((EXCLUSIVE, SHARED, SHARED), 2),
        ((SHARED, EXCLUSIVE), 2),
    ],
)
def test_exclusive_locks_exclude_and_shared_ones_do_not(
    tmp_path: Path, kinds: tuple[int, ...], n_turns: int, engine: str
) -> None:
    found_s = time_s(tmp_path, *(held(kind) for kind in kinds), engine=engine)
    assert found_s == pytest.approx(0.1 * n_turns, rel=0.01)


def test_locks_of_two_windows_do_not_exclude_each_other(tmp_path: Path) -> None:
    found_s = time_s(tmp_path, held(EXCLUSIVE), held(EXCLUSIVE, window=3))
    assert found_s == pytest.approx(0.1, rel=0.01)


def test_a_window_is_known_by_its_ranks_and_not_by_its_number(tmp_path: Path) -> None:
    """The second rank has a communicator of its own before the windows."""
    of_itself = "# communicator 9 of 1 by 0: 2\n"
    found_s = time_s(tmp_path, held(EXCLUSIVE), of_itself + held(EXCLUSIVE))
    assert found_s == pytest.approx(0.2, rel=0.01)


def test_locks_are_granted_in_the_order_in_which_they_are_asked_for(tmp_path: Path) -> None:
    """A shared lock that is asked for behind an exclusive one does not pass it: the rank that asks
    for the exclusive one has it after 0.1 s, computes 0.1 s and then 0.3 s without.
    """
    late, later = "5 0 0 0 0 10000000 0\n", "5 0 0 0 0 20000000 0\n"
    found_s = time_s(
        tmp_path,
        held(SHARED),
        late + held(EXCLUSIVE) + "5 0 0 0 0 300000000 0\n",
        later + held(SHARED, compute_s=0.4),
    )
    assert found_s == pytest.approx(0.6, rel=0.01)


def test_a_rank_takes_both_kinds_of_locks_in_turn(tmp_path: Path) -> None:
    both = held(SHARED) + held(EXCLUSIVE) + held(SHARED)
    found_s = time_s(tmp_path, both, both)
    assert 0.4 - 1e-3 < found_s < 0.6
