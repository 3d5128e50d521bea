"""`linkwright emulate`: a design on real kernels of this machine: a workload, a command in its
nodes, a shell, or the proof that the kernels decide as the plan says.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from linkwright.cli.emulate_options import (
    Backend,
    BackendOption,
    CleanOption,
    CommandArgument,
    DilationOption,
    EmulatedArgument,
    FailuresOption,
    FilesOption,
    KeepOption,
    Neighbours,
    NeighboursOption,
    ShellOption,
    VerifyOption,
    WorkloadOption,
    end_leftovers_of_user,
)
from linkwright.cli.given import refuse_unused
from linkwright.cli.options import (
    CalibrationOption,
    ConstantsOption,
    FormatOption,
    OutputOption,
    QuietOption,
    SettingsOption,
    settings_of,
)
from linkwright.cli.output import Destination, destination
from linkwright.cli.proof_output import deliver_proof
from linkwright.cli.rehearsing import own_files, verify_files
from linkwright.cli.rows import page_of, paged_rows, show_rows
from linkwright.cli.run_options import (
    FaultOption,
    PlacementOption,
    SeedOption,
    TraceOption,
    TrafficOption,
)
from linkwright.cli.terminal import say
from linkwright.cli.watching import WatchFiles
from linkwright.cli.work import Report, work
from linkwright.errors import UsageError

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.design.cluster import Cluster
    from linkwright.emulation.cluster import EmulatedCluster, WireOptions
    from linkwright.engines import Run
    from linkwright.network import Network
    from linkwright.verification.kernels import KernelProof

__all__ = ["emulate"]


def emulate(
    design: EmulatedArgument = None,
    command: CommandArgument = None,
    workload: WorkloadOption = None,
    settings: SettingsOption = None,
    placement: PlacementOption = "row",
    shell: ShellOption = None,
    verify: VerifyOption = False,
    failures: FailuresOption = "single",
    files: FilesOption = None,
    keep: KeepOption = False,
    backend: BackendOption = Backend.WIRES,
    clean: CleanOption = False,
    neighbours: NeighboursOption = None,
    dilation: DilationOption = None,
    seed: SeedOption = 1,
    calibration: CalibrationOption = None,
    constants: ConstantsOption = None,
    fault: FaultOption = None,
    trace: TraceOption = None,
    traffic: TrafficOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Try a design on real kernels, on this machine.

    Every node is a network namespace with the plan's addresses, routes and hosts file. Frames
    between nodes pass the cables, hubs and switches of the packet engine in real time. Needs
    /dev/net/tun, and root or user namespaces; nothing else is touched, and nothing remains.
    --verify exits with 1 if kernels or connections do other than proved, a command with its code.
    --files DIR rehearses files written by hand, which real managers load, and tells differences.
    """
    if clean or design is None:
        return _clean(is_asked=clean)
    from linkwright import engines, faults, workloads
    from linkwright.design.cluster import Cluster
    from linkwright.emulation.budget import dilation_of_command
    from linkwright.emulation.cluster import WireOptions
    from linkwright.emulation.machine import become_root
    from linkwright.emulation.ranks import ranks_of
    from linkwright.network import compile as compile_network

    _expect_one(command, workload, shell, verify=verify, keep=keep)
    _refuse_ignored(backend, workload, verify=verify)
    become_root()
    target = (destination if verify else paged_rows)(shown, output, quiet=quiet)
    cluster = Cluster.load(design)
    if verify:
        return _verify(cluster, failures, neighbours, target, files=files, quiet=quiet)
    (watched := WatchFiles(trace, traffic)).check()
    hosts = _hosts(calibration or cluster.calibration, constants, neighbours, quiet=quiet)
    network = compile_network(cluster)
    with own_files(network, files, quiet=quiet):
        if workload is not None:
            chosen = workloads.parse(workload, settings_of("--set", settings))
            run = partial(engines.Run.of, network, chosen, engine="emulation", calibration=hosts)
            made = run(seed=seed, placement=placement, faults=fault or [], dilation=dilation)
            return _run_workload(made, watched, target, quiet=quiet)
        words = [os.environ.get("SHELL", "/bin/sh")] if shell else list(command or ())
        if backend is Backend.VETH:
            return _run_cabled(network, hosts, words, shell, keep=keep, quiet=quiet)
        wires = WireOptions(
            hosts=hosts,
            faults=faults.parse(fault or (), network),
            dilation=dilation or dilation_of_command(network, ranks_of(words, network.n_compute)),
            seed=seed,
            has_capture=trace is not None,
        )
        return _run(network, wires, words, shell, watched, keep=keep, quiet=quiet)


def _run_workload(run: Run, files: WatchFiles, target: Destination, *, quiet: bool) -> None:
    """Run a workload, write what was watched, and show the rows."""
    from linkwright.engines import observe

    wanted, started = files.observation(), datetime.now(UTC)
    seen = work(lambda _: observe(run, wanted), f"emulating {run.workload.name}", quiet=quiet)
    files.write(seen.watched, quiet=quiet)
    show_rows(seen.result, target, page_of(run.network, seen.result, started))


def _hosts(
    name: str, constants: list[str] | None, neighbours: Neighbours | None, *, quiet: bool
) -> Calibration:
    """Return the hosts of the nodes, and say which constants kernels cannot take."""
    from linkwright import calibrations
    from linkwright.emulation.settings import without_effect
    from linkwright.engines.capabilities import refuse_links

    given = settings_of("--host", constants)
    if neighbours is not None:
        given["links.arp"] = "cold" if neighbours is Neighbours.LEARNED else "warm"
    hosts = calibrations.parse(name, given)
    refuse_links("emulation", hosts, resolves_addresses=True)
    _note(without_effect(given), quiet=quiet)
    return hosts


