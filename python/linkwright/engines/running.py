"""The entry points of the engines: a run, a run whose frames are watched, and saturation.

The keywords of a caller become one `Run` here, and remarks are added to its result. Long because
`run` documents every option.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from operator import index

from linkwright import calibrations, choices
from linkwright import faults as fault_texts
from linkwright.engines.capabilities import engine_named, refuse_beyond
from linkwright.engines.chance import FEWEST, are_alike, can_vary
from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.played import PackedRun, packed
from linkwright.engines.playing import MOST_HOPS
from linkwright.engines.remarks import Ending, remarks, watched_alone
from linkwright.errors import CapabilityError, UsageError, expect_kind, shown
from linkwright.network import Network
from linkwright.nodes.hosts import doubts, hosts_of
from linkwright.observations.watched import Watched
from linkwright.placement import IN_ORDER
from linkwright.progress import Report, time_left
from linkwright.results import Manifest, Result, Run, result_of_run
from linkwright.threads import threads
from linkwright.workloads import BACKGROUNDS, Background, Pattern, Workload

__all__ = ["play", "run", "saturate", "watch"]

MOST_REPEATS = 100_000
"""Largest number of repeats of one run, whose rows are all held in memory."""


def run(
    network: Network,
    workload: Workload,
    *,
    engine: str = "packet",
    calibration: str | calibrations.Calibration | None = None,
    seed: int = 0,
    repeats: int | None = 1,
    n_jobs: int | None = None,
    study: str = "",
    placement: str = IN_ORDER,
    background: Workload | None = None,
    faults: Sequence[str] = (),
    precision: float | None = None,
    dilation: float | None = None,
    draws: int | None = None,
    progress: Report | None = None,
) -> Result:
    """Run a workload on a network.

    Parameters
    ----------
    network, workload
        The compiled network, and the workload, with one rank per node.
    engine : str
        One of `ENGINES`.
    calibration : str or Calibration, optional
        Hosts: a name, a TOML file, or ``load(NAME).changed({...})``. Default: the catalogue's.
    seed : int
        Seed of the first repeat; repeat r has seed + r.
    repeats : int or None
        Number of independent runs; Ctrl-C stops them at once. None runs one where chance does not
        matter, and ``workload.n_seeds`` where it does.
    n_jobs : int, optional
        Runs at the same time. Default: one per core. No row depends on it.
    study, placement : str
        The question, and the node of each rank by ``placement.GRAMMAR``. Both are in every row,
        the placement unless it is "row".
    background : Workload, optional
        Traffic of the front end, ``keep-alive`` or ``file-server``; in every row.
    faults : sequence of str
        Faults during the run by ``faults.GRAMMAR``; in every row.
    precision : float, optional
        Bound of the flow engine on late rate updates (docs/design/flow-engine-precision.md); in
        every row unless exact.
    dilation : float, optional
        Real seconds for one second of the emulation; in every row. Default: as many as this machine
        needs.
    draws : int, optional
        Number of runs, each with its own seed and its own draw of the hosts' fitted constants, for
        the uncertainty of the prediction (`results.interval_of`); every row has its `draw`.
    progress : callable, optional
        Called now and then with the per cent done, 100, and the workload with the time left.

    Returns
    -------
    Result
        The workload's figures and the engine's own, per repeat, with a manifest and ``remarks``.

    Raises
    ------
    UsageError
        If a name is unknown, the workload or the background does not fit the cluster, or the hosts
        have fewer draws.
    CapabilityError
        If the engine has no faults, background, precision, dilation or draws.
    RunError
        If the run cannot finish: ranks wait forever, or a connection or a rank's node is lost.

    Examples
    --------
    >>> from linkwright import Cluster, compile, workloads
    >>> pair = compile(Cluster.parse("{name: pair, topology: {kind: direct}}"))
    >>> result = run(pair, workloads.PingPong(size_bytes=1))
    >>> round(result.filter(metric="latency").values()[0] * 1e6)
    176
    """
    started, chosen = datetime.now(UTC), _engine(engine)
    asked = _folded(
        "run",
        network,
        workload,
        calibration=calibration,
        seed=seed,
        study=study,
        placement=placement,
        background=background,
        faults=faults,
        precision=precision,
        dilation=dilation,
    )
    _expect_repeats(repeats)
    if draws is not None:
        asked, repeats = _first_draw(asked, repeats, draws), draws
    refuse_beyond(chosen, asked)
    asked = chosen.settle(asked)
    result, endings = _repeated(chosen, asked, repeats, n_jobs, progress)
    found = remarks(chosen, asked, endings)
    return _documented(result, asked.hosts, started, found, is_drawn=draws is not None)


def watch(
    network: Network,
    workload: Workload,
    *,
    engine: str = "packet",
    calibration: str | calibrations.Calibration | None = None,
    seed: int = 0,
    placement: str = IN_ORDER,
    background: Workload | None = None,
    faults: Sequence[str] = (),
    precision: float | None = None,
    dilation: float | None = None,
    has_capture: bool = True,
    has_traffic: bool = True,
    has_timeline: bool = False,
) -> tuple[Result, Watched]:
    """Run a workload once and watch the frames at every port, or all that happens.

    Other parameters are those of `run`.

    Parameters
    ----------
    has_capture : bool
        Whether frames are captured. Default: they are; their counts over time take less memory.
    has_traffic : bool
        Whether frames and bytes are counted.
    has_timeline : bool
        Whether the activities of ranks are recorded; of the packet engine also frames, queues,
        processors and windows. With nothing else, every predictive engine does.

    Returns
    -------
    Result
        As `run` returns it.
    Watched
        ``capture``, a pcapng file, which Wireshark and tshark open; ``traffic``, the frames and
        bytes of every port over time; ``timeline``, a text in Chrome's trace event format, which
        Perfetto opens.

    Raises
    ------
    CapabilityError
        If the engine moves no frames; else as for `run`.
    """
    started, chosen = datetime.now(UTC), _engine(engine)
    has_frames = has_capture or has_traffic
    _expect_watched(chosen, has_frames=has_frames, has_timeline=has_timeline)
    asked = _folded(
        "watch",
        network,
        workload,
        calibration=calibration,
        seed=seed,
        placement=placement,
        background=background,
        faults=faults,
        precision=precision,
        dilation=dilation,
    )
    refuse_beyond(chosen, asked)
    asked = replace(chosen.settle(asked), is_recorded=has_timeline)
    if has_frames and chosen.watch is not None:
        outcome, watched = chosen.watch(asked, has_capture)
    else:
        outcome = chosen.simulate(asked)
        watched = Watched.of(network, outcome.answer)
    return _alone(chosen, asked, outcome, started), watched


def play(
    network: Network,
    workload: Workload,
    *,
    engine: str = "packet",
    calibration: str | calibrations.Calibration | None = None,
    seed: int = 0,
    placement: str = IN_ORDER,
    background: Workload | None = None,
    faults: Sequence[str] = (),
    precision: float | None = None,
) -> tuple[Result, PackedRun]:
    """Run a workload once, and pack the run for a page that plays it.

    Parameters are those of `run`.

    Returns
    -------
    Result
        As `run` returns it.
    PackedRun
        The inputs of the run, for `views.play_page`.

    Raises
    ------
    CapabilityError
        If the engine is not the packet engine; else as for `run`.
    RunError
        As soon as the run is too long for a page; else as for `run`.
    """
    started, chosen = datetime.now(UTC), _engine(engine)
    if chosen.name != "packet":
        raise CapabilityError(
            f"the {engine} engine does not run in a page, the packet engine does",
            "leave out --engine and --precision, or write .json, .csv or .parquet",
        )
    asked = _folded(
        "play",
        network,
        workload,
        calibration=calibration,
        seed=seed,
        placement=placement,
        background=background,
        faults=faults,
        precision=precision,
    )
    refuse_beyond(chosen, asked)
    outcome = chosen.simulate(replace(asked, most_hops=MOST_HOPS))
    return _alone(chosen, asked, outcome, started), packed(outcome.run, outcome.n_ranks)


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
    from linkwright.engines.saturation import every_pattern, saturation

    expect_kind("saturate", network, Network)
    hosts, started = hosts_of(network, calibration), datetime.now(UTC)
    chosen = every_pattern(network) if patterns is None else patterns
    result = Result.concatenate(saturation(network, pattern, hosts) for pattern in chosen)
    return _documented(result, hosts, started, tuple(doubts(network, hosts)))


def _expect_watched(engine: Engine, *, has_frames: bool, has_timeline: bool) -> None:
    """Refuse to watch what an engine does not have."""
    if has_frames and engine.watch is None:
        raise CapabilityError(
            f"the {engine.name} engine has no frames to capture or count, the packet engine has",
            "leave out --trace and --traffic, or --engine and --precision",
        )
    if has_timeline and engine.origin != "predicted":
        raise CapabilityError(
            f"the {engine.name} engine has no time line, the predictive engines have",
            "leave out --timeline, or name another --engine",
        )


def _engine(name: str) -> Engine:
    _expect_text("engine", name)
    choices.detail("engine %s", name)
    return engine_named(name)


def _folded(
    verb: str,
    network: Network,
    workload: Workload,
    *,
    calibration: str | calibrations.Calibration | None,
    seed: int,
    study: str = "",
    placement: str,
    background: Workload | None,
    faults: Sequence[str],
    precision: float | None,
    dilation: float | None = None,
) -> Run:
    """Return the inputs of a run as one value, each with its type.

    Raises
    ------
    UsageError
        If an input has the wrong type.
    """
    expect_kind(verb, network, Network)
    expect_kind(verb, workload, Workload)
    _expect_text("placement", placement)
    if isinstance(faults, str):
        raise UsageError("faults are a list of texts, not one text", f"write [{shown(faults)}]")
    if not 0 <= index(seed) < 1 << 64:
        raise UsageError(f"seed {shown(seed)} is out of range", "choose one from 0 to 2^64 - 1")
    return Run(
        network=network,
        workload=workload,
        hosts=hosts_of(network, calibration),
        seed=index(seed),
        study=study,
        placement=placement,
        background=None if background is None else _background(background),
        faults=fault_texts.parse(faults, network),
        precision=precision,
        dilation=dilation,
    )


def _expect_text(option: str, value: object) -> None:
    if not isinstance(value, str):
        raise UsageError(f"{option} {shown(value)} is not a text", f"give {option} by its name")


def _expect_repeats(repeats: int | None) -> None:
    if repeats is None:
        return
    if repeats < 1:
        raise UsageError(f"{repeats} repeats are too few", "ask for one or more")
    if repeats > MOST_REPEATS:
        raise UsageError(
            f"{repeats} repeats are too many, {MOST_REPEATS} are allowed",
            "ask for fewer, and start another run with another seed",
        )


def _first_draw(run: Run, repeats: int | None, draws: int) -> Run:
    """Return the first of the runs that draw constants of their hosts."""
    if repeats not in (None, 1):
        raise UsageError("draws are runs with a seed each", "give repeats or draws, not both")
    if draws < 1:
        raise UsageError(f"{draws} draws are too few", "ask for one or more")
    run.hosts.drawn(draws)
    return replace(run, draw=1)


def _background(workload: Workload) -> Background:
    """Return a workload that can run in the background of another."""
    expect_kind("background", workload, Workload)
    if not isinstance(workload, Background):
        raise UsageError(
            f"workload {workload.name} cannot run in the background",
            f"choose {' or '.join(BACKGROUNDS)}",
        )
    if "count" in workload.model_fields_set:
        raise UsageError(
            f"background {workload.name} runs until the workload ends, whatever its count",
            "leave out count",
        )
    return workload


def _repeated(
    engine: Engine,
    first: Run,
    repeats: int | None,
    n_jobs: int | None,
    progress: Report | None,
) -> tuple[Result, list[Ending]]:
    """Return the rows of a run and its repeats, and the ending of each.

    Without a number of repeats, the first two tell whether chance matters.
    """

    def once(run: Run) -> tuple[Result, Ending]:
        outcome = engine.simulate(run if told is None else replace(run, report=told.of(run)))
        return _rows(engine, outcome), Ending.of(outcome)

    n_runs = repeats or (first.workload.n_seeds if can_vary(engine, first) else 1)
    told = None if progress is None else _Told(first.workload.name, n_runs, progress)
    reason = "asked for" if repeats else "as many as chance needs here"
    choices.note("%s: %d seeds from %s on, %s", first.workload.name, n_runs, first.seed, reason)
    if n_runs == 1:
        result, ending = once(_repeat(first, 0))
        return result, [ending]
    runs = [_repeat(first, repeat) for repeat in range(n_runs)]
    with threads(engine.jobs(n_jobs)) as pool:
        made = list(pool.map(once, runs if repeats else runs[:FEWEST]))
        if repeats is None and are_alike([result for result, _ in made]):
            result, ending = made[0]
            return result, [ending]
        made += pool.map(once, runs[len(made) :])
    return Result.concatenate(result for result, _ in made), [ending for _, ending in made]


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


def _repeat(first: Run, repeat: int) -> Run:
    """Return a repeat of a run: with the next seed, and the next draw if constants are drawn."""
    run = replace(first, seed=(first.seed or 0) + repeat, repeat=repeat)
    if first.draw is None:
        return run
    draw = first.draw + repeat
    return replace(run, draw=draw, hosts=first.hosts.drawn(draw))


def _rows(engine: Engine, outcome: Outcome) -> Result:
    return result_of_run(
        outcome.run, engine.name, outcome.measurements, outcome.figures, origin=engine.origin
    )


def _alone(chosen: Engine, asked: Run, outcome: Outcome, started: datetime) -> Result:
    """Return the result of a run that was made once, with a remark where others would differ."""
    found = remarks(chosen, asked, [Ending.of(outcome)])
    if can_vary(chosen, asked):
        found = (*found, watched_alone(asked))
    return _documented(_rows(chosen, outcome), asked.hosts, started, found)


def _documented(
    result: Result,
    hosts: calibrations.Calibration,
    started: datetime,
    found: Sequence[str] = (),
    *,
    is_drawn: bool = False,
) -> Result:
    """Return a result with the manifest of its runs: all that they were made with."""
    drawn = hosts.published_draws() if is_drawn else {}
    manifest = Manifest.of(
        runs=list(dict.fromkeys(result.column("run"))),
        started=started,
        finished=datetime.now(UTC),
        seeds=sorted({seed for seed in result.column("seed") if seed is not None}),
        hosts={hosts.name: hosts.published() | drawn},
        remarks=found,
    )
    return Result(result.columns, (manifest,))
