"""From workloads to compiled programs: sizes, names, and what is refused.

What the operations of a collective do is proved in crates/program/tests.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, get_args

import numpy as np
import pytest
from tests.workloads.every import workload_of

import linkwright
from linkwright import _core, calibrations, engines
from linkwright.errors import RunError, UsageError
from linkwright.program import ALGORITHM_SETS, compile_program, goal_text
from linkwright.workloads import (
    WORKLOADS,
    AllGather,
    AllReduce,
    AllToAll,
    Barrier,
    Broadcast,
    Marks,
    Measurement,
    PingPong,
    ReduceScatter,
    Shift,
    Workload,
    libraries,
)
from linkwright.workloads.npb.bt import Bt
from linkwright.workloads.steps import (
    StepKind,
    Steps,
    all_gather,
    all_reduce,
    all_to_all,
    barrier,
    broadcast,
    compute,
    gather,
    group,
    in_group,
    join,
    mark,
    receive,
    reduce,
    repeat,
    scatter,
    send,
    start_receive,
    start_send,
    wait_all,
)
from linkwright.workloads.workload import MAX_RANKS


class Table(Workload):
    """A given table of steps."""

    name: ClassVar[str] = "table"
    given: ClassVar[Steps]

    def steps(self, n_ranks: int) -> Steps:
        return self.given

    def measure(self, marks: Marks) -> list[Measurement]:
        return []


class Timed(Table):
    """A given table of steps, and the time of each rank between marks 0 and 1."""

    def measure(self, marks: Marks) -> list[Measurement]:
        begin_s = marks.first_s(0)
        return [self._measurement("time", end_s - begin_s, "s") for end_s in marks.times_s(1)]


def n_operations(steps: Steps, n_nodes: int = 2) -> int:
    workload = type("Given", (Table,), {"given": steps})()
    return compile_program(workload, n_nodes).n_operations


def test_kinds_of_steps_have_the_codes_of_the_core() -> None:
    assert [kind.name.lower() for kind in StepKind] == _core.STEP_KINDS
    assert [kind.value for kind in StepKind] == list(range(len(_core.STEP_KINDS)))


def test_kinds_of_steps_have_the_same_codes_in_the_recorder() -> None:
    source = Path(linkwright.__file__).with_name("recorder") / "rows.h"
    body = re.search(
        r"^enum step \{\n(.*?)^\};", source.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert body is not None
    code = -1
    for entry in re.sub(r"/\*.*?\*/", "", body[1], flags=re.DOTALL).split(","):
        name, _, given = (word.strip() for word in entry.partition("="))
        code = int(given) if given else code + 1
        if name and name != "CANCELLED":
            assert _core.STEP_KINDS[code] == name.lower()


@pytest.mark.parametrize("n_nodes", [2, 5, 16, 37])
@pytest.mark.parametrize("name", WORKLOADS)
def test_every_workload_compiles(name: str, n_nodes: int) -> None:
    workload = workload_of(name)
    program = compile_program(workload, n_nodes)
    assert program.n_ranks == workload.n_ranks(n_nodes) == program.core.n_ranks
    assert program.algorithms == "mpich-1.1"
    assert program.n_operations > 0


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (join(send(0, 1, 8), receive(1, 0)), 2),
        (join(start_receive([0, 1], [1, 0]), start_send([0, 1], [1, 0], 8), wait_all()), 6),
        (repeat(1000, compute(1e-6), mark(0)), 8),
        (all_to_all(8), 2),
        (join(group(1, [1]), broadcast(8, 1, group=1), mark(0, in_group(1))), 2),
    ],
)
def test_steps_become_operations(steps: Steps, expected: int) -> None:
    assert n_operations(steps) == expected


@pytest.mark.parametrize(
    "collective",
    [
        broadcast(8),
        reduce(8),
        all_reduce(8),
        barrier(),
        all_gather(8),
        all_to_all(8),
        gather(8),
        scatter(8),
    ],
)
@pytest.mark.parametrize("engine", ["packet", "flow", "analytic"])
def test_a_group_of_all_ranks_takes_the_time_of_all_ranks(collective: Steps, engine: str) -> None:
    """Its messages are the same, and the marks of a group are those of its ranks."""
    network = linkwright.compile(
        linkwright.Cluster.parse("{name: test, topology: {kind: switch, nodes: 5}}")
    )

    def times_s(*steps: Steps) -> list[float]:
        workload = type("Timed", (Timed,), {"given": join(*steps)})()
        return engines.run(network, workload, engine=engine).filter(metric="time").values().tolist()

    rank = in_group(1)
    grouped = replace(collective, rank=np.array([rank], np.int32))
    of_all = times_s(mark(0), repeat(3, collective), mark(1))
    assert (
        times_s(group(1, range(5)), mark(0), repeat(3, grouped, rank=rank), mark(1, rank)) == of_all
    )
    assert len(of_all) == 5
    assert min(of_all) > 0


def test_a_deadlock_names_the_collective_and_its_group() -> None:
    stuck = join(group(7, [2, 0]), receive(0, 1), barrier(group=7))
    network = linkwright.compile(
        linkwright.Cluster.parse("{name: test, topology: {kind: switch, nodes: 3}}")
    )
    with pytest.raises(RunError) as error:
        engines.run(network, type("Given", (Table,), {"given": stuck})(), engine="analytic")
    assert error.value.message == (
        "2 ranks wait forever: rank 0 in operation 0 (a receive from rank 1, tag 0), rank 2 in "
        "operation 0 (a wait for its sends and receives, in barrier of group 7: ranks 2, 0)"
    )


def test_loops_stay_loops() -> None:
    n_of = [compile_program(Broadcast(repeats=repeats), 16).n_operations for repeats in (1, 10**9)]
    assert n_of[0] == n_of[1]


def test_a_hundred_thousand_ranks() -> None:
    assert compile_program(Shift(), 100_000).n_operations == 500_000
    assert compile_program(PingPong(dst=99_999), 100_000).n_operations < 1000


@pytest.mark.parametrize(
    ("steps", "rule"),
    [
        (send(0, 2, 8), "step 0: peer 2 is outside 0..2"),
        (join(barrier(), send(7, 0, 8)), "step 1: rank 7 is outside 0..2"),
        (repeat(0, barrier()), "a block is repeated at least once"),
        (
            repeat(2, barrier(), rank=1),
            "rank 1 repeats a collective that others of its group do not repeat",
        ),
        (start_send(0, 1, 8), "rank 0 never waits for an operation that it starts"),
        (send(0, 1, 8, tag=1 << 31), "tag 2147483648 is reserved for collectives"),
        (compute(-1.0), "a computation cannot last this long"),
        (barrier(group=3), "step 0: group 3 has no members"),
        (group(0, [1]), "step 0: 0 is no number of a group"),
        (group(1, [1, 1]), "step 1: rank 1 is in group 1 already"),
        (
            join(group(1, [1]), barrier(group=1), group(1, [0])),
            "gets a member after its first step",
        ),
        (join(group(1, [1]), broadcast(8, 0, group=1)), "root 0 of a collective is not in group 1"),
    ],
)
def test_broken_rules_are_named(steps: Steps, rule: str) -> None:
    with pytest.raises(UsageError) as error:
        n_operations(steps)
    assert rule in error.value.message
    assert error.value.hint


def test_too_many_ranks_are_refused() -> None:
    assert MAX_RANKS == _core.MAX_RANKS
    for workload in WORKLOADS.values():
        with pytest.raises(UsageError, match="runs on 1048576 nodes at most"):
            compile_program(workload(), 1_000_000_000)


def test_hosts_say_how_fast_ranks_compute_and_by_which_algorithms() -> None:
    hosts = calibrations.load("pentium-pro-200-linux-2.0")
    with pytest.raises(UsageError, match="bt has no rate"):
        compile_program(Bt(), 4)
    program = compile_program(Bt(), 4, hosts=hosts)
    assert isinstance(program.workload, Bt)
    assert program.workload.rate == Bt().at_speed(hosts.compute, 4).rate
    assert program.algorithms == hosts.algorithms


def test_calibrations_and_workloads_know_the_same_libraries_and_algorithms() -> None:
    known = calibrations.Calibration.model_fields["algorithms"].annotation
    assert get_args(known) == libraries.LIBRARIES == ALGORITHM_SETS
    assert list(libraries.ALGORITHMS) == _core.ALGORITHMS
    for workload in (AllGather, AllReduce, AllToAll, Barrier, Broadcast, ReduceScatter):
        [names, _] = get_args(workload.model_fields["algorithm"].annotation)
        kind = workload.collective.name.lower()
        assert sorted(get_args(names)) == sorted(_core.algorithms_of(kind))


def in_manner(steps: Steps, code: int, segment_bytes: int) -> Steps:
    numbers = {"number": code, "tag": segment_bytes}
    return replace(steps, **{name: np.array([n], np.uint32) for name, n in numbers.items()})


def test_segments_go_with_the_algorithms_that_the_core_divides() -> None:
    for kind, names in libraries.SEGMENTED.items():
        for name in _core.algorithms_of(kind.name.lower()):
            whole = broadcast(8) if kind == StepKind.BROADCAST else all_reduce(8)
            divided = in_manner(whole, libraries.ALGORITHMS.index(name) + 1, 4)
            if name in names:
                assert n_operations(divided) > 0
            else:
                with pytest.raises(UsageError, match="does not divide messages into segments"):
                    n_operations(divided)


def test_a_library_is_the_hosts_or_the_one_set() -> None:
    hosts = calibrations.load("linux-6-desktop")
    program = compile_program(AllReduce(size_bytes=4096), 8, hosts=hosts)
    assert program.algorithms == hosts.algorithms
    assert compile_program(AllReduce(library="mpich-4"), 8, hosts=hosts).algorithms == "mpich-4"


def test_a_ring_all_reduce_sends_two_blocks_to_each_neighbour_per_step() -> None:
    one = AllReduce(size_bytes=2**20, algorithm="ring", repeats=1, warm_up=0)
    text = "".join(goal_text(compile_program(one, 4)))
    assert text.count(f"send {2**18}b") == 4 * 2 * 3


def test_a_code_of_no_algorithm_or_of_another_collective_is_refused() -> None:
    for code, message in (
        (99, "99 is no code of an algorithm"),
        (30, "is one of other collectives"),
    ):
        with pytest.raises(UsageError, match=message):
            n_operations(in_manner(all_reduce(8), code, 0))


def test_segments_without_an_algorithm_that_has_them_are_refused() -> None:
    for settings in ({}, {"algorithm": "ring"}):
        with pytest.raises(UsageError, match="segment_bytes goes with an algorithm of segments"):
            AllReduce(segment_bytes=1024, **settings)
    pipeline = Broadcast(algorithm="pipeline", segment_bytes=1024, size_bytes=4096, repeats=1)
    assert pipeline.parameters["segment_bytes"] == 1024
    assert "library" not in pipeline.parameters