def _clean(*, is_asked: bool) -> None:
    """End the leftovers of killed runs, and say which."""
    if not is_asked:
        raise UsageError("no design is named", "name a design file, or --clean")
    refuse_unused(
        "--clean only ends leftovers of killed runs",
        *("design", "command", "workload", "settings", "shell", "verify", "failures", "keep"),
        *("backend", "dilation", "seed", "calibration", "constants", "fault", "trace", "traffic"),
        *("neighbours", "placement", "shown", "output", "files"),
    )
    end_leftovers_of_user()


def _refuse_ignored(backend: Backend, workload: str | None, *, verify: bool) -> None:
    """Refuse options that have no effect on the one thing that runs."""
    of_wires = ("fault", "dilation", "trace", "traffic", "seed")
    if backend is Backend.VETH:
        refuse_unused("cables of the kernel only run commands", *of_wires, "workload", "verify")
    if verify:
        reason = "--verify has wires of its own, at the speed of this machine"
        refuse_unused(reason, *of_wires, "calibration", "constants")
    else:
        refuse_unused("failures are those that --verify tries", "failures")
    if workload is None:
        refuse_unused("settings and placement are those of a workload", "settings", "placement")
    if workload is not None or verify:
        refuse_unused("only a cluster with a command or a shell stays up", "keep")
    else:
        refuse_unused("a command shows its own output", "shown", "output")


def _expect_one(
    command: Sequence[str] | None,
    workload: str | None,
    shell: str | None,
    *,
    verify: bool,
    keep: bool,
) -> None:
    """Refuse a call that asks for nothing, or for several things.

    Raises
    ------
    UsageError
        If not exactly one thing is asked for; --keep may come with a command.
    """
    n = sum((bool(command), workload is not None, shell is not None, verify))
    if n == 1 or (n == 0 and keep):
        return
    problem = "there is nothing to run" if n == 0 else "only one thing runs at a time"
    raise UsageError(
        problem, "append -- COMMAND, or use one of --workload, --shell NODE, --keep and --verify"
    )


def _run(
    network: Network,
    options: WireOptions,
    words: Sequence[str],
    shell: str | None,
    files: WatchFiles,
    *,
    keep: bool,
    quiet: bool,
) -> None:
    """Run a command in a cluster, and say whether the wires kept up."""
    from linkwright.emulation.cluster import emulated
    from linkwright.emulation.deaths import living_programs
    from linkwright.emulation.verdict import verdict
    from linkwright.engines.remarks import first_due, never_came

    if options.dilation > 1:
        say(
            f"at dilation {options.dilation:g} the network is slower than in the design: divide "
            "the times that programs measure by it, and multiply their rates",
            quiet=quiet,
        )
    _note(first_due(options.faults, options.dilation), quiet=quiet)
    _note(living_programs(options.faults, network), quiet=quiet)
    _tell_daemon(network, quiet=quiet)
    with emulated(network, options) as (up, wires), up.waiting() as waiting:
        code = _call(up, words, shell, keep=keep, quiet=quiet)
    report = wires.report
    files.write(report.watched, quiet=quiet)
    _note(never_came(options.faults, report.ended_s, options.dilation), quiet=quiet)
    found = verdict(network, wires, waited=waiting.share(wires), others=waiting.others)
    say(found.text, quiet=quiet)
    if code:
        raise typer.Exit(code)


def _run_cabled(
    network: Network,
    hosts: Calibration,
    words: Sequence[str],
    shell: str | None,
    *,
    keep: bool,
    quiet: bool,
) -> None:
    """Run a command in a cluster with cables of the kernel."""
    from linkwright.emulation.cables import NOT_JUDGED
    from linkwright.emulation.cluster import cabled

    _tell_daemon(network, quiet=quiet)
    with cabled(network, hosts) as up:
        code = _call(up, words, shell, keep=keep, quiet=quiet)
    say(NOT_JUDGED, quiet=quiet)
    if code:
        raise typer.Exit(code)


def _note(remarks: Iterable[str], *, quiet: bool) -> None:
    for remark in remarks:
        say(f"note: {remark}", quiet=quiet)


def _tell_daemon(network: Network, *, quiet: bool) -> None:
    from linkwright.emulation.cluster import is_configured

    if network.daemon and not is_configured():
        say("routing daemons look for routes, which takes up to a minute", quiet=quiet)


def _call(
    up: EmulatedCluster, words: Sequence[str], shell: str | None, *, keep: bool, quiet: bool
) -> int:
    """Run a command in a cluster, keep it up if asked for, and return the exit code."""
    node = up.node(shell) if shell else up.network.device_names[0]
    code = up.call(node, words, partial(say, quiet=quiet)) if words else 0
    if keep:
        say(up.how_to_enter, quiet=quiet)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()
    _note(up.lost_files(), quiet=quiet)
    return code


def _verify(
    cluster: Cluster,
    failures: str,
    neighbours: Neighbours | None,
    target: Destination,
    *,
    files: Path | None,
    quiet: bool,
) -> None:
    """Show the comparison of kernels with the proofs."""
    from linkwright.verification.kernels import verify

    if files is not None:
        verify_files(cluster, files, failures, target, quiet=quiet)
        return

    def compare(report: Report) -> KernelProof:
        def tell(n_done: int, n_all: int) -> None:
            report(n_done, n_all, "trying failures on kernels")

        learns = None if neighbours is None else neighbours is Neighbours.LEARNED
        return verify(cluster, failures, learns_neighbours=learns, report=tell)

    deliver_proof(work(compare, "bringing nodes up", quiet=quiet), target)
