"""Remarks: facts about a run that a reader of its rows must know. They are worded only here.

Every manifest has them, the commands print them, pages show them. A remark is neither a finding
about the design nor an error: it says how the run differs from an expectation, such as constants
that the engine does not model, nodes without a rank, faults after the end, or time-outs that
dominate the result. docs/concepts/how-a-run-works.md lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.inputs import Run
from linkwright.engines.unmodelled import unmodelled
from linkwright.faults import Fault
from linkwright.nodes.hosts import doubts, uses_rdma
from linkwright.notebook import counted
from linkwright.placement import nodes_of_ranks

__all__ = ["Ending", "first_due", "never_came", "remarks", "watched_alone"]

MOST_WAITING = 0.1
"""Fraction of a run spent waiting for time-outs above which a remark reports it."""

MOST_NAMED = 3
"""Largest number of faults that one remark names."""


@dataclass(frozen=True)
class Ending:
    """The facts about a finished run that remarks need.

    Attributes
    ----------
    n_ranks : int
        Ranks of the workload.
    simulated_s : float
        Time at which the last rank finished.
    n_timeouts : int
        Retransmission time-outs of TCP, as the metric `timeouts` counts them.
    n_probes : int
        Probes of a lost tail that came after as long as a time-out.
    waited_s : float
        Time during which at least one connection waited for a time-out or such a probe.
    remarks : tuple of str
        Remarks of the engine itself.
    """

    n_ranks: int
    simulated_s: float
    n_timeouts: int = 0
    n_probes: int = 0
    waited_s: float = 0.0
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, outcome: Outcome) -> Self:
        """Return the ending of a run."""
        figures = outcome.answer["figures"]
        n_waits, waited_s = outcome.answer.get("waits_for_timeouts", (0, 0.0))
        n_timeouts = int(figures.get("timeouts", 0))
        return cls(
            n_ranks=outcome.n_ranks,
            simulated_s=figures["simulated_s"],
            n_timeouts=n_timeouts,
            n_probes=n_waits - n_timeouts,
            waited_s=waited_s,
            remarks=tuple(outcome.remarks),
        )

    @property
    def waiting(self) -> float:
        """Fraction of the run in which at least one connection waited for a time-out."""
        return self.waited_s / self.simulated_s if self.simulated_s else 0.0


def remarks(engine: Engine, run: Run, endings: Sequence[Ending]) -> tuple[str, ...]:
    """Return the remarks on a run and its repeats."""
    return (
        *_hosts(engine, run),
        *unmodelled(engine, run),
        *_idle_nodes(run, endings),
        *_late_faults(run, endings),
        *_waits(run, endings),
        *_draws(run, endings),
        *dict.fromkeys(text for ending in endings for text in ending.remarks),
    )


def watched_alone(run: Run) -> str:
    """Return the remark on a run that is watched by itself, although other seeds differ."""
    return (
        f"one run with seed {run.seed or 0} is watched, and chance changes it: without a file "
        f"of it {run.workload.name} takes the mean of {run.workload.n_seeds} seeds"
    )


def _hosts(engine: Engine, run: Run) -> Iterator[str]:
    """Yield doubts about the hosts, and the library that programs of today use in place of TCP."""
    if engine.origin == "measured":
        return
    yield from doubts(run.network, run.hosts)
    if run.hosts.nics and run.workload.is_collective and uses_rdma(run.network):
        yield (
            f"{run.workload.name} is modelled as MPI over TCP through the kernel: the same by RDMA "
            "or by the library of a GPU (NCCL, RCCL, MLX) has lower latency and other algorithms, "
            "which are not modelled"
        )


def _idle_nodes(run: Run, endings: Sequence[Ending]) -> Iterator[str]:
    n_ranks, n_nodes = endings[0].n_ranks, run.network.n_compute
    nodes = nodes_of_ranks(run.placement, run.network, n_ranks, seed=run.seed or 0)
    n_used = len(np.unique(nodes))
    if n_used < n_nodes:
        reason = run.workload.why_fewer_ranks(n_nodes) if n_ranks < n_nodes else run.placement
        because = f": {reason}" if reason else ""
        yield f"{run.workload.name} runs on {n_used} of the {n_nodes} nodes{because}"


def _late_faults(run: Run, endings: Sequence[Ending]) -> Iterator[str]:
    """Yield the faults that begin after the end of a run, grouped by the runs they missed."""
    late: dict[tuple[Ending, ...], list[Fault]] = {}
    for fault in run.faults:
        over = tuple(one for one in endings if one.simulated_s < fault.from_s)
        late.setdefault(over, []).append(fault)
    for over, faults in late.items():
        if over:
            due = _due(faults, run.options.get("dilation", 1.0))
            yield (
                f"the {_named(faults)} never came{_among(over, endings)}{due}; choose an earlier "
                "time or a longer workload"
            )


def never_came(faults: Sequence[Fault], ended_s: float, dilation: float) -> Iterator[str]:
    """Yield the remark on the faults of a command that begin after its end, if there are any.

    Parameters
    ----------
    faults : sequence of Fault
        Faults of the run.
    ended_s : float
        End of the run, in seconds of the network.
    dilation : float
        Real seconds for one second of the network.
    """
    late = [fault for fault in faults if fault.from_s > ended_s]
    if late:
        yield (
            f"the {_named(late)} never came: the run ended at {_time(ended_s)}"
            f"{_due(late, dilation)}; choose an earlier time or a longer command"
        )


def first_due(faults: Sequence[Fault], dilation: float) -> Iterator[str]:
    """Yield the remark on the real time of the first fault of a command that does not begin with
    it, if that is not the time of the network.
    """
    waits = [fault for fault in faults if fault.from_s]
    if waits and dilation != 1:
        first = min(waits, key=lambda fault: fault.from_s)
        yield f"the {_named([first])} is due at {first.from_s * dilation:g} s of real time"


def _due(faults: Sequence[Fault], dilation: float) -> str:
    """Return the real time at which the first of some faults is due, if that is another."""
    if dilation == 1:
        return ""
    pronoun = "it was" if len(faults) == 1 else "the first was"
    due_s = min(fault.from_s for fault in faults) * dilation
    return f", and {pronoun} due at {due_s:g} s of real time"


def _named(faults: Sequence[Fault]) -> str:
    named = ", ".join(f"'{fault.given}'" for fault in faults[:MOST_NAMED])
    others = f" and {len(faults) - MOST_NAMED} more" if len(faults) > MOST_NAMED else ""
    return f"{'fault' if len(faults) == 1 else 'faults'} {named}{others}"


def _among(over: Sequence[Ending], endings: Sequence[Ending]) -> str:
    """Return the runs that a fault missed, as words, and the times at which they ended."""
    end = _time(max(one.simulated_s for one in over))
    if len(endings) == 1:
        return f": the run ended at {end}"
    if len(over) == len(endings):
        return f": the last of {len(endings)} runs ended at {end}"
    return f" in {len(over)} of {len(endings)} runs: the last of them ended at {end}"


def _waits(run: Run, endings: Sequence[Ending]) -> Iterator[str]:
    """Yield a remark if time-outs dominate the result, from the run that waited longest."""
    waiting = [one for one in endings if one.waiting > MOST_WAITING]
    if not waiting:
        return
    most = max(waiting, key=lambda one: one.waiting)
    least = _time(run.hosts.tcp.shortest_timeout_us.value / 1e6)
    among = "" if len(endings) == 1 else f" in {len(waiting)} of {len(endings)} runs, at worst"
    yield (
        f"TCP time-outs dominate {run.workload.name}{among}: during {_time(most.waited_s)} of "
        f"{_time(most.simulated_s)} simulated ({most.waiting:.0%}) at least one connection waits "
        f"for one; {_late_retransmissions(most, least)}"
    )


def _late_retransmissions(ending: Ending, least: str) -> str:
    """Return the number of time-outs and probes that a run waited for, each of at least that time.

    The metric `timeouts` is without probes, so they are named apart.
    """
    n_each = {
        counted(ending.n_timeouts, "time-out"): ending.n_timeouts,
        counted(ending.n_probes, "probe of a lost tail", "probes of a lost tail"): ending.n_probes,
    }
    words = " and ".join(words for words, n in n_each.items() if n)
    each = " each" if sum(n_each.values()) > 1 else ""
    apart = " (probes are not in `timeouts`)" if ending.n_probes else ""
    return f"{words} of {least} or more{each}{apart}"


def _time(time_s: float) -> str:
    """Return a time as text, with three digits."""
    factor, unit = next(
        (scale for scale in ((1.0, "s"), (1e-3, "ms")) if time_s >= scale[0]), (1e-6, "us")
    )
    return f"{float(f'{time_s / factor:.3g}'):g} {unit}"


def _draws(run: Run, endings: Sequence[Ending]) -> Iterator[str]:
    """Yield the constants that draws vary, since the others count as certain."""
    if run.draw is not None:
        yield (
            f"the {len(endings)} runs draw {len(run.hosts.draws)} fitted constants of the hosts, "
            "and a seed each; other constants, such as rates of computing, are the same in all"
        )
