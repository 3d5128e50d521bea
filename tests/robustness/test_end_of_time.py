"""Sums of times beyond 138 days of simulated time are an error that names the rank.

Larger ones leave the range of 64-bit picoseconds: a run would take 0 us, or seem to wait forever.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import linkwright
from linkwright import Cluster, RunError, UsageError, workloads
from linkwright.program import compile_program
from linkwright.workloads.steps import Steps, broadcast

NETWORK = linkwright.compile(Cluster.parse("topology: {kind: switch, nodes: 2}"))
ENGINES = ("analytic", "flow", "packet")
LONGEST_NS = 9_999_999_000_000_000


def trace(tmp_path: Path, first: str, second: str) -> workloads.Goal:
    file = tmp_path / "trace.goal"
    file.write_text(f"num_ranks 2\nrank 0 {{\n{first}\n}}\nrank 1 {{\n{second}\n}}\n")
    return workloads.Goal(file=str(file))


@pytest.mark.parametrize("engine", ENGINES)
def test_two_long_computations_are_too_long(engine: str, tmp_path: Path) -> None:
    twice = f"l1: calc {LONGEST_NS}\nl2: calc {LONGEST_NS}\nl2 requires l1"
    with pytest.raises(RunError, match="more than 138 days of simulated time: rank 1 in") as raised:
        linkwright.run(NETWORK, trace(tmp_path, "l1: calc 1", twice), engine=engine)
    assert "rank 0" not in raised.value.message


@pytest.mark.parametrize("engine", ENGINES)
def test_so_are_those_of_two_ranks_one_after_the_other(engine: str, tmp_path: Path) -> None:
    first = f"l1: calc {LONGEST_NS}\nl2: send 10b to 1\nl2 requires l1"
    second = f"l1: recv 10b from 0\nl2: calc {LONGEST_NS}\nl2 requires l1"
    with pytest.raises(RunError, match="rank 1 in operation 2"):
        linkwright.run(NETWORK, trace(tmp_path, first, second), engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_one_of_them_is_not(engine: str, tmp_path: Path) -> None:
    once = trace(tmp_path, f"l1: calc {LONGEST_NS}", "l1: calc 1")
    result = linkwright.run(NETWORK, once, engine=engine)
    assert result.filter(metric="time").values()[0] == pytest.approx(LONGEST_NS * 1e-9)


def test_a_computation_beyond_the_limit_is_named_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="line 3: 10000000000000000000 is too large"):
        linkwright.run(
            NETWORK, trace(tmp_path, "l1: calc 10000000000000000000", "l1: calc 1"), engine="flow"
        )


class Huge(workloads.Barrier):
    """A step of more bytes than simulated time has for them."""

    size_bytes: int

    def steps(self, n_ranks: int) -> Steps:
        del n_ranks
        return broadcast(self.size_bytes)


def test_a_message_of_more_than_four_tebibytes_is_refused() -> None:
    compile_program(Huge(size_bytes=2**42), 2)
    with pytest.raises(UsageError, match="more than a message or file can have"):
        compile_program(Huge(size_bytes=2**42 + 1), 2)
