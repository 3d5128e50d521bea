"""Work that does not fit in memory is refused by an estimate, with exit code 3; nothing aborts.

The limits are those of a process of its own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import linkwright
from linkwright import CapabilityError, Cluster, memory, plan
from linkwright.memory import Room, expect_room, free_room
from linkwright.plan.checks import reachability

MAIN = "import sys; from linkwright.cli import main; sys.exit(main())"
LARGE = "topology: {kind: torus, shape: [1000, 1000]}\n"


def command(*arguments: str, limit_bytes: int) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))

    return subprocess.run(
        [sys.executable, "-c", MAIN, *arguments],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("verb", ["check", "plan", "simulate"])
def test_a_million_nodes_do_not_fit_into_1500_megabytes(verb: str, tmp_path: Path) -> None:
    design = tmp_path / "large.yaml"
    design.write_text(LARGE)
    more = {"check": ["--failures", "none"], "plan": ["-o", str(tmp_path / "plan")]}
    workload = ["--workload", "barrier", "--engine", "analytic"]
    done = command(verb, str(design), *more.get(verb, workload), limit_bytes=1_500_000_000)
    assert done.returncode == CapabilityError.exit_code, done.stderr
    assert "a torus of 1,000,000 nodes needs about 2.0 GB" in done.stderr
    assert "are free here, by the limit of address space (ulimit -v)" in done.stderr
    assert "backtrace" not in done.stderr


def with_room(monkeypatch: pytest.MonkeyPatch, n_bytes: float) -> None:
    monkeypatch.setattr(memory, "free_room", lambda: Room(n_bytes, "a test"))


def test_an_error_names_what_is_needed_and_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with_room(monkeypatch, 3e9)
    expect_room("it", 2.9e9, "tables")
    with pytest.raises(CapabilityError) as raised:
        expect_room("it", 3.1e9, "tables")
    message = "it needs about 3.1 GB for tables; 3.0 GB are free here, by a test"
    assert raised.value.message == message


def test_little_is_never_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with_room(monkeypatch, 0)
    expect_room("it", 1e6, "tables")


def test_some_memory_is_free_here() -> None:
    assert free_room().n_bytes > 1e6


def test_the_limit_of_a_control_group_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "cgroup").write_text("0::/a/b\n")
    (tmp_path / "self" / "status").write_text("VmSize:  1000 kB\n")
    (tmp_path / "meminfo").write_text("MemAvailable:  9000 kB\n")
    (tmp_path / "a" / "b").mkdir(parents=True)
    for group, limit in (("a", "5000000"), ("a/b", "max")):
        (tmp_path / group / "memory.max").write_text(limit + "\n")
        (tmp_path / group / "memory.current").write_text("1000000\n")
    monkeypatch.setattr(memory, "_PROC", tmp_path)
    monkeypatch.setattr(memory, "_CGROUPS", tmp_path)
    assert free_room() == (4_000_000, "the limit of the control group")
    (tmp_path / "a" / "memory.stat").write_text("anon 1\ninactive_file 900000\n")
    assert free_room().n_bytes == 4_900_000, "the kernel gives the cache of files up on demand"
    (tmp_path / "a" / "memory.max").write_text("max\n")
    assert free_room() == (9000 * 1024, "the memory of this machine")


def test_proofs_checks_and_tables_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = linkwright.compile(Cluster.parse("topology: {kind: ring, shape: [2040]}"))
    with_room(monkeypatch, 1e8)
    with pytest.raises(CapabilityError, match=r"the proof of .* failures of 2,040 nodes needs"):
        plan.rerouting(ring)
    with pytest.raises(CapabilityError, match="the plan of 2,040 nodes needs"):
        list(plan.tables(ring))
    with pytest.raises(CapabilityError, match="the check of 2,040 nodes needs"):
        linkwright.check(ring)


def test_a_check_of_a_sample_is_estimated_by_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    # 513 of 65,536 addresses are followed: 2**25 pairs; 1,000 hops each are counts of 4.1 MB.
    many: Any = SimpleNamespace(
        n_nodes=1 << 16,
        addresses=SimpleNamespace(bits=range(1 << 16)),
        closed=SimpleNamespace(diameter_hops=1000),
    )
    with_room(monkeypatch, reachability.BYTES_OF_THREADS + 4.2e6)
    reachability._expect_room(many)
    with_room(monkeypatch, reachability.BYTES_OF_THREADS + 4.0e6)
    with pytest.raises(CapabilityError, match="the check of 65,536 nodes needs"):
        reachability._expect_room(many)


def test_so_are_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = linkwright.compile(Cluster.parse("topology: {kind: hub, nodes: 400}"))
    with_room(monkeypatch, 6e7)
    with pytest.raises(CapabilityError, match="a run of 400 ranks needs"):
        linkwright.run(hub, linkwright.workloads.AllToAll(size_bytes=1), engine="analytic")


def test_compile_and_check_report_their_steps() -> None:
    steps: list[tuple[int, int, str]] = []
    design = Cluster.parse("topology: {kind: ring, shape: [5]}")
    network = linkwright.compile(design, report=lambda *step: steps.append(step))
    assert [step[:2] for step in steps] == [(i, 4) for i in range(4)]
    steps.clear()
    linkwright.check(network, report=lambda *step: steps.append(step))
    n_families = steps[0][1]
    assert n_families >= 10
    assert [step[:2] for step in steps] == [(i, n_families) for i in range(n_families)]
    assert all(what for _, _, what in steps)
