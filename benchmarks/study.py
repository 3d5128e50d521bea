"""The cost of a study beside a plain loop, its runner with a thousand workers, and its questions.

`make bench` prints the figures that docs/reference/scale-of-studies.md quotes. The thousand workers
are simulated: each answers after the time that its runs would take, and makes none, so that what is
measured is the runner.
"""

from __future__ import annotations

import heapq
import itertools
import resource
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import linkwright
from linkwright.execution import executor
from linkwright.execution.pools import Pool
from linkwright.study import Database, Study, StudyFolder, run, runner
from linkwright.study.parts import Done, Part, part_name, row_schema
from linkwright.study.points import plan
from linkwright.study.worker import Ended
from linkwright.workloads import PingPong

N_RUNS = 10_000
N_ROWS = 1_000_000
RUN_S = 0.1
"""Time of a simulated run."""
WORKERS = (10, 100, 1000)
LASTING_S = 15.0
"""Time that each number of simulated workers is kept busy."""


def ping_pongs(n_runs: int) -> Study:
    """Return a study of quick runs."""
    sizes = f"{{from: 1, to: {n_runs}, points: {n_runs}, whole: true}}"
    return Study.parse(
        "designs: [{design: {topology: {kind: direct}}}]\n"
        f"workloads: [{{name: ping-pong, axes: {{size_bytes: {sizes}}}}}]\nengines: [analytic]\n"
    )


def main() -> int:
    """Measure all, in temporary folders."""
    with tempfile.TemporaryDirectory() as place:
        beside_a_loop(Path(place))
        simulated_workers(Path(place))
        questions(Path(place))
    return 0


def beside_a_loop(place: Path) -> None:
    """Compare a study of quick runs with a loop over the same runs."""
    network = linkwright.compile(linkwright.Cluster.parse("topology: {kind: direct}"))

    def loop() -> None:
        for size in range(1, N_RUNS + 1):
            linkwright.run(network, PingPong(size_bytes=size), engine="analytic", seed=1)

    def study(jobs: int) -> StudyFolder:
        return run(ping_pongs(N_RUNS), place / f"{jobs}", jobs=jobs)

    show(f"loop of {N_RUNS:,} runs", *measured(loop))
    show(f"study of {N_RUNS:,} runs, 1 worker", *measured(lambda: study(1)))
    show("the same, nothing left to do", *measured(lambda: study(1)))
    show("the same on 2 workers (processor: the client's)", *measured(lambda: study(2)))


def measured(call: Callable[[], object]) -> tuple[float, float]:
    """Return wall time and processor time, children included, of a call."""
    before, begin_s = processor_s(), time.monotonic()
    call()
    return time.monotonic() - begin_s, processor_s() - before


def processor_s() -> float:
    """Return the processor time of this process and its ended children."""
    used = (resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def show(name: str, wall_s: float, cpu_s: float) -> None:
    """Print a line."""
    print(f"{name:48} {wall_s:8.2f} s   processor {cpu_s:8.2f} s", flush=True)


class Workers(Executor):
    """Simulated workers, each with one chunk at a time and a queue in front of all."""

    def __init__(self, n_workers: int) -> None:
        self._free, self._n = n_workers, itertools.count()
        self._waiting: list[Any] = []
        self._ends: list[tuple[float, int, Future[Ended], Ended]] = []
        self._lock, self._is_open = threading.Condition(), True
        self.busy_s = 0.0
        threading.Thread(target=self._answer, daemon=True).start()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Take a chunk."""
        del fn, kwargs
        future: Future[Ended] = Future()
        with self._lock:
            self._waiting.append((args[0], future))
            self._begin()
            self._lock.notify()
        return future

    def _begin(self) -> None:
        while self._free and self._waiting:
            chunk, future = self._waiting.pop(0)
            self._free -= 1
            runs = [Done(one.point.number, 0, one.seed, one.key, RUN_S) for one in chunk.runs]
            self.busy_s += RUN_S * len(runs)
            end_s = time.monotonic() + RUN_S * len(runs)
            heapq.heappush(self._ends, (end_s, next(self._n), future, Ended(runs, {}, None)))

    def _answer(self) -> None:
        while self._is_open:
            with self._lock:
                now = time.monotonic()
                ready = []
                while self._ends and self._ends[0][0] <= now:
                    ready.append(heapq.heappop(self._ends))
                self._free += len(ready)
                self._begin()
                left = self._ends[0][0] - now if self._ends else 0.1
            for _, _, future, ended in ready:
                future.set_result(ended)
            time.sleep(min(max(left, 0.0), 0.01))


def simulated_workers(place: Path) -> None:
    """Run studies on more and more simulated workers and print how busy they are."""
    for n_workers in WORKERS:
        n_points = int(n_workers * LASTING_S / RUN_S)
        workers = Workers(n_workers)

        study = ping_pongs(n_points)
        planned_s, _ = measured(lambda: plan(study))  # noqa: B023
        folder = StudyFolder.create(place / f"w{n_workers}", study)
        work = runner.StudyWork(folder, again_failed=False)
        pool = Pool(workers, n_workers, lambda: workers)  # noqa: B023
        wall_s, cpu_s = measured(lambda: executor.Executor(work, pool).run())  # noqa: B023
        share = workers.busy_s / (n_workers * wall_s)
        print(
            f"{n_workers:5} workers, {n_points:,} runs of {RUN_S} s: busy {share:6.1%}, "
            f"runner {cpu_s / wall_s:6.1%} of a processor, planned in {planned_s:.1f} s",
            flush=True,
        )


def questions(place: Path) -> None:
    """Ask a million rows."""
    folder = StudyFolder.create(place / "rows", ping_pongs(N_RUNS))
    schema = row_schema(folder.axes)
    for first in range(0, N_ROWS, N_ROWS // 10):
        points = range(first, first + N_ROWS // 10)
        columns: dict[str, list[Any]] = {name: [""] * len(points) for name in schema.names}
        columns |= {
            "point": list(points),
            "key": [f"{point:024x}" for point in points],
            "size_bytes": [1 << point % 20 for point in points],
            "kind": ["torus" if point % 3 else "ring" for point in points],
            "nodes": [point % 64 for point in points],
            "metric": ["time"] * len(points),
            "value": [point * 1e-6 for point in points],
            "seed": [1] * len(points),
            "repeat": [0] * len(points),
        }
        runs = [Done(point, 0, 1, f"{point:024x}", 0.1) for point in points]
        content = Part(columns, runs).to_bytes(folder.axes)
        folder.write_part(part_name(runs), content)
    show(f"merge of {N_ROWS:,} rows", *measured(folder.merge))
    begin_s = time.monotonic()
    with Database(folder) as database:
        question = (
            "select kind, size_bytes, avg(value), stddev(value), count(*) from rows "
            "where metric = 'time' group by all"
        )
        database.query(question)
        first_s = time.monotonic() - begin_s
        begin_s = time.monotonic()
        database.query(question)
        later_s = time.monotonic() - begin_s
    print(f"question to {N_ROWS:,} rows: {first_s:.2f} s, the next {later_s:.3f} s")


if __name__ == "__main__":
    raise SystemExit(main())
