"""What must be known about a run to read its result aright: the one place that says remarks.

Every manifest carries them, the commands print them, pages show them. A remark is no finding about
the design and no error: the rows are what the engine found. It says that the run was not what its
caller may take it for: constants that the engine leaves out, nodes without a rank, faults that came
too late, results made of time-outs. docs/concepts/how-a-run-works.md lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from linkwright.calibrations import Calibration
from linkwright.engines.faults import parse
from linkwright.engines.left_out import left_out
from linkwright.network import Network
from linkwright.workloads import Workload

__all__ = ["Ending", "remarks"]

MOST_WAITING = 0.1
"""Part of a run in which connections may wait for time-outs before a remark says so."""

MOST_NAMED = 3
"""Faults that one remark names."""


@dataclass(frozen=True)
class Ending:
    """What remarks need to know of one run that is over.

    Attributes
    ----------
    n_ranks : int
        Ranks of the workload.
    simulated_s : float
        When the last of them was done.
    n_timeouts : int
        Retransmission time-outs of TCP.
    waited_s : float
        For how long at least one connection waited for a time-out.
    """

    n_ranks: int
    simulated_s: float
    n_timeouts: int = 0
    waited_s: float = 0.0

    @classmethod
    def of(cls, outcome: Mapping[str, Any]) -> Self:
        """Return the ending of a run, from what `linkwright.engines.played` returns of it."""
        figures = outcome["figures"]
        return cls(
            n_ranks=outcome["n_ranks"],
            simulated_s=figures["simulated_s"],
            n_timeouts=figures.get("timeouts", 0),
            waited_s=outcome.get("waited_for_timeouts_s", 0.0),
        )

    @property
    def waiting(self) -> float:
        """Part of the run in which at least one connection waited for a time-out."""
        return self.waited_s / self.simulated_s if self.simulated_s else 0.0


def remarks(
    engine: str,
    hosts: Calibration,
    network: Network,
    workload: Workload,
    endings: Sequence[Ending],
    faults: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return the remarks on some runs that differ in nothing but their seeds."""
    return (
        *left_out(engine, hosts, network),
        *_idle_nodes(network, workload, endings),
        *_late_faults(network, faults, endings),
        *_waits(hosts, workload, endings),
    )


def _idle_nodes(network: Network, workload: Workload, endings: Sequence[Ending]) -> Iterator[str]:
    n_ranks, n_nodes = endings[0].n_ranks, network.n_compute
    if n_ranks < n_nodes:
        reason = workload.why_fewer_ranks(n_nodes)
        because = f": {reason}" if reason else ""
        yield f"{workload.name} runs on {n_ranks} of the {n_nodes} nodes{because}"


def _late_faults(
    network: Network, faults: Sequence[str], endings: Sequence[Ending]
) -> Iterator[str]:
    """Yield the faults that begin after the end of a run, those of the same runs together."""
    late: dict[tuple[Ending, ...], list[str]] = {}
    for text, fault in zip(faults, parse(faults, network), strict=True):
        over = tuple(one for one in endings if one.simulated_s < fault.from_s)
        late.setdefault(over, []).append(text)
    for over, texts in late.items():
        if over:
            yield (
                f"the {_named(texts)} never came{_among(over, endings)}; choose an earlier time or "
                "a longer workload"
            )


def _named(texts: Sequence[str]) -> str:
    named = ", ".join(f"'{text}'" for text in texts[:MOST_NAMED])
    others = f" and {len(texts) - MOST_NAMED} more" if len(texts) > MOST_NAMED else ""
    return f"{'fault' if len(texts) == 1 else 'faults'} {named}{others}"


def _among(over: Sequence[Ending], endings: Sequence[Ending]) -> str:
    """Return in which of the runs something never came, and when they ended."""
    end = _time(max(one.simulated_s for one in over))
    if len(endings) == 1:
        return f": the run ended at {end}"
    if len(over) == len(endings):
        return f": the last of {len(endings)} runs ended at {end}"
    return f" in {len(over)} of {len(endings)} runs: the last of them ended at {end}"


def _waits(hosts: Calibration, workload: Workload, endings: Sequence[Ending]) -> Iterator[str]:
    """Yield that time-outs make the result: what the run that waits most waits for."""
    waiting = [one for one in endings if one.waiting > MOST_WAITING]
    if not waiting:
        return
    most = max(waiting, key=lambda one: one.waiting)
    least = _time(hosts.tcp.shortest_timeout_us.value / 1e6)
    timeouts = (
        f"1 time-out of {least} or more"
        if most.n_timeouts == 1
        else f"{most.n_timeouts} time-outs of {least} or more each"
    )
    among = "" if len(endings) == 1 else f" in {len(waiting)} of {len(endings)} runs, at worst"
    yield (
        f"TCP time-outs dominate {workload.name}{among}: during {_time(most.waited_s)} of "
        f"{_time(most.simulated_s)} simulated ({most.waiting:.0%}) at least one connection waits "
        f"for one; {timeouts}"
    )


def _time(time_s: float) -> str:
    """Return a time as people read it, to three digits."""
    factor, unit = next(
        (scale for scale in ((1.0, "s"), (1e-3, "ms")) if time_s >= scale[0]), (1e-6, "us")
    )
    return f"{float(f'{time_s / factor:.3g}'):g} {unit}"
