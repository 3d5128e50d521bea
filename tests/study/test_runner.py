"""The runner: the same rows on any workers, only what is left, and failures that end nothing.

Workers of other machines are in test_pools.py.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import Executor as FutureExecutor
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.study.cases import SMALL, merged, rows, study

from linkwright.errors import LinkwrightError, OutputError, RunError, UsageError
from linkwright.execution.executor import Executor
from linkwright.execution.pools import Pool
from linkwright.study import StudyFolder, rehearse, run, runner
from linkwright.study import worker as work
from linkwright.study.outlook import Outlook
from linkwright.study.parts import Done


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> StudyFolder:
    return run(study(), tmp_path_factory.mktemp("serial") / "s", jobs=1)


def test_processes_give_the_same_bytes(serial: StudyFolder, tmp_path: Path) -> None:
    assert merged(run(study(), tmp_path / "s", jobs=2)) == merged(serial)


def test_failing_runs_end_nothing(serial: StudyFolder) -> None:
    done = serial.progressed().done
    assert [one.point for one in done] == sorted([*range(6)] * 2)
    assert {one.point for one in done if one.has_failed} == {4, 5}
    assert {one.message for one in done if one.has_failed} == {"shape 1 has one node"}
    assert {point for point, *_ in rows(serial)} == {0, 1, 2, 3}


def test_nothing_is_made_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = counted(monkeypatch)
    run(study(), tmp_path, jobs=1)
    assert len(made) == 12
    run(study(), tmp_path, jobs=1)
    assert len(made) == 12
    run(study(), tmp_path, jobs=1, again_failed=True)
    assert len(made) == 16


def test_missing_memory_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = work._result

    def short(planned: Any, setting: Any) -> Any:
        if planned.point.number == 1:
            raise MemoryError("too little memory")
        return real(planned, setting)

    monkeypatch.setattr(work, "_result", short)
    failed: list[Done] = []
    folder = run(study(), tmp_path, jobs=1, failed=failed.append)
    assert {one.kind for one in failed} == {"MemoryError", "DesignError"}
    monkeypatch.setattr(work, "_result", real)
    run(study(), tmp_path, jobs=1)
    assert {point for point, *_ in rows(folder)} == {0, 1, 2, 3}


def test_folder_of_another_study_is_refused(serial: StudyFolder) -> None:
    with pytest.raises(OutputError, match="another study"):
        run(study(seeds=3), serial.path, jobs=1)


def test_two_programs_do_not_run_the_same_study(serial: StudyFolder) -> None:
    with serial.locked(), pytest.raises(OutputError, match="another program"):
        run(study(), serial.path, jobs=1)


def test_progress_counts_all_runs(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    run(study(), tmp_path, jobs=1, progress=lambda *step: told.append(step))
    assert told[-1][:2] == (12, 12)
    assert [done for done, *_ in told] == sorted(done for done, *_ in told)


class Fragile(FutureExecutor):
    """Workers that die of some runs: all calls under way are lost, and no other is taken."""

    def __init__(self, deadly: set[int], deaths: list[int]) -> None:
        self._deadly, self._deaths = deadly, deaths
        self._inside = ThreadPoolExecutor(2)
        self._is_broken = threading.Event()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        (chunk,) = args
        if self._is_broken.is_set():
            raise BrokenProcessPool("broken before")

        def call() -> Any:
            if any(one.point.number in self._deadly for one in chunk.runs):
                self._deaths.append(len(chunk.runs))
                self._is_broken.set()
            if self._is_broken.is_set():
                raise BrokenProcessPool("a worker died")
            return fn(chunk, **kwargs)

        return self._inside.submit(call)


@pytest.mark.parametrize("deadly", [{0}, {3}, {1, 2}])
def test_run_that_kills_workers_is_found_alone(
    deadly: set[int], serial: StudyFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths: list[int] = []

    @contextmanager
    def fragile(on: str, jobs: int | None, files: Path) -> Iterator[Pool]:
        def renewed() -> FutureExecutor:
            return Fragile(deadly, deaths)

        yield Pool(renewed(), 2, renewed)

    monkeypatch.setattr(runner, "pool", fragile)
    monkeypatch.setattr(Executor, "_size", lambda _: 5)
    folder = run(study(), tmp_path, jobs=2)
    lost = {one.point for one in folder.progressed().done if one.kind == "WorkerLost"}
    assert lost == deadly
    left = [row for row in rows(serial) if row[0] not in deadly]
    assert rows(folder) == left
    # Each of two seeds is given three attempts alone.
    assert deaths.count(1) == 6 * len(deadly)
    # The rest is made when the cause is gone.
    monkeypatch.undo()
    assert merged(run(study(), tmp_path, jobs=1)) == merged(serial)


def test_lost_scheduler_ends_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(FutureExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            return Future()

    @contextmanager
    def lost(on: str, jobs: int | None, files: Path) -> Iterator[Pool]:
        yield Pool(Silent(), 2, Silent, is_alive=lambda: False)

    monkeypatch.setattr(runner, "pool", lost)
    with pytest.raises(RunError, match="are lost"):
        run(study(), tmp_path)


def test_worker_without_the_folder_sends_its_rows(
    serial: StudyFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "_is_here", lambda folder, token: False)
    assert merged(run(study(), tmp_path, jobs=1)) == merged(serial)


def test_long_chunk_returns_its_rest(
    serial: StudyFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "MOST_S", 0.0)
    monkeypatch.setattr(Executor, "_size", lambda _: 12)
    made = counted(monkeypatch)
    assert merged(run(study(), tmp_path, jobs=1)) == merged(serial)
    assert len(made) == len(set(made)) == 12


HUB = """
designs: [{design: {topology: {kind: hub, nodes: 4}}}]
workloads: [{name: all-to-all, settings: {size_bytes: 1024}}]
"""


@pytest.mark.parametrize(("until", "n"), [(0.9, 4), (0.0001, 12)])
def test_seeds_are_added_until_the_mean_is_known(until: float, n: int, tmp_path: Path) -> None:
    asked = study(HUB, seeds={"until": until, "metric": "time", "most": 12})
    found = rows(run(asked, tmp_path / "a", jobs=1))
    assert {seed for _, seed, *_ in found} == set(range(1, n + 1))


def test_adding_seeds_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = study(HUB, seeds={"until": 0.0001, "metric": "time", "most": 12})
    whole = run(asked, tmp_path / "whole", jobs=1)
    give, counter = runner.StudyWork.take, itertools.count()

    def stopped(self: Any, ended: Any) -> tuple[int, float]:
        found = give(self, ended)
        if next(counter) == 2:
            raise RunError("stopped", "")
        return found

    monkeypatch.setattr(runner.StudyWork, "take", stopped)
    with pytest.raises(RunError, match="stopped"):
        run(asked, tmp_path / "part", jobs=1)
    monkeypatch.setattr(runner.StudyWork, "take", give)
    assert merged(run(asked, tmp_path / "part", jobs=1)) == merged(whole)


def test_unknown_metric_of_the_confidence_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LinkwrightError, match="'tmie'"):
        run(study(HUB, seeds={"until": 0.1, "metric": "tmie"}), tmp_path, jobs=1)


@pytest.mark.parametrize("topology", ["ring", None, {"kind": "ring", "shape": [1]}])
def test_failed_design_of_any_form_ends_nothing(topology: Any, tmp_path: Path) -> None:
    values = [{"kind": "ring", "shape": [4]}, topology]
    designs = [{"design": {}, "axes": {"topology": values}}]
    done = run(study(designs=designs), tmp_path, jobs=1).progressed().done
    assert [one.has_failed for one in done] == [False] * 4 + [True] * 4


def test_rows_have_only_the_metrics_asked_for(tmp_path: Path) -> None:
    folder = run(study(SMALL, metrics=["time"]), tmp_path, jobs=1)
    assert {metric for *_, metric, _ in rows(folder)} == {"time"}


@pytest.mark.parametrize(
    ("on", "words"),
    [("cloud", "known: local"), ("local://x", "no address"), ("dask", "HOST:PORT")],
)
def test_unknown_workers_are_refused(on: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(LinkwrightError) as refused:
        run(study(), tmp_path / "s", on=on)
    assert words in f"{refused.value.message} {refused.value.hint}"


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which every run adds its key."""
    made: list[str] = []
    add = work._Rows.add

    def noted(self: Any, planned: Any) -> None:
        made.append(planned.key)
        add(self, planned)

    monkeypatch.setattr(work._Rows, "add", noted)
    return made


