"""The ways into the engines: a run, a run with its frames, and the load that fills a network.

The keywords of a caller become one `Run` here. What must be known of a run is added to its result.
Long because `run` documents every option.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from operator import index

from linkwright import calibrations
from linkwright import faults as fault_texts
from linkwright.engines.capabilities import engine_named, refuse_beyond
from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.remarks import Ending, remarks
from linkwright.engines.threads import threads
from linkwright.errors import CapabilityError, UsageError, expect_kind, shown
from linkwright.network import Network
from linkwright.placement import IN_ORDER
from linkwright.results import Manifest, Result, Run, result_of_run
from linkwright.workloads import BACKGROUNDS, Background, Pattern, Workload

__all__ = ["run", "saturate", "trace"]

MOST_REPEATS = 100_000
"""Most repeats of one run, whose rows are all held in memory."""


def run(
    network: Network,
    workload: Workload,
    *,
    engine: str = "packet",
    calibration: str | calibrations.Calibration | None = None,
    seed: int = 0,
    repeats: int = 1,
    n_jobs: int | None = None,
    study: str = "",
    placement: str = IN_ORDER,
    background: Workload | None = None,
    faults: Sequence[str] = (),
    precision: float | None = None,
) -> Result:
    """Play a workload on a network.

    Parameters
    ----------
    network, workload
        What is built, and what runs on it, one rank on a node.
    engine : str
        One of `ENGINES`.
    calibration : str or Calibration, optional
        The hosts: a name, a TOML file, or ``load(NAME).changed({...})``; else the catalogue's.
    seed : int
        Seed of the first repeat; repeat r has seed + r.
    repeats : int
        Independent runs; repeats end at once on Ctrl-C.
    n_jobs : int, optional
        How many are played at the same time, one per core unless given; no row depends on it.
    study, placement : str
        What is asked; and which node each rank runs on, by ``placement.GRAMMAR``. Both stand in
        every row, the placement unless it is "row".
    background : Workload, optional
        What the front end sends meanwhile, ``keep-alive`` or ``file-server``; stands in every row.
    faults : sequence of str
        What goes wrong in the run, by ``faults.GRAMMAR``; stands in every row.
    precision : float, optional
        Of the flow engine, docs/design/flow-engine-precision.md; stands in every row unless exact.

    Returns
    -------
    Result
        The workload's figures and the engine's own, per repeat, with a manifest and ``remarks``.

    Raises
    ------
    UsageError
        When a name is unknown, or the workload or the background does not fit the cluster.
    CapabilityError
        When the engine has no faults or background, or no precision to choose.
    RunError
        When the run cannot finish: ranks wait for ever, or a connection or a rank's node is lost.

    Examples
    --------
    >>> from linkwright import Cluster, compile, workloads
    >>> pair = compile(Cluster.parse("{name: pair, topology: {kind: direct}}"))
    >>> result = run(pair, workloads.PingPong(size_bytes=1))
    >>> round(result.filter(metric="latency").values()[0] * 1e6)
    175
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
    )
    _expect_repeats(repeats)
    refuse_beyond(chosen, asked)
    result, endings = _repeated(chosen, asked, repeats, n_jobs)
    return _documented(result, asked.hosts, started, remarks(chosen, asked, endings))


