"""Recordings: rows of a rank as steps, collectives where all enter them, and what is refused.

That the recorder writes such rows is tested in tests/live.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from linkwright.errors import UsageError
from linkwright.workloads import Goal, Recording
from linkwright.workloads.steps import ANY_RANK, EVERY_RANK, StepKind

PAIR = Path(str(Recording.examples[0]["folder"]))


def test_rows_become_steps() -> None:
    steps = Recording(folder=str(PAIR), compute_factor=2.0).steps(2)
    names = [StepKind(kind).name for kind in steps.kind]
    rows = list(zip(steps.rank.tolist(), names, strict=True))
    assert rows == [
        (EVERY_RANK, "MARK"),
        (0, "COMPUTE"),
        (EVERY_RANK, "BROADCAST"),
        (0, "COMPUTE"),
        (0, "START_RECEIVE"),
        (1, "COMPUTE"),
        (EVERY_RANK, "ALL_REDUCE"),
        (0, "COMPUTE"),
        (0, "SEND"),
        (0, "WAIT"),
        (0, "COMPUTE"),
        (1, "RECEIVE"),
        (1, "COMPUTE"),
        (1, "START_SEND"),
        (1, "WAIT"),
        (EVERY_RANK, "MARK"),
    ]
    assert steps.compute_s[steps.kind == StepKind.COMPUTE].tolist() == pytest.approx(
        [2e-6, 4e-6, 80e-6, 6e-6, 1e-6, 50e-6]
    )
    receive = names.index("RECEIVE")
    assert (steps.peer[receive], steps.tag[receive]) == (ANY_RANK, 1)
    assert steps.number[names.index("WAIT")] == steps.number[names.index("START_RECEIVE")] == 1


@pytest.mark.parametrize(
    ("file", "old", "new", "rule"),
    [
        ("rank-1.txt", "# end\n", "", "did not reach MPI_Finalize"),
        (
            "rank-1.txt",
            "# end\n",
            "! MPI_Put, 3 times\n# takes no time: MPI_Comm_dup, 1 time\n! MPI_Get, 1 time\n# end\n",
            "the program calls MPI_Put, 3 times; MPI_Get, 1 time, which is not recorded",
        ),
        ("rank-1.txt", "rank 1 of 2", "rank 0 of 2", "is not a recording of rank 1"),
        ("rank-0.txt", "11 0 8 0 0 0\n", "", "do not enter the same collectives"),
        ("rank-0.txt", "11 0 8 0 0 0\n", "11 0 8 0 0\n", "is damaged"),
    ],
)
def test_what_is_no_recording_is_refused(
    tmp_path: Path, file: str, old: str, new: str, rule: str
) -> None:
    folder = tmp_path / "pair"
    shutil.copytree(PAIR, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(UsageError, match=rule) as error:
        Recording(folder=str(folder)).steps(2)
    assert error.value.hint


@pytest.mark.parametrize(
    ("workload", "rule"),
    [
        (Recording(), "no folder is named"),
        (Recording(folder="nowhere"), "cannot be read"),
        (Goal(), "no GOAL file is named"),
        (Goal(file="nowhere.goal"), "cannot be read"),
    ],
)
def test_what_is_not_there_is_refused(workload: Goal | Recording, rule: str) -> None:
    with pytest.raises(UsageError, match=rule) as error:
        workload.n_ranks(4)
    assert "--set" in error.value.hint


def test_a_goal_file_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.goal"
    file.write_text("num_ranks 2\nrank 0 {\nsend 1b to 7\n}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"bad\.goal': line 3: 7 is no rank of 2"):
        Goal(file=str(file)).steps(2)


def test_a_trace_needs_a_node_for_each_rank(tmp_path: Path) -> None:
    file = tmp_path / "long.goal"
    file.write_text("/* three */ num_ranks 3\n", encoding="utf-8")
    with pytest.raises(UsageError, match="3 ranks were recorded, the cluster has 2 nodes"):
        Goal(file=str(file)).n_ranks(2)
