"""`linkwright apply` and `linkwright undo`: a plan on machines that are up, and the way back.

Nothing is changed before the changes of every machine are listed and agreed to.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.applied import expect_as_planned
from linkwright.cli.durations import duration_s
from linkwright.cli.formats import Format, json_text
from linkwright.cli.options import (
    DesignArgument,
    FormatOption,
    HostsOption,
    OutputOption,
    QuietOption,
)
from linkwright.cli.output import destination
from linkwright.cli.streams import outlive_readers
from linkwright.cli.terminal import say, say_error, show
from linkwright.cli.work import Report, work
from linkwright.errors import RunError, UsageError
from linkwright.notebook import counted

if TYPE_CHECKING:
    from linkwright.apply import Outcome, Proposal
    from linkwright.machines import Machine
    from linkwright.machines.host import Host
    from linkwright.network import Network

__all__ = ["apply", "undo"]


LEAST_S, MOST_S = 5.0, 3600.0
ALREADY = "the machines have the plan already"

OnlyOption = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="NODE", help="Change this node alone; repeatable."),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="List all changes, with the text of files; make none.")
]
ConfirmOption = Annotated[
    str,
    typer.Option(
        "--confirm-within",
        metavar="TIME",
        help="Time after which a machine that was not confirmed goes back, as 60s or 2m.",
    ),
]
ViaOption = Annotated[
    str | None,
    typer.Option(
        "--via",
        metavar="TARGET",
        help="Files that keep the plan: those of networkd, netplan, NetworkManager, ifupdown2, ip "
        "(a script for each boot), or kernel (none: until the next boot). Default: those of the "
        "manager of each machine.",
        show_default=False,
    ),
]
SudoOption = Annotated[
    bool,
    typer.Option("--sudo", help="Change machines by `sudo -n`, where the login is not root's."),
]


def _print_rights(login: str | None) -> None:
    """Print the script that gives a login its rights, and end."""
    from linkwright.apply import installation

    if login is not None:
        show(installation(login))
        raise typer.Exit


RightsOption = Annotated[
    str | None,
    typer.Option(
        "--rights",
        metavar="LOGIN",
        help="Print the script by which root lets LOGIN use --sudo for plans alone, and end.",
        is_eager=True,
        callback=_print_rights,
        show_default=False,
    ),
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the first change.")]


def apply(
    design: DesignArgument,
    hosts: HostsOption,
    only: OnlyOption = None,
    dry_run: DryRunOption = False,
    via: ViaOption = None,
    sudo: SudoOption = False,
    rights: RightsOption = None,
    yes: YesOption = False,
    confirm_within: ConfirmOption = "60s",
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Put a plan on the machines of a cluster, and keep it there.

    Every machine is asked first, and its changes are listed: files for the manager of its network,
    addresses, routes, rules, kernel parameters, MTU and offloads of the ports of the plan. After
    your confirmation all machines are changed, and each change is confirmed over a new connection.
    A machine that cannot be reached any more goes back by itself after --confirm-within, and one
    that starts again meanwhile at its start; `linkwright undo` takes all of it back later. The
    interface of the connection, the default route, and everything that no plan has put on a machine
    stay as they are; a machine where they are in the way is refused. At the end the machines are
    compared with the plan, as by `linkwright verify`. Exit code: 1 if a machine is refused, or the
    comparison finds an error, 4 if a change fails.
    """
    outlive_readers()
    from linkwright.apply import propose
    from linkwright.design.cluster import Cluster
    from linkwright.network import compile as compile_network
    from linkwright.views.changes_list import changes_csv, changes_list

    del rights
    target = destination(shown, output, quiet=quiet)
    confirm_s = duration_s("--confirm-within", confirm_within, LEAST_S, MOST_S)
    target_of_files = _target(via)
    chosen = _chosen(hosts, only)
    cluster = Cluster.load(design)

    def ask(report: Report) -> tuple[Network, list[Proposal]]:
        network = compile_network(cluster, report=report)
        with _connections(chosen, sudo=sudo) as machines:
            return network, propose(network, machines, via=target_of_files, report=report)

    network, proposals = work(ask, "asking machines", quiet=quiet)
    target.deliver(
        {
            Format.TABLE: lambda: changes_list(proposals, has_texts=dry_run),
            Format.JSON: lambda: json_text([one.to_json() for one in proposals]),
            Format.CSV: lambda: changes_csv(proposals),
        }
    )
    changed = _changed(proposals)
    if dry_run:
        return
    if changed:
        _expect_consent(yes, f"change {len(changed)} of {counted(len(proposals), 'machine')}")
        _change(changed, chosen, confirm_s, sudo=sudo, quiet=quiet)
    n_changed = counted(len(changed), "machine")
    ended = f"{n_changed} changed; linkwright undo takes it back" if changed else ALREADY
    say(ended, quiet=quiet)
    if not expect_as_planned(network, chosen, target, sudo=sudo):
        raise typer.Exit(1)


