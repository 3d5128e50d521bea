"""`linkwright doctor`: the problems of a cluster that is up, in the order in which to mend them,
and its numbers beside the predicted ones.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.asking_options import AskingOptions
from linkwright.cli.formats import Format, json_text
from linkwright.cli.invocation import manifest_since
from linkwright.cli.options import (
    DesignArgument,
    FormatOption,
    HostsOption,
    OutputOption,
    QuietOption,
)
from linkwright.cli.output import destination
from linkwright.cli.streams import outlive_readers
from linkwright.cli.terminal import say
from linkwright.cli.work import Report, work

if TYPE_CHECKING:
    from linkwright.doctor import Diagnosis

__all__ = ["doctor"]


def doctor(
    design: DesignArgument,
    asking: AskingOptions,
    hosts: HostsOption,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", metavar="S", min=0, max=60, help="Time of each stream; 0 sends none."
        ),
    ] = 1.0,
    probe: Annotated[
        bool,
        typer.Option("--probe", help="Find the cables by frames of their ports; needs root."),
    ] = False,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Find the problems of a cluster that is up, and the order in which to mend them.

    Asks the machines for their facts, compares them with the plan as `verify` does, pings all pairs
    with packets up to the MTU, and sends traffic over each cable in both directions and over
    forwarded paths. Each number stands beside the predicted one; where the design names no parts,
    beside the speed of its link. Traffic leaves by ports of the fabric only. Archives of machines
    are compared, and send nothing. -o takes .json, .csv, .txt and .html. Exit code: 0 without
    problems, 1 with some.
    """
    outlive_readers()
    from linkwright.design.cluster import Cluster
    from linkwright.doctor import examine
    from linkwright.machines.inventory import inventory
    from linkwright.machines.ssh import connections
    from linkwright.network import compile as compile_network
    from linkwright.views.doctor_page import doctor_page
    from linkwright.views.doctor_table import doctor_csv, doctor_table

    target = destination(shown, output, quiet=quiet, files_only=(Format.HTML,))
    started = datetime.now(UTC)
    cluster = Cluster.load(design)
    network = compile_network(cluster)
    chosen = inventory(",".join(hosts))

    def examined(report: Report) -> Diagnosis:
        found = asking.ask(chosen, report, probed_for=network if probe else None)
        with connections([one for one in chosen if not one.archive]) as machines:
            return examine(
                network,
                machines,
                found,
                seconds=seconds,
                has_parts=bool(cluster.parts.model_fields_set),
                announce=lambda sentence: say(sentence, quiet=quiet),
                report=report,
            )

    diagnosis = work(examined, "examining", quiet=quiet)
    target.deliver(
        {
            Format.TABLE: lambda: doctor_table(diagnosis),
            Format.JSON: lambda: json_text(diagnosis.to_json()),
            Format.CSV: lambda: doctor_csv(diagnosis),
            Format.HTML: lambda: doctor_page(diagnosis, manifest_since(started)),
        }
    )
    if target.shown is None:
        say(diagnosis.answer, quiet=quiet)
    if diagnosis.problems:
        raise typer.Exit(1)
