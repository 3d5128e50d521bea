"""The entry points of the engines: a `Run` and an `Observation` in, an `Observed` out.

`run`, `watch` and `saturate` are short forms of `observe`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from inspect import Parameter, signature
from typing import Any, TypeVar

from linkwright import calibrations, choices
from linkwright.engines.capabilities import refuse_beyond
from linkwright.engines.chance import FEWEST, are_alike, can_vary
from linkwright.engines.engine import Engine, engine_named
from linkwright.engines.inputs import Run
from linkwright.engines.played import PackedRun, packed
from linkwright.engines.remarks import Ending, remarks, watched_alone
from linkwright.engines.rows import result_of_run
from linkwright.errors import expect_kind
from linkwright.execution.calls import called
from linkwright.network import Network
from linkwright.observations.observation import ROWS_ALONE, Observation
from linkwright.observations.watched import Watched
from linkwright.progress import Report, time_left
from linkwright.results import Manifest, Result
from linkwright.workloads import Pattern, Uniform, Workload

__all__ = ["Observed", "observe", "run", "saturate", "watch"]

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, eq=False)
class Observed:
    """A run and its repeats, as they were made.

    Attributes
    ----------
    run : Run
        The inputs.
    result : Result
        The workload's figures and the engine's own, per repeat, with a manifest and ``remarks``.
    watched : Watched, optional
        ``capture``, a pcapng file, which Wireshark and tshark open; ``traffic``, the frames and
        bytes of every port over time; ``timeline``, a text in Chrome's trace event format, which
        Perfetto opens. None if nothing of it was asked for.
    page : PackedRun, optional
        The inputs of the run, for `views.play_page`, if they were asked for.
    """

    run: Run
    result: Result
    watched: Watched | None = None
    page: PackedRun | None = None

    @property
    def played(self) -> tuple[Network, PackedRun, Result]:
        """The arguments of `views.play_page` for a run that was packed."""
        assert self.page is not None
        return self.run.network, self.page, self.result


def observe(
    run: Run,
    wanted: Observation = ROWS_ALONE,
    *,
    n_jobs: int | None = None,
    progress: Report | None = None,
) -> Observed:
    """Make a run and its repeats, and observe what is wanted of it.

    Parameters
    ----------
    run : Run
        All inputs.
    wanted : Observation
        What is wanted besides rows; then the run has no repeats. Default: nothing.
    n_jobs : int, optional
        Runs at the same time. Default: one per core. No row depends on it.
    progress : callable, optional
        Called now and then with the per cent done, 100, and the workload with the time left.

    Raises
    ------
    UsageError
        If the engine is unknown, or the workload or the background does not fit the cluster.
    CapabilityError
        If the engine lacks an input, or something that is wanted; `engines.capabilities` has all
        refusals.
    RunError
        If the run cannot finish: ranks wait forever, or a connection or a rank's node is lost; or
        as soon as it is too long for a page.

    Examples
    --------
    >>> from linkwright import Cluster, compile, workloads
    >>> pair = compile(Cluster.parse("{name: pair, topology: {kind: direct}}"))
    >>> run = Run.of(pair, workloads.PingPong(size_bytes=1))
    >>> seen = observe(run, Observation(traffic=True, timeline=True))
    >>> len(seen.watched.traffic.csv) > 0
    True
    """
    started, engine = datetime.now(UTC), engine_named(run.engine)
    refuse_beyond(engine, run, wanted)
    run = engine.settle(run)
    made = _repeated(engine, run, wanted, n_jobs, progress)
    found = remarks(engine, run, [one.ending for one in made])
    if wanted and can_vary(engine, run):
        found = (*found, watched_alone(run))
    result = Result.concatenate(one.seen.result for one in made)
    return replace(made[0].seen, run=run, result=_documented(result, run, started, found))


def _takes_inputs(function: F) -> F:
    """Add the inputs of a run to the keywords of a function, for its help and for completion."""
    own, inputs = signature(function), list(signature(Run.of).parameters.values())[2:]
    kept = [one for one in own.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    keywords = sorted([*kept, *inputs], key=lambda one: one.kind)
    function.__signature__ = own.replace(parameters=keywords)  # type: ignore[attr-defined]
    return function


@_takes_inputs
def run(
    network: Network,
    workload: Workload,
    *,
    n_jobs: int | None = None,
    progress: Report | None = None,
    **inputs: Any,
) -> Result:
    """Run a workload on a network.

    Parameters
    ----------
    network, workload
        The compiled network, and the workload.
    n_jobs, progress
        As for `engines.observe`.
    **inputs
        The inputs of the run, such as ``engine`` and ``seed``; see `engines.Run.of`.

    Returns
    -------
    Result
        The workload's figures and the engine's own, per repeat, with a manifest and ``remarks``.

    Raises
    ------
    LinkwrightError
        As `engines.Run.of` and `engines.observe`.

    Examples
    --------
    >>> from linkwright import Cluster, compile, workloads
    >>> pair = compile(Cluster.parse("{name: pair, topology: {kind: direct}}"))
    >>> result = run(pair, workloads.PingPong(size_bytes=1))
    >>> round(result.filter(metric="latency").values()[0] * 1e6)
    175
    """
    return observe(Run.of(network, workload, **inputs), n_jobs=n_jobs, progress=progress).result


@_takes_inputs
def watch(
    network: Network,
    workload: Workload,
    *,
    has_capture: bool = True,
    has_traffic: bool = True,
    has_timeline: bool = False,
    **inputs: Any,
) -> tuple[Result, Watched]:
    """Run a workload once and watch its frames, or all that happens: `observe` with two results.

    Parameters
    ----------
    network, workload, **inputs
        As for `run`.
    has_capture, has_traffic, has_timeline : bool
        The `Observation`: capture, traffic and timeline.

    Raises
    ------
    LinkwrightError
        As for `run`.
    """
    wanted = Observation(capture=has_capture, traffic=has_traffic, timeline=has_timeline)
    seen = observe(Run.of(network, workload, **inputs), wanted)
    return seen.result, seen.watched or Watched.of(network, {})


def saturate(
    network: Network,
    patterns: Iterable[Pattern] | None = None,
    *,
    calibration: str | calibrations.Calibration | None = None,
) -> Result:
    """Count the loads of traffic patterns, and the rate at which the first resource is full.

    Parameters
    ----------
    network : Network
        The compiled network.
    patterns : iterable of Pattern, optional
        Patterns of senders and receivers. Default: every pattern of `workloads.PATTERNS` with its
        default settings.
    calibration : str or Calibration, optional
        Hosts, for the processor time of sending, receiving and forwarding. Default: those of the
        design.

    Returns
    -------
    Result
        Per pattern the metrics `saturation_throughput` (bytes of user data per second of the
        busiest sender), `busiest_link_load` and `busiest_forwarder_load` (packets on the busiest
        direction of a link, and forwarded by the busiest node, per packet that a sender injects).
        The parameters name the full resource (`bottleneck`) and tell whether the load is `exact`: a
        worst case on more than 576 nodes is the worst of some permutations.

    Examples
    --------
    >>> import linkwright
    >>> cluster = linkwright.Cluster.parse("{name: ring, topology: {kind: ring, shape: [8]}}")
    >>> result = saturate(linkwright.compile(cluster), calibration="ideal-reno")
    >>> result.filter(metric="busiest_link_load").values().round(2).tolist()
    [1.14, 2.0, 0.5, 2.0, 4.0, 1.0, 3.0]
    """
    from linkwright.engines.saturation import every_pattern

    expect_kind("saturate", network, Network)
    started = datetime.now(UTC)
    first = Run.of(
        network, Uniform(), engine="saturation", calibration=calibration, study="saturate"
    )
    chosen = every_pattern(network) if patterns is None else patterns
    made = called([(one.name, partial(observe, replace(first, workload=one))) for one in chosen])
    result = Result.concatenate(one.result for one in made)
    return _documented(result, first, started, result.remarks)


@dataclass(frozen=True, eq=False)
class _Made:
    """One run that has ended; its large answer is not kept."""

    seen: Observed
    ending: Ending


def _once(engine: Engine, run: Run, wanted: Observation) -> _Made:
    """Make one run."""
    outcome = engine.simulate(run, wanted)
    rows = result_of_run(outcome.run, outcome.measurements, outcome.figures, origin=engine.origin)
    watched = outcome.watched
    if watched is None and (wanted.has_frames or wanted.timeline):
        watched = Watched.of(run.network, outcome.answer)
    page = packed(outcome.run, outcome.n_ranks) if wanted.page else None
    return _Made(Observed(run, rows, watched, page), Ending.of(outcome))


def _repeated(
    engine: Engine,
    first: Run,
    wanted: Observation,
    n_jobs: int | None,
    progress: Report | None,
) -> list[_Made]:
    """Return a run and its repeats.

    Without a number of repeats, the first two tell whether chance matters.
    """
    repeats = first.repeats
    n_runs = repeats or (first.workload.n_seeds if can_vary(engine, first) else 1)
    told = None if progress is None else _Told(first.workload.name, n_runs, progress)

    def once(run: Run) -> _Made:
        return _once(engine, run, wanted if told is None else replace(wanted, report=told.of(run)))

    reason = "asked for" if repeats else "as many as chance needs here"
    choices.note("%s: %d seeds from %s on, %s", first.workload.name, n_runs, first.seed, reason)
    if n_runs == 1:
        return [once(first.repeated(0))]
    runs = [first.repeated(repeat) for repeat in range(n_runs)]
    calls = [(first.workload.name, partial(once, one)) for one in runs]
    n_jobs = engine.jobs(n_jobs)
    made = called(calls if repeats else calls[:FEWEST], n_jobs=n_jobs)
    if repeats is None and are_alike([one.seen.result for one in made]):
        return made[:1]
    return made + called(calls[len(made) :], n_jobs=n_jobs)


class _Told:
    """The progress of a run and its repeats as one."""

    def __init__(self, name: str, n_runs: int, progress: Report) -> None:
        self._name, self._progress = name, progress
        self._shares = [0.0] * n_runs
        self._begin_s = time.monotonic()

    def of(self, run: Run) -> Callable[[int, int], None]:
        """Return the function that receives the progress of one of the runs."""

        def report(n_done: int, n_all: int) -> None:
            self._shares[run.repeat] = n_done / max(n_all, 1)
            share = sum(self._shares) / len(self._shares)
            left = time_left(share, time.monotonic() - self._begin_s)
            self._progress(round(100 * share), 100, f"{self._name}{left}")

        return report


def _documented(result: Result, run: Run, started: datetime, found: Sequence[str]) -> Result:
    """Return a result with the manifest of its runs: all that they were made with."""
    drawn = {} if run.draw is None else run.hosts.published_draws()
    manifest = Manifest.of(
        runs=list(dict.fromkeys(result.column("run"))),
        started=started,
        finished=datetime.now(UTC),
        seeds=sorted({seed for seed in result.column("seed") if seed is not None}),
        hosts={run.hosts.name: run.hosts.published() | drawn},
        remarks=found,
    )
    return Result(result.columns, (manifest,))
