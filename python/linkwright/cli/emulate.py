"""`linkwright emulate`: a design on real kernels of this machine: a command in its nodes, a shell,
or the proof that the kernels decide as the plan says.
"""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.formats import Format, json_text
from linkwright.cli.options import (
    CalibrationOption,
    ConstantsOption,
    DesignArgument,
    FormatOption,
    OutputOption,
    QuietOption,
    settings_of,
)
from linkwright.cli.output import Destination, destination
from linkwright.cli.run_options import FaultOption, SeedOption, TraceOption
from linkwright.cli.terminal import say
from linkwright.cli.work import Report, work

if TYPE_CHECKING:
    from linkwright.design.cluster import Cluster
    from linkwright.studies.kernels import KernelProof

__all__ = ["emulate"]


def emulate(
    design: DesignArgument,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- COMMAND...]", help="Command to run in the first node."),
    ] = None,
    shell: Annotated[
        str | None,
        typer.Option("--shell", metavar="NODE", help="Open a shell in a node."),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Compare the decisions of all kernels with the proofs."),
    ] = False,
    failures: Annotated[
        str,
        typer.Option(
            "--failures",
            metavar="WHICH",
            autocompletion=completion.failures,
            help="Failures that --verify tries: single, pairs or none, as for check.",
        ),
    ] = "single",
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave the cluster up until Ctrl-C.")
    ] = False,
    dilation: Annotated[
        float,
        typer.Option("--dilation", min=1.0, help="Real seconds for one second of the network."),
    ] = 1.0,
    seed: SeedOption = 1,
    calibration: CalibrationOption = None,
    constants: ConstantsOption = None,
    fault: FaultOption = None,
    trace: TraceOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Try a design on real kernels, on this machine.

    Every node is a network namespace with the plan's addresses, routes and hosts file. Frames
    between them pass the cables, hubs and switches of the packet engine in real time. Needs root
    and /dev/net/tun. Nothing else on the machine is touched, and nothing remains. --verify exits
    with code 1 if a kernel decides otherwise than the proof says.
    """
    from linkwright import calibrations, faults
    from linkwright.design.cluster import Cluster
    from linkwright.engines.emulation.cluster import WireOptions, capture, emulated
    from linkwright.engines.emulation.verdict import verdict
    from linkwright.errors import UsageError
    from linkwright.files import check_writable, write_atomically
    from linkwright.network import compile as compile_network

    if trace is not None:
        check_writable(trace)
    cluster = Cluster.load(design)
    if verify:
        _verify(cluster, failures, destination(shown, output, quiet=quiet), quiet=quiet)
        return
    hosts = calibrations.parse(calibration or cluster.calibration, settings_of("--host", constants))
    words = ["sh"] if shell else list(command or ())
    if not words and not keep:
        raise UsageError(
            "there is nothing to run", "append -- COMMAND, or use --shell NODE, --keep or --verify"
        )
    network = compile_network(cluster)
    options = WireOptions(
        hosts=hosts,
        dilation=dilation,
        seed=seed,
        faults=faults.parse(fault or (), network),
        has_capture=trace is not None,
    )
    with emulated(network, options) as (up, wires):
        node = up.node(shell) if shell else network.device_names[0]
        code = up.call(node, words) if words else 0
        if keep:
            say(up.how_to_enter, quiet=quiet)
            _wait()
    if trace is not None:
        write_atomically(trace, capture(network, wires))
        say(f"wrote {trace}", quiet=quiet)
    say(verdict(network, wires).text, quiet=quiet)
    if code:
        raise typer.Exit(code)


def _wait() -> None:
    """Wait for Ctrl-C."""
    with contextlib.suppress(KeyboardInterrupt):
        signal.pause()


def _verify(cluster: Cluster, failures: str, target: Destination, *, quiet: bool) -> None:
    """Show the comparison of kernels with the proofs."""
    from dataclasses import asdict

    from linkwright.studies.kernels import verify
    from linkwright.views.kernels import kernels_table

    def compare(report: Report) -> KernelProof:
        def tell(n_done: int, n_all: int) -> None:
            report(n_done, n_all, "trying failures on kernels")

        return verify(cluster, failures, report=tell)

    proof = work(compare, "bringing nodes up", quiet=quiet)
    target.deliver(
        {
            Format.TABLE: lambda: kernels_table(proof),
            Format.JSON: lambda: json_text(asdict(proof)),
        }
    )
    if proof.disagreements:
        raise typer.Exit(1)
