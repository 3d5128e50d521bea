"""GOAL text: a program that is written and read back runs exactly as before.

Which texts are read, and in which order their tasks are played, is tested in crates/program.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.workloads.every import workload_of

import linkwright
from linkwright import engines
from linkwright.errors import UsageError
from linkwright.program import Program, compile_program, goal_text
from linkwright.results import Result
from linkwright.workloads import WORKLOADS, Goal, Marks, Measurement, Workload
from linkwright.workloads.steps import Steps, join, mark

LAST = 4_000_000_000
NETWORKS = {
    "switch": "{kind: switch, nodes: 5}",
    "hub": "{kind: hub, nodes: 4}",
    "torus": "{kind: torus, shape: [2, 3]}",
}
WRITTEN = [
    name
    for name, workload in ((name, workload_of(name)) for name in WORKLOADS)
    if not (workload.sends_datagrams or workload.uses_disks)
]


class Ends(Workload):
    """When each rank of another workload is done, computing whole nanoseconds."""

    name: ClassVar[str] = "ends"
    given: Workload

    def n_ranks(self, n_nodes: int) -> int:
        return self.given.n_ranks(n_nodes)

    def steps(self, n_ranks: int) -> Steps:
        steps = self.given.steps(n_ranks)
        return join(replace(steps, compute_s=np.round(steps.compute_s, 9)), mark(LAST))

    def measure(self, marks: Marks) -> list[Measurement]:
        chosen = marks.mark == LAST
        times = zip(marks.rank[chosen].tolist(), marks.time_s[chosen].tolist(), strict=True)
        return [Measurement("end", time_s, "s", {"rank": rank}) for rank, time_s in times]


def network(kind: str) -> linkwright.Network:
    text = f"{{name: test, topology: {NETWORKS[kind]}}}"
    return linkwright.compile(linkwright.Cluster.parse(text))


def text_of(program: Program) -> str:
    return "".join(goal_text(program))


def figures(result: Result) -> list[tuple[object, ...]]:
    kept = ("end", "simulated_s", "frame_hops", "collisions", "retransmissions", "timeouts")
    return [
        (row.metric, row.parameters.get("rank"), row.value) for row in result if row.metric in kept
    ]


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_and_read_plays_the_same(name: str, kind: str, tmp_path: Path) -> None:
    built, before = network(kind), Ends(given=workload_of(name))
    program = compile_program(before, built.n_compute)
    file = tmp_path / "trace.goal"
    file.write_text(text_of(program), encoding="utf-8")
    after = Ends(given=Goal(file=str(file)))
    assert text_of(compile_program(after, built.n_compute)) == file.read_text(encoding="utf-8")
    played = [figures(engines.run(built, workload)) for workload in (before, after)]
    assert played[0] == played[1]


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("datagrams", "sends datagrams, which GOAL does not have"),
        ("disk-net", "uses its disk, which GOAL does not have"),
        ("keep-alive", "sends datagrams, which GOAL does not have"),
    ],
)
def test_what_goal_has_no_word_for_is_refused(name: str, rule: str) -> None:
    with pytest.raises(UsageError, match=rule):
        goal_text(compile_program(workload_of(name), 2))


@st.composite
def traces(draw: st.DrawFn) -> str:
    """Return a trace in which every rank sends and receives at will, and waits for what is above.

    Message i is sent and received by tasks whose labels number them alike, so that no two ranks can
    wait for each other.
    """
    n_ranks = draw(st.integers(1, 4))
    bodies: list[list[str]] = [[] for _ in range(n_ranks)]
    labels: list[list[str]] = [[] for _ in range(n_ranks)]

    def add(rank: int, label: str, what: str) -> None:
        bodies[rank].append(f"{label}: {what}")
        for other in draw(st.lists(st.sampled_from(labels[rank] or [""]), max_size=3)):
            if other and not other.endswith(f"_{label[1:]}"):
                word = draw(st.sampled_from(["requires", "irequires"]))
                bodies[rank].append(f"{label} {word} {other}")
        labels[rank].append(label)

    for number in range(draw(st.integers(0, 12))):
        source, destination = draw(st.integers(0, n_ranks - 1)), draw(st.integers(0, n_ranks - 1))
        size = draw(st.sampled_from([0, 1, 4096, 20_000, 200_000]))
        add(destination, f"r{number}", f"recv {size}b from {source} tag {number}")
        if source != destination:
            add(source, f"c{number}", f"calc {draw(st.integers(0, 100_000))}")
            add(source, f"s{number}", f"send {size}b to {destination} tag {number}")
        else:
            bodies[source].append(f"send {size}b to {destination} tag {number}")
    ranks = (f"rank {rank} {{\n" + "\n".join([*body, "}"]) for rank, body in enumerate(bodies))
    return "\n".join([f"num_ranks {n_ranks}", *ranks])


@settings(max_examples=60, deadline=None)
@given(traces())
def test_any_trace_plays_to_its_end_and_is_written_as_it_plays(
    tmp_path_factory: pytest.TempPathFactory, trace: str
) -> None:
    file = tmp_path_factory.mktemp("goal") / "trace.goal"
    built = network("switch")
    texts = []
    for text in (trace, None):
        file.write_text(text if text is not None else texts[0], encoding="utf-8")
        workload = Ends(given=Goal(file=str(file)))
        texts.append(text_of(compile_program(workload, built.n_compute)))
        ends = figures(engines.run(built, workload))
        texts.append(str(ends))
    assert texts[:2] == texts[2:]
