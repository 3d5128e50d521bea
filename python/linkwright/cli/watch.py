"""`linkwright watch`: real machines compared with the plan again and again, their changes as lines.

The comparison is that of `verify`. Ctrl-C ends it.
"""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.asking_options import AskingOptions
from linkwright.cli.durations import duration_s
from linkwright.cli.formats import Shown, json_text
from linkwright.cli.options import (
    DesignArgument,
    FormatOption,
    HostsOption,
    OutputOption,
    QuietOption,
)
from linkwright.cli.output import file_of
from linkwright.cli.signals import ending_signals
from linkwright.cli.streams import outlive_readers
from linkwright.cli.terminal import say, show
from linkwright.errors import UsageError
from linkwright.files import check_writable, write_atomically

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from linkwright.as_built import Verdict
    from linkwright.as_built.probed_cables import ProbedCables
    from linkwright.as_built.watching import Event
    from linkwright.facts import ClusterFacts
    from linkwright.machines import Machine
    from linkwright.network import Network

__all__ = ["watch"]

LEAST_S, MOST_S = 1.0, 86_400.0


@dataclass(frozen=True)
class WatchOptions:
    """How often machines are compared, and where their state goes."""

    interval: Annotated[
        str,
        typer.Option("--interval", metavar="TIME", help="Time between comparisons, as 30s or 5m."),
    ] = "30s"
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            metavar="N",
            min=1,
            help="End after N comparisons (default: at Ctrl-C).",
            show_default=False,
        ),
    ] = None
    probe: Annotated[
        bool,
        typer.Option(
            "--probe",
            help="Find the cables by frames of the ports, at first and whenever a carrier comes "
            "back; needs root.",
        ),
    ] = False
    metrics: Annotated[
        Path | None,
        typer.Option(
            "--metrics",
            metavar="FILE",
            help="Metrics of Prometheus, written whole after each comparison.",
        ),
    ] = None

    @property
    def interval_s(self) -> float:
        """Seconds between comparisons."""
        return duration_s("--interval", self.interval, LEAST_S, MOST_S)

    def check(self, state: Path | None) -> None:
        """Refuse files that cannot be written later.

        Raises
        ------
        UsageError
            If a name says another format, or both are one file.
        OutputError
            If one cannot be written.
        """
        if state is not None and state.suffix.lower() != ".json":
            raise UsageError(f"the state is JSON: {state.name}", "end its name in .json")
        for path in (self.metrics, state):
            if path is not None:
                check_writable(path)