def _changed(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the changes of machines that do not have the plan yet; end if one is refused."""
    if any(one.refusals for one in proposals):
        say_error("nothing is changed: a machine is refused", "mend the reasons above")
        raise typer.Exit(1)
    return [one for one in proposals if one.changes]


def undo(
    hosts: HostsOption,
    sudo: SudoOption = False,
    yes: YesOption = False,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Take back all that plans have changed on machines.

    Each machine has the state before its first plan again: files with owner and mode, addresses,
    routes, rules, kernel parameters, MTU and offloads; its journal is removed. On a machine that
    cannot be reached by ssh, `python3 /var/lib/linkwright/keeper.py undo` does the same. Exit code:
    4 if something cannot be given back.
    """
    outlive_readers()
    from linkwright.apply import take_back_all
    from linkwright.views.changes_list import outcomes_csv, outcomes_list

    target = destination(shown, output, quiet=quiet)
    chosen = _chosen(hosts, None)
    _expect_consent(yes, f"take all plans of {counted(len(chosen), 'machine')} back")

    def back(report: Report) -> list[Outcome]:
        with _connections(chosen, sudo=sudo) as machines:
            return take_back_all(machines, report=report)

    outcomes = work(back, "taking back", quiet=quiet)
    target.deliver(
        {
            Format.TABLE: lambda: outcomes_list(outcomes),
            Format.JSON: lambda: json_text([one.to_json() for one in outcomes]),
            Format.CSV: lambda: outcomes_csv(outcomes),
        }
    )
    if any(one.failure or one.left for one in outcomes):
        raise RunError("not all is taken back", "see the steps above, and try again")


def _connections(
    hosts: Sequence[Host], *, sudo: bool, are_new: bool = False
) -> AbstractContextManager[Sequence[Machine]]:
    """Connect to hosts, with root's rights by sudo if asked for."""
    from linkwright.apply import AS_ROOT
    from linkwright.machines.ssh import connections

    return connections(hosts, are_new=are_new, before=AS_ROOT if sudo else ())


def _change(
    proposals: Sequence[Proposal],
    hosts: Sequence[Host],
    confirm_s: float,
    *,
    sudo: bool,
    quiet: bool,
) -> None:
    """Bring machines to their plans and confirm them; take all back if one fails."""
    from linkwright.apply import bring_all, confirm_all, new_run, take_back_all

    run, names = new_run(), {one.machine for one in proposals}
    chosen = [one for one in hosts if one.name in names]

    def bring(report: Report) -> list[Outcome]:
        with _connections(chosen, sudo=sudo) as machines:
            return bring_all(machines, proposals, run, confirm_s=confirm_s, report=report)

    def confirm(report: Report) -> list[Outcome]:
        with _connections(chosen, sudo=sudo, are_new=True) as machines:
            return confirm_all(machines, proposals, run, report=report)

    def back(report: Report) -> list[Outcome]:
        with _connections(chosen, sudo=sudo) as machines:
            return take_back_all(machines, run, report=report)

    outcomes = work(bring, "changing machines", quiet=quiet)
    if all(one.failure is None for one in outcomes):
        outcomes = work(confirm, "confirming", quiet=quiet)
    if any(one.failure is not None for one in outcomes):
        outcomes = [*outcomes, *work(back, "taking back", quiet=quiet)]
    _expect_success(
        outcomes,
        "the plan is not on all machines",
        "machines that answer are as they were before; the others go back within "
        f"{confirm_s:g} s, or, if only their last answer was lost, by linkwright undo",
    )


def _expect_success(outcomes: Sequence[Outcome], message: str, remedy: str) -> None:
    for one in outcomes:
        for reason in (*((one.failure,) if one.failure else ()), *one.left):
            say_error(f"{one.machine}: {reason}", "")
    if any(one.failure or one.left for one in outcomes):
        raise RunError(message, remedy)


def _expect_consent(yes: bool, deed: str) -> None:
    """Ask before the first change."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(f"nobody can be asked whether to {deed}", "say --yes")
    if not typer.confirm(f"{deed[0].upper()}{deed[1:]}?", err=True):
        raise typer.Exit(1)


def _chosen(hosts: Sequence[str], only: Sequence[str] | None) -> list[Host]:
    from linkwright.machines.inventory import inventory, reachable

    found = reachable(inventory(",".join(hosts)), "change")
    names = [one.name for one in found]
    for one in only or ():
        if one not in names:
            raise UsageError(f"--only {one}: there is no such machine", f"use {', '.join(names)}")
    return [one for one in found if not only or one.name in only]


def _target(via: str | None) -> str | None:
    """Return the target of --via, which may be another name of it."""
    from linkwright.apply import KERNEL, TARGETS
    from linkwright.plan.exporters import target_named

    if via is None or via.strip().lower() == KERNEL:
        return via and KERNEL
    found = target_named(via)
    if found not in TARGETS:
        raise UsageError(
            f"--via {via}: no machine sets its network up by it",
            f"use one of {', '.join((*TARGETS, KERNEL))}",
        )
    return found
