"""Recordings: rows of a rank as steps, collectives where all enter them, and what is refused.

That the recorder writes such rows is tested in tests/live.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import linkwright
from linkwright import engines
from linkwright.errors import RunError, UsageError
from linkwright.program import compile_program
from linkwright.workloads import Goal, Recording
from linkwright.workloads.steps import ANY_RANK, ANY_TAG, EVERY_RANK, StepKind

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
        ("rank-1.txt", "# end\n", "", "rank 1 of the program did not reach MPI_Finalize"),
        (
            "rank-1.txt",
            "# end\n",
            "! MPI_Put, 3 times\n# takes no time: MPI_Comm_dup, 1 time\n! MPI_Get, 1 time\n# end\n",
            "rank 1 of the program calls MPI_Put, 3 times; MPI_Get, 1 time, which is not recorded",
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


HEAD = "# linkwright recording 2, rank {rank} of {n}\n# run 7\n"
WORLD = "# communicator 0 of -1 by 0: 0 1\n# communicator 1 of -1 by 0: {rank}\n"


def written(folder: Path, *ranks: str) -> Recording:
    """Return the recording whose ranks have these rows and definitions."""
    for rank, text in enumerate(ranks):
        head = (HEAD + WORLD).format(rank=rank, n=len(ranks))
        (folder / f"rank-{rank}.txt").write_text(f"{head}{text}# end\n", encoding="utf-8")
    return Recording(folder=str(folder))


def test_equal_tags_of_two_communicators_become_different(tmp_path: Path) -> None:
    """The second rank makes them under other numbers, and between two sides."""
    same = "# communicator {} of 0 by 0: 0 1\n"
    sides = "# communicator {} of -1 by 8: {} / {}\n"
    steps = written(
        tmp_path,
        same.format(2) + sides.format(3, 0, 1) + "0 1 8 5 0 0 0\n0 1 8 5 0 0 2\n0 1 8 5 0 0 3\n"
        "0 1 8 6 0 0 2\n",
        sides.format(2, 1, 0) + same.format(3) + "1 0 0 5 0 0 3\n1 0 0 -1 6 0 2\n1 0 0 5 0 0 0\n"
        "1 0 0 6 0 0 3\n",
    ).recorded_steps()
    world, duplicate, between, only = steps.tag[steps.rank == 0].tolist()
    assert (world, only) == (5, 6)
    assert len({world, duplicate, between, only}) == 4
    assert steps.tag[steps.rank == 1].tolist() == [duplicate, between, world, only]
    assert not steps.number.any()


def test_a_deadlock_names_the_tags_and_communicators_of_the_program(tmp_path: Path) -> None:
    """Each rank waits for a message that the other sends in another communicator."""
    same = "# communicator 2 of 0 by 0: 0 1\n"
    given = written(
        tmp_path,
        f"{same}1 1 0 5 0 0 2\n0 1 8 5 0 0 0\n",
        f"{same}1 0 0 5 0 0 0\n0 0 8 5 0 0 2\n",
    )
    network = linkwright.compile(
        linkwright.Cluster.parse("{name: test, topology: {kind: switch, nodes: 2}}")
    )
    with pytest.raises(RunError) as error:
        engines.run(network, given, engine="analytic")
    assert error.value.message == (
        "2 ranks wait forever: rank 0 in operation 1 (a receive from rank 1, tag 5 of communicator "
        "2 (ranks 0, 1)), rank 1 in operation 1 (a receive from rank 0, tag 5)"
    )


def test_receives_of_any_tag_stay_in_a_program_of_one_communicator(tmp_path: Path) -> None:
    steps = written(tmp_path, "0 1 8 5 0 0 0\n", "1 0 0 -1 6 0 0\n").recorded_steps()
    assert steps.tag.tolist() == [5, ANY_TAG]


@pytest.mark.parametrize("engine", ["packet", "flow", "analytic"])
def test_a_library_with_a_thread_progresses_while_its_rank_computes(
    tmp_path: Path, engine: str
) -> None:
    """Rank 1 answers rank 0 in a stream of its own, and computes 50 ms meanwhile."""
    asks = "0 1 8 5 0 0 0\n1 1 0 6 0 0 0\n"
    begins = "25 0 0 0 0 0 0\n24 -1 0 0 1 0 0\n26 0 0 0 0 0 0\n"
    answers = "1 0 0 5 0 0 0\n0 0 8 6 0 0 0\n25 0 0 0 1 0 0\n24 -1 0 0 0 0 0\n"
    given = written(tmp_path, asks, f"{begins}{answers}26 0 0 0 1 50000000 0\n")
    network = linkwright.compile(
        linkwright.Cluster.parse("{name: test, topology: {kind: switch, nodes: 2}}")
    )

    def times_s(progress: str) -> list[float]:
        workload = given.model_copy(update={"progress": progress})
        result = engines.run(network, workload, engine=engine, calibration="ideal-reno")
        return [result.filter(metric=name).values()[0] for name in ("time", "time_mean")]

    assert times_s("calls") == pytest.approx([0.05, 0.05], rel=0.01)
    assert times_s("thread") == pytest.approx([0.05, 0.025], rel=0.01)


def test_operations_that_never_took_place_are_computation(tmp_path: Path) -> None:
    steps = written(
        tmp_path,
        "2 1 8 5 1 0 0\n22 0 0 0 1 0 0\n3 1 0 5 1 4000 0\n99 0 0 0 1 1000 0\n",
        "1 0 0 5 0 0 0\n",
    ).recorded_steps()
    assert [StepKind(kind).name for kind in steps.kind] == [
        "START_SEND",
        "WAIT",
        "COMPUTE",
        "COMPUTE",
        "RECEIVE",
    ]
    assert steps.compute_s.tolist() == pytest.approx([0, 0, 4e-6, 1e-6, 0])


def test_targets_of_one_sided_operations_serve_their_callers(tmp_path: Path) -> None:
    """The caller puts 40 bytes and gets 56; the target answers in a stream of its own."""
    to, back = (1 << 30) - 3, (1 << 30) - 4
    steps = written(
        tmp_path,
        f"2 1 40 {to} 1 0 0\n2 1 0 {to} 1 0 0\n3 1 56 {back} 1 0 0\n22 0 0 0 1 0 0\n",
        "24 -1 0 0 3 0 0\n24 -1 0 0 0 0 0\n",
    ).recorded_steps()
    is_target = steps.rank == 1
    assert [StepKind(kind).name for kind in steps.kind[is_target]][2:] == [
        "STREAM",
        "RECEIVE",
        "RECEIVE",
        "SEND",
        "STREAM",
    ]
    assert steps.number[is_target].tolist() == [3, 0, 4, 0, 0, 0, 0]
    assert steps.size_bytes[is_target].tolist() == [0, 0, 0, 0, 0, 56, 0]
    assert steps.size_bytes[~is_target].tolist() == [40, 0, 0, 0]
    network = linkwright.compile(linkwright.Cluster.parse(SWITCH))
    result = engines.run(network, Recording(folder=str(tmp_path)), engine="packet")
    assert result.filter(metric="time").values()[0] > 0


REGIONS = (
    "# region 0: solve\n6 0 0 0 1 0 0\n6 1 1000 0 0 0 0\n5 0 0 0 0 5000 0\n6 2 7000 0 0 0 0\n"
    "6 1 8000 0 0 0 0\n6 2 9000 0 0 {} 0\n6 0 9500 0 2 0 0\n"
)


@pytest.mark.parametrize(
    ("region", "time_s", "recorded_s"), [("solve", 6e-6, 7e-6), ("wtime:1-2", 6e-6, 9.5e-6)]
)
def test_a_region_is_measured_on_each_rank(
    tmp_path: Path, region: str, time_s: float, recorded_s: float
) -> None:
    """The second pass of the first rank lasts 1 us, the other rank has no such region."""
    recording = written(tmp_path, REGIONS.format(1000), "")
    recording = recording.model_copy(update={"region": region})
    network = linkwright.compile(linkwright.Cluster.parse(SWITCH))
    result = engines.run(network, recording, engine="packet")
    assert result.filter(metric="region_time").values() == pytest.approx([time_s], rel=1e-3)
    assert result.filter(metric="region_time_mean").values() == pytest.approx([time_s], rel=1e-3)
    assert result.filter(metric="region_time_recorded").values() == [recorded_s]


SWITCH = "{name: pair, topology: {kind: switch, nodes: 2}}"


@pytest.mark.parametrize(
    ("region", "text", "rule"),
    [
        ("sort", REGIONS.format(0), "no region 'sort'"),
        ("wtime:3-4", REGIONS.format(0), "no region 'wtime:3-4'"),
        ("wtime:2-3", REGIONS.format(0), "does not end as often as it begins on rank 0"),
        ("solve", REGIONS.format(0) + "6 1 0 0 0 0 0\n", "does not end as often as it begins"),
    ],
)
def test_a_region_that_is_not_there_is_refused(
    tmp_path: Path, region: str, text: str, rule: str
) -> None:
    recording = written(tmp_path, text, "").model_copy(update={"region": region})
    with pytest.raises(UsageError, match=rule) as error:
        recording.recorded_steps()
    assert error.value.hint


@pytest.mark.parametrize(
    ("head", "rule"),
    [
        (None, "is incomplete: rank 1 has no file"),
        ("# linkwright recording 2, rank 1 of 2\n# run 8\n", "ranks 0 and 1 are of different runs"),
        ("# linkwright recording 2, rank 1 of 3\n# run 7\n", "ranks 0 and 1 are of different runs"),
    ],
)
def test_an_incomplete_recording_is_refused(tmp_path: Path, head: str | None, rule: str) -> None:
    recording = written(tmp_path, "", "")
    file = tmp_path / "rank-1.txt"
    file.unlink() if head is None else file.write_text(f"{head}# end\n", encoding="utf-8")
    with pytest.raises(UsageError, match=rule) as error:
        recording.recorded_steps()
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


def test_collectives_of_communicators_are_those_of_their_groups(tmp_path: Path) -> None:
    """Ranks 2 and 0 gather at 2, rank 1 sees nothing of it, and all meet in between."""
    pair = "# communicator 2 of 0 by 0: 2 0\n"
    steps = written(
        tmp_path,
        f"{pair}15 2 8 0 0 5000 2\n12 0 0 0 0 0 0\n11 2 16 0 0 0 2\n",
        "12 0 0 0 0 7000 0\n",
        f"{pair}15 2 4 0 0 0 2\n12 0 0 0 0 0 0\n11 2 16 0 0 0 2\n",
    ).recorded_steps()
    columns = (steps.rank, steps.peer, steps.size_bytes, steps.number)
    assert [
        (StepKind(kind).name, *row)
        for kind, *row in zip(steps.kind, *(column.tolist() for column in columns), strict=True)
    ] == [
        ("MEMBER", 2, 0, 0, 1),
        ("MEMBER", 0, 0, 0, 1),
        ("COMPUTE", 0, 0, 0, 0),
        ("COMPUTE", 1, 0, 0, 0),
        ("GATHER", -2, 2, 8, 0),
        ("BARRIER", EVERY_RANK, 0, 0, 0),
        ("ALL_REDUCE", -2, 2, 16, 0),
    ]


def test_collectives_of_two_groups_come_in_the_order_of_every_rank(tmp_path: Path) -> None:
    """Ranks 0 and 1 meet before rank 1 meets rank 2, which is the first of its file."""
    left, right = "# communicator 2 of 0 by 0: 0 1\n", "# communicator 3 of 0 by 0: 1 2\n"
    other = right.replace("3", "2", 1)
    recording = written(
        tmp_path,
        f"{left}12 0 0 0 0 0 2\n",
        f"{left}{right}12 0 0 0 0 0 2\n12 1 0 0 0 0 3\n",
        f"{other}12 1 0 0 0 0 2\n",
    )
    steps = recording.recorded_steps()
    chosen = steps.kind == StepKind.BARRIER
    assert steps.rank[chosen].tolist() == [-2, -3]
    assert compile_program(recording, 3).n_operations == 4 + 2 * 3


@pytest.mark.parametrize(
    ("last", "rule"),
    [
        ("12 1 0 0 0 0 3\n12 0 0 0 0 0 2\n", "ranks wait for each other in collectives"),
        (
            "12 0 0 0 0 0 2\n",
            "ranks 1 and 2 do not enter the same collectives of the communicator of ranks 1, 2",
        ),
    ],
)
def test_ranks_that_differ_in_the_collectives_of_a_group_are_refused(
    tmp_path: Path, last: str, rule: str
) -> None:
    ring = [(0, 2), (0, 1), (1, 2)]
    heads = [
        "".join(
            f"# communicator {number} of 0 by 0: {a} {b}\n"
            for number, (a, b) in enumerate((pair for pair in ring if rank in pair), start=2)
        )
        for rank in range(3)
    ]
    recording = written(
        tmp_path,
        heads[0] + "12 0 0 0 0 0 2\n12 0 0 0 0 0 3\n",
        heads[1] + "12 0 0 0 0 0 2\n12 1 0 0 0 0 3\n",
        heads[2] + last,
    )
    with pytest.raises(UsageError, match=rule):
        recording.recorded_steps()
