"""The ways into the engines: a run, a run with its frames, and the load that fills a network.

What an engine cannot do is refused here, and what must be known of a run is added to its result.
Long because `run` documents every option.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from operator import index
from pathlib import Path
from typing import Any

from linkwright import calibrations
from linkwright.engines import ENGINES
from linkwright.engines.remarks import Ending, remarks
from linkwright.engines.threads import threads
from linkwright.errors import CapabilityError, UsageError, expect_kind, shown, unknown_name
from linkwright.network import Network
from linkwright.placement import IN_ORDER
from linkwright.results import Manifest, Result
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
        What goes wrong in the run, by ``engines.faults.GRAMMAR``; stands in every row.
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
    _check("run", network, workload, repeats)
    _check_options(engine=engine, seed=seed, placement=placement, faults=faults)
    hosts, started = _loaded(calibration, network), datetime.now(UTC)
    play = _engine(engine, faults, precision, background)
    play = partial(play, network, workload, hosts, study=study, placement=placement)
    result, ends = _repeated(play, range(seed, seed + repeats), n_jobs)
    said = remarks(engine, hosts, network, workload, ends, faults)
    return _documented(result, hosts, started, said)


def trace(
    network: Network,
    workload: Workload,
    *,
    calibration: str | calibrations.Calibration | None = None,
    seed: int = 0,
    placement: str = IN_ORDER,
    background: Workload | None = None,
    faults: Sequence[str] = (),
) -> tuple[Result, bytes]:
    """Play a workload once through the packet engine and capture every frame at every port.

    The parameters are those of `run`.

    Returns
    -------
    Result
        As `run` returns it.
    bytes
        A pcapng file; Wireshark and tshark open it.
    """
    from linkwright.engines import packet

    _check("trace", network, workload)
    _check_options(seed=seed, placement=placement, faults=faults)
    hosts, started = _loaded(calibration, network), datetime.now(UTC)
    result, outcome, capture = packet.trace(
        network,
        workload,
        hosts,
        seed=index(seed),
        placement=placement,
        background=None if background is None else _beside(background, "packet"),
        faults=faults,
    )
    said = remarks("packet", hosts, network, workload, [Ending.of(outcome)], faults)
    return _documented(result, hosts, started, said), capture


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
    chosen = every_pattern(network) if patterns is None else patterns
    hosts, started = _loaded(calibration, network), datetime.now(UTC)
    result = saturation(network, chosen, hosts)
    return _documented(result, hosts, started)


def _check(verb: str, network: Network, workload: Workload, repeats: int = 1) -> None:
    expect_kind(verb, network, Network)
    expect_kind(verb, workload, Workload)
    if repeats < 1:
        raise UsageError(f"{repeats} repeats are none", "ask for one or more")
    if repeats > MOST_REPEATS:
        raise UsageError(
            f"{repeats} repeats are too many, {MOST_REPEATS} are allowed",
            "ask for fewer, and start again with another seed",
        )


def _check_options(
    *, engine: str = "packet", seed: int, placement: str, faults: Sequence[str]
) -> None:
    """Refuse options of the wrong kind by their names."""
    for name, value in {"engine": engine, "placement": placement}.items():
        if not isinstance(value, str):
            raise UsageError(f"{name} {shown(value)} is no text", f"give {name} by its name")
    if isinstance(faults, str):
        raise UsageError("faults are a list of texts, not one text", f"write [{shown(faults)}]")
    if not 0 <= index(seed) < 1 << 64:
        raise UsageError(f"seed {shown(seed)} is out of range", "choose one from 0 to 2^64 - 1")


def _beside(background: Workload, engine: str) -> Background:
    """Return what runs beside a workload, on an engine where that is noticed."""
    expect_kind("background", background, Workload)
    if not isinstance(background, Background):
        raise UsageError(
            f"workload {background.name} does not run beside others",
            f"choose {' or '.join(BACKGROUNDS)}",
        )
    if "count" in background.model_fields_set:
        raise UsageError(
            f"background {background.name} goes on until the workload ends, whatever its count",
            "leave out count",
        )
    if engine == "analytic":
        raise CapabilityError(
            f"background {background.name}: ranks share nothing in the analytic engine, so that it "
            "would change nothing",
            "use the packet engine, or flow",
        )
    return background


def _engine(
    name: str, faults: Sequence[str], precision: float | None, background: Workload | None
) -> Callable[..., tuple[Result, dict[str, Any]]]:
    """Return what plays a workload, with faults, a precision and a background if there are any."""
    if name not in ENGINES:
        raise UsageError(f"unknown engine {shown(name)}", unknown_name(name, ENGINES))
    if precision is not None and name != "flow":
        raise CapabilityError(
            f"the {name} engine has no precision to choose", "use the flow engine"
        )
    if faults and name != "packet":
        raise CapabilityError(f"parts cannot fail in the {name} engine", "use the packet engine")
    given: dict[str, object] = {"faults": faults} if faults else {}
    if precision is not None:
        given["precision"] = precision
    if background is not None:
        given["background"] = _beside(background, name)
    return partial(ENGINES[name], **given)


def _repeated(
    play: Callable[..., tuple[Result, dict[str, Any]]], seeds: range, n_jobs: int | None
) -> tuple[Result, list[Ending]]:
    """Return the rows of all repeats, and how each of them ended."""

    def once(repeat: int) -> tuple[Result, Ending]:
        result, outcome = play(seed=seeds[repeat], repeat=repeat)
        return result, Ending.of(outcome)

    if len(seeds) == 1:
        result, ending = once(0)
        return result, [ending]
    with threads(n_jobs) as pool:
        runs = [pool.submit(once, repeat) for repeat in range(len(seeds))]
        results, endings = zip(*(run.result() for run in runs), strict=True)
    return Result.concatenate(results), list(endings)


def _loaded(
    calibration: str | calibrations.Calibration | None, network: Network
) -> calibrations.Calibration:
    hosts = network.calibration if calibration is None else calibration
    if isinstance(hosts, str):
        return calibrations.load(hosts)
    expect_kind("calibration", hosts, calibrations.Calibration)
    return hosts


def _documented(
    result: Result,
    hosts: calibrations.Calibration,
    started: datetime,
    said: Sequence[str] = (),
) -> Result:
    """Return a result with the manifest of its runs: all that they were made with."""
    manifest = Manifest.of(
        runs=list(dict.fromkeys(result.column("run"))),
        command=[Path(sys.argv[0]).name, *sys.argv[1:]],
        started=started,
        finished=datetime.now(UTC),
        seeds=sorted({seed for seed in result.column("seed") if seed is not None}),
        hosts={hosts.name: hosts.published()},
        remarks=said,
    )
    return Result(result.columns, (manifest,))