def test_outlook_comes_before_the_runs(tmp_path: Path) -> None:
    found: list[tuple[Outlook, int]] = []

    def begun(outlook: Outlook) -> None:
        found.append((outlook, len(list(tmp_path.glob("s/parts/*.parquet")))))

    for n_left, n_done in ((12, 0), (0, 12)):
        run(study(), tmp_path / "s", jobs=1, begun=begun)
        outlook, n_parts = found.pop()
        assert (outlook.n_left, outlook.n_done, n_parts) == (n_left, n_done, 0)
        assert bool(outlook.tried_s) == bool(n_left)
        assert f"{n_left} runs" in outlook.text


def test_rehearsal_makes_nothing(tmp_path: Path) -> None:
    assert rehearse(study(), tmp_path / "s", jobs=3).n_left == 12
    assert list(tmp_path.iterdir()) == []
    until = rehearse(study(seeds={"until": 0.1, "least": 2}), tmp_path / "s", jobs=1)
    assert until.text.startswith("12 runs or more, about")


def test_run_that_does_not_end_bounds_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkwright.study.outlook.PATIENCE_S", 0.0)
    slow = rehearse(study(), tmp_path / "s", jobs=1)
    assert (slow.is_cut, list(slow.tried_s)) == (True, [])
    assert "longer than" in slow.text


def test_many_runs_are_refused_before_a_folder_is_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="12 runs to make, more than 11"):
        run(study(), tmp_path / "s", jobs=1, most_runs=11)
    assert list(tmp_path.iterdir()) == []
    run(study(), tmp_path / "s", jobs=1, most_runs=12)
    run(study(), tmp_path / "s", jobs=1, most_runs=1)