def trace(
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
) -> tuple[Result, bytes]:
    """Play a workload once and capture every frame at every port.

    The parameters are those of `run`.

    Returns
    -------
    Result
        As `run` returns it.
    bytes
        A pcapng file; Wireshark and tshark open it.

    Raises
    ------
    CapabilityError
        When the engine moves no frames; else as `run` does.
    """
    started, chosen = datetime.now(UTC), _engine(engine)
    if chosen.capture is None:
        raise CapabilityError(
            f"the {engine} engine has no frames to capture, the packet engine has",
            "leave out --trace, or --engine and --precision",
        )
    asked = _folded(
        "trace",
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
    outcome, captured = chosen.capture(asked)
    said = remarks(chosen, asked, [Ending.of(outcome)])
    return _documented(_rows(chosen, outcome), asked.hosts, started, said), captured


def saturate(
    network: Network,
    patterns: Iterable[Pattern] | None = None,
    *,
    calibration: str | calibrations.Calibration | None = None,
) -> Result:
    """Count what patterns of traffic load, and the rate at which something is full.

    Parameters
    ----------
    network : Network
        What is built.
    patterns : iterable of Pattern, optional
        Who sends to whom; unless given, every pattern of `workloads.PATTERNS` as it is by default.
    calibration : str or Calibration, optional
        The hosts, for what sending, receiving and relaying cost their processors; unless given,
        those of the design.

    Returns
    -------
    Result
        Per pattern the metrics `saturation_throughput` (bytes of user data per second of the
        busiest sender), `busiest_link_load` and `busiest_forwarder_load` (packets on the busiest
        direction of a link, and relayed by the busiest node, for one packet that a sender injects).
        Their parameters say what is full first (`bottleneck`), and whether that is `exact`: a
        worst case of more than 576 nodes is the worst of some permutations.

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
    hosts, started = _hosts(calibration, network), datetime.now(UTC)
    chosen = every_pattern(network) if patterns is None else patterns
    result = Result.concatenate(saturation(network, pattern, hosts) for pattern in chosen)
    return _documented(result, hosts, started)


def _engine(name: str) -> Engine:
    _expect_text("engine", name)
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
) -> Run:
    """Return the inputs of a run as one value, each of its kind.

    Raises
    ------
    UsageError
        When one of them is not.
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
        hosts=_hosts(calibration, network),
        seed=index(seed),
        study=study,
        placement=placement,
        background=None if background is None else _background(background),
        faults=fault_texts.parse(faults, network),
        precision=precision,
    )


def _expect_text(option: str, value: object) -> None:
    if not isinstance(value, str):
        raise UsageError(f"{option} {shown(value)} is no text", f"give {option} by its name")


def _expect_repeats(repeats: int) -> None:
    if repeats < 1:
        raise UsageError(f"{repeats} repeats are none", "ask for one or more")
    if repeats > MOST_REPEATS:
        raise UsageError(
            f"{repeats} repeats are too many, {MOST_REPEATS} are allowed",
            "ask for fewer, and start again with another seed",
        )


def _background(workload: Workload) -> Background:
    """Return a workload that can run in the background of another."""
    expect_kind("background", workload, Workload)
    if not isinstance(workload, Background):
        raise UsageError(
            f"workload {workload.name} does not run beside others",
            f"choose {' or '.join(BACKGROUNDS)}",
        )
    if "count" in workload.model_fields_set:
        raise UsageError(
            f"background {workload.name} goes on until the workload ends, whatever its count",
            "leave out count",
        )
    return workload


def _hosts(
    calibration: str | calibrations.Calibration | None, network: Network
) -> calibrations.Calibration:
    hosts = network.calibration if calibration is None else calibration
    if isinstance(hosts, str):
        return calibrations.load(hosts)
    expect_kind("calibration", hosts, calibrations.Calibration)
    return hosts


def _repeated(
    engine: Engine, first: Run, repeats: int, n_jobs: int | None
) -> tuple[Result, list[Ending]]:
    """Return the rows of a run and its repeats, and how each of them ended."""

    def once(run: Run) -> tuple[Result, Ending]:
        outcome = engine.simulate(run)
        return _rows(engine, outcome), Ending.of(outcome)

    if repeats == 1:
        result, ending = once(first)
        return result, [ending]
    seed = first.seed or 0
    runs = [replace(first, seed=seed + repeat, repeat=repeat) for repeat in range(repeats)]
    with threads(n_jobs) as pool:
        results, endings = zip(*pool.map(once, runs), strict=True)
    return Result.concatenate(results), list(endings)


def _rows(engine: Engine, outcome: Outcome) -> Result:
    return result_of_run(outcome.run, engine.name, outcome.measurements, outcome.figures)


def _documented(
    result: Result,
    hosts: calibrations.Calibration,
    started: datetime,
    said: Sequence[str] = (),
) -> Result:
    """Return a result with the manifest of its runs: all that they were made with."""
    manifest = Manifest.of(
        runs=list(dict.fromkeys(result.column("run"))),
        started=started,
        finished=datetime.now(UTC),
        seeds=sorted({seed for seed in result.column("seed") if seed is not None}),
        hosts={hosts.name: hosts.published()},
        remarks=said,
    )
    return Result(result.columns, (manifest,))