def watch(
    design: DesignArgument,
    hosts: HostsOption,
    asking: AskingOptions,
    how: WatchOptions,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compare real machines with the plan again and again, and write each change as a line.

    A cable that is pulled, a speed that changes, a route that is gone, a neighbour that is lost, a
    machine that does not answer: each is a line when it is found, and one when it is cleared. A
    machine is asked once per interval, read-only, over one kept connection, and one that hangs
    delays no other. --format json writes a JSON value a line. -o FILE.json has the present
    findings, written whole after each comparison: the workbench shows them. Ctrl-C ends it. Exit
    code: 0 if the machines are as planned at the end, 1 with findings.
    """
    outlive_readers()
    from linkwright.as_built.planned import Planned
    from linkwright.as_built.probed_cables import ProbedCables
    from linkwright.as_built.watching import Watch
    from linkwright.design.cluster import Cluster
    from linkwright.facts.polling import Poll
    from linkwright.machines.inventory import inventory, reachable
    from linkwright.machines.ssh import connections
    from linkwright.network import compile as compile_network
    from linkwright.threads import threads

    if shown is Shown.CSV:
        raise UsageError("changes are lines of text or of JSON", "use --format json")
    state = file_of(output)
    how.check(state)
    chosen = reachable(inventory(",".join(hosts)), "watch")
    network = compile_network(Cluster.load(design))
    watching, cables = Watch(Planned(network)), ProbedCables()
    lines = _Lines(is_json=shown is Shown.JSON, quiet=quiet)
    verdict: Verdict | None = None
    with ExitStack() as stack:
        stop = stack.enter_context(ending_signals())
        pool = stack.enter_context(threads(asking.jobs))
        kept_s = 2 * how.interval_s
        machines = stack.enter_context(connections(chosen, kept_s=kept_s))
        poll = Poll(machines, pool, timeout_s=asking.timeout_s, as_root=asking.sudo)
        n_done = 0
        while not stop.is_set() and n_done != how.rounds:
            began_s = time.monotonic()
            longest_s = how.interval_s if verdict else max(asking.timeout_s, how.interval_s)
            facts = poll.facts(longest_s, stop.is_set)
            if stop.is_set():
                break
            if how.probe:
                facts = _with_cables(cables, network, machines, facts, as_root=asking.sudo)
            verdict, events = watching.compared(facts)
            n_done += 1
            lines.write(verdict, events, is_first=n_done == 1)
            took_s = time.monotonic() - began_s
            _keep(how, state, verdict, n_done, took_s)
            if n_done != how.rounds:
                stop.wait(max(0.0, how.interval_s - took_s))
    if verdict is None:
        stop.again()
        return
    say(verdict.answer, quiet=quiet)
    if verdict.findings:
        raise typer.Exit(1)


def _with_cables(
    cables: ProbedCables,
    network: Network,
    machines: Sequence[Machine],
    facts: ClusterFacts,
    *,
    as_root: bool,
) -> ClusterFacts:
    """Return facts with the cables of the last probe, or of a new one if it is due."""
    from linkwright.as_built.probed import probed

    if not cables.is_due(facts):
        return cables.completed(facts)
    silent = {one.name for one in facts.machines if one.failure is not None}
    asked = [one for one in machines if one.name not in silent]
    found = probed(network, asked, facts, as_root=as_root)
    cables.note(found)
    return found


class _Lines:
    """The changes on stdout, each a line of text or of JSON."""

    def __init__(self, *, is_json: bool, quiet: bool) -> None:
        self.is_json, self.quiet = is_json, quiet

    def write(self, verdict: Verdict, events: Sequence[Event], *, is_first: bool) -> None:
        """Write the changes after a comparison."""
        if self.is_json:
            for one in events:
                show(json.dumps(one.to_json(), ensure_ascii=False) + "\n")
        else:
            if is_first:
                say(f"watching {verdict.network.name}; Ctrl-C ends it", quiet=self.quiet)
            # At first, all that is not applied yet is one line; later each change is its own.
            for line in _texts(events, verdict.nodes if is_first else ()):
                show(f"{_clock(events[0].time)} {line}\n")
        _flush()


def _texts(events: Sequence[Event], nodes: Collection[str]) -> list[str]:
    """Return the changes as text: those that are cleared one by one, others with one cause once."""
    from linkwright.as_built.summary import statements
    from linkwright.as_built.watching import CHANGED, CLEARED, FOUND

    lines = [
        f"cleared {one.finding.kind} {one.finding.place}, found at {_clock(one.since)}"
        for one in events
        if one.event == CLEARED
    ]
    for event in (FOUND, CHANGED):
        of_event = [one.finding for one in events if one.event == event]
        for said in statements(of_event, nodes):
            words = ("changed" if event == CHANGED else "", said.severity, said.kind, said.place)
            lines.append(f"{' '.join(filter(None, words))}: {said.reason}")
    return lines


def _clock(time_text: str) -> str:
    return f"{datetime.fromisoformat(time_text).astimezone():%H:%M:%S}"


def _flush() -> None:
    import sys

    sys.stdout.flush()


def _keep(
    how: WatchOptions, state: Path | None, verdict: Verdict, n_done: int, took_s: float
) -> None:
    """Write the metrics and the state."""
    from linkwright.as_built.metrics import metrics_text

    now = datetime.now(UTC)
    if how.metrics is not None:
        text = metrics_text(
            verdict,
            n_comparisons=n_done,
            took_s=took_s,
            time_s=round(now.timestamp(), 3),
            interval_s=how.interval_s,
        )
        write_atomically(how.metrics, text)
    if state is not None:
        own = {
            "design": verdict.network.name,
            "when": now.isoformat(timespec="seconds"),
            "interval_s": how.interval_s,
            "answer": verdict.answer,
            "nodes": list(verdict.nodes),
        }
        write_atomically(state, json_text({"watch": own, **verdict.to_json()}))
