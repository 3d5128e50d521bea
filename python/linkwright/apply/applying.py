"""A plan on machines that are up: each is asked first, then all are changed, then each change is
confirmed over a new connection.

A machine whose change is not confirmed in time goes back by itself (`keeper.py`).
"""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from linkwright.apply.changes import changes, refusals
from linkwright.apply.contents import NAME
from linkwright.apply.installed import KERNEL, chosen_target
from linkwright.apply.placed import is_same
from linkwright.apply.program import program
from linkwright.apply.wanted import Wanted, searched, wanted
from linkwright.errors import RunError, UsageError, shown
from linkwright.facts.values import printable
from linkwright.machines import Machine
from linkwright.machines.all_at_once import MOST_AT_ONCE, on_all
from linkwright.network import Network
from linkwright.notebook import counted
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import CORRECT_HOSTS, Host, NodePlan, answers_as
from linkwright.progress import Report

__all__ = [
    "Outcome",
    "Proposal",
    "bring_all",
    "confirm_all",
    "new_run",
    "propose",
    "take_back_all",
]

LONGEST_S = 120.0
"""Time in which a machine answers."""
SUDO = "let root run there, once: linkwright apply --rights LOGIN | ssh root@MACHINE sh"


@dataclass(frozen=True)
class Proposal:
    """The changes of a machine.

    Attributes
    ----------
    machine : str
        Name of its node.
    plan : Wanted or None
        Its part in the network; None if the machine cannot be asked.
    present : dict
        Its present state within the scope of the plan.
    changes : tuple of str
        Steps from its present state to the plan, one a line.
    refusals : tuple of tuple of str
        Reasons why it must not be changed, each with its remedy.
    via : str
        Target whose files the machine keeps, or `kernel`: until the next boot.
    """

    machine: str
    plan: Wanted | None
    present: dict[str, Any]
    changes: tuple[str, ...]
    refusals: tuple[tuple[str, str], ...]
    via: str = ""

    @property
    def files(self) -> dict[str, str]:
        """The text of each file that is written, by its place."""
        if self.plan is None:
            return {}
        return {
            place: base64.b64decode(value["content"]).decode()
            for place, value in self.plan.state["files"].items()
            if value["kind"] == "file" and not is_same(value, self.present["files"].get(place))
        }

    def to_json(self) -> dict[str, Any]:
        """Return the changes as a JSON value."""
        return {
            "machine": self.machine,
            "via": self.via,
            "files": self.files,
            "changes": list(self.changes),
            "refusals": [{"reason": reason, "fix": fix} for reason, fix in self.refusals],
        }


@dataclass(frozen=True)
class Outcome:
    """The end of a step on a machine.

    Attributes
    ----------
    machine : str
    failure : str or None
        The reason why it did not succeed.
    left : tuple of str
        Sentences about what could not be given back.
    is_clean : bool
        Whether there was nothing to take back.
    """

    machine: str
    failure: str | None = None
    left: tuple[str, ...] = ()
    is_clean: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the end as a JSON value."""
        return {
            "machine": self.machine,
            "had_no_plan": self.is_clean,
            "failure": self.failure,
            "left": list(self.left),
        }


def propose(
    network: Network,
    machines: Sequence[Machine],
    *,
    via: str | None = None,
    report: Report = lambda *_: None,
) -> list[Proposal]:
    """Ask machines for their state, and return the changes that a plan makes; nothing is changed.

    Parameters
    ----------
    network : Network
    machines : sequence of Machine
        Machines with the names of their nodes.
    via : str, optional
        Target whose files the machines keep, one of `TARGETS`, or `kernel`, until the next boot.
        Default: that of the manager of each machine.
    report : callable
        Called with each machine that has answered or failed.

    Raises
    ------
    UsageError
        If a machine is no node of the design.
    """
    whole = NetworkPlan(network)
    nodes = {node.node: node for node in whole.nodes()}
    for one in machines:
        if one.name not in nodes:
            raise UsageError(
                f"{shown(one.name)} is no node of the design",
                f"name machines as the design does: {', '.join(list(nodes)[:3])}, ...",
            )

    def ask(machine: Machine) -> Proposal:
        with _sense(machine):
            hosts = [one.host for one in nodes.values()]
            return _proposal(machine, whole, nodes[machine.name], hosts, via)

    answers = on_all(machines, ask, at_once=MOST_AT_ONCE, report=report)
    return [
        Proposal(machine.name, None, {}, (), ((one.message, one.hint),))
        if isinstance(one, RunError)
        else one
        for machine, one in zip(machines, answers, strict=True)
    ]


def _proposal(
    machine: Machine, network: NetworkPlan, node: NodePlan, hosts: Sequence[Host], via: str | None
) -> Proposal:
    nics = searched(node)
    looked = _ask(machine, "look", {"interfaces": nics})
    reasons = list(_unfit(looked, nics, node.host, hosts))
    if reasons:
        return Proposal(machine.name, None, {}, (), tuple(reasons))
    target = via or chosen_target(looked)
    reasons = list(_unready(looked, target, via))
    if reasons:
        return Proposal(machine.name, None, {}, (), tuple(reasons), target)
    own = node.with_names(
        {one["name"]: there for one, there in zip(nics, looked["names"], strict=True)}
    )
    written = "" if target == KERNEL else target
    plan = wanted(network, own, written, has_docker=looked["has_docker"]).beside(looked["scope"])
    present = _ask(machine, "present", {"scope": plan.scope})["state"]
    reasons = list(refusals(looked, present, plan))
    steps = () if reasons else tuple(changes(present, plan.state))
    return Proposal(machine.name, plan, present, steps, tuple(reasons), target)


def _unfit(
    looked: Mapping[str, Any], nics: Sequence[Mapping[str, str]], own: Host, hosts: Sequence[Host]
) -> Iterator[tuple[str, str]]:
    """Yield the reasons why a machine is not that of a node."""
    if not looked["is_root"]:
        yield "only root sets up interfaces", "log in as root, or use --sudo"
        return
    for one, there in zip(nics, looked["names"], strict=True):
        if not there:
            yield f"there is no NIC {one['name']}", "name it under 'nodes' of the design"
        elif not re.fullmatch(NAME, there):
            yield f"{shown(there)} is no name of a NIC that files can have", "rename it"
    other = answers_as(looked["hostname"], own, hosts)
    if other is not None:
        yield f"{own.node} answers as {other.node}", CORRECT_HOSTS


def _unready(looked: Mapping[str, Any], target: str, via: str | None) -> Iterator[tuple[str, str]]:
    """Yield the reasons why a machine cannot have a target."""
    if target == KERNEL:
        return
    if not looked["managers"]["has_systemd"]:
        yield "systemd does not run it: nothing starts a plan at a boot", f"use --via {KERNEL}"
    elif target in looked["managers"]["unready"]:
        reason = looked["managers"]["unready"][target]
        yield f"{target} cannot be used: {reason}", "leave --via out" if via else "use --via ip"


def new_run() -> str:
    """Return a name for a change of machines."""
    return secrets.token_hex(8)


def bring_all(
    machines: Sequence[Machine],
    proposals: Sequence[Proposal],
    run: str,
    *,
    confirm_s: float,
    report: Report = lambda *_: None,
) -> list[Outcome]:
    """Bring machines to their plans; each goes back by itself unless it is confirmed in time.

    Parameters
    ----------
    machines, proposals : sequence
        Machines and their changes, in the same order.
    run : str
        Name of this change (`new_run`).
    confirm_s : float
        Time in which each machine is confirmed.
    report : callable
        Called with each machine that has answered or failed.
    """
    proposals_of = {one.machine: one for one in proposals}

    def bring(machine: Machine) -> Outcome:
        plan = proposals_of[machine.name].plan
        assert plan is not None, "machines that cannot be asked are not changed"
        given = {
            "run": run,
            "scope": plan.scope,
            "wanted": plan.state,
            "present": proposals_of[machine.name].present,
            "confirm_s": confirm_s,
            "source": program(),
        }
        answer = _ask(machine, "apply", given)
        return Outcome(machine.name, answer.get("failed"), tuple(answer.get("left", ())))

    return _outcomes(machines, bring, report)


def confirm_all(
    machines: Sequence[Machine],
    proposals: Sequence[Proposal],
    run: str,
    *,
    report: Report = lambda *_: None,
) -> list[Outcome]:
    """Confirm the change of all machines if each one answers and has the state of its plan."""
    plans = {one.machine: one.plan for one in proposals}

    def examine(machine: Machine) -> Outcome:
        plan = plans[machine.name]
        assert plan is not None, "machines that cannot be asked are not changed"
        present = _ask(machine, "present", {"scope": plan.scope})["state"]
        left = changes(present, plan.state)
        return Outcome(machine.name, _lacking(left))

    def confirm(machine: Machine) -> Outcome:
        return Outcome(machine.name, _ask(machine, "confirm", {"run": run}).get("failed"))

    outcomes = _outcomes(machines, examine, report)
    if any(one.failure is not None for one in outcomes):
        return outcomes
    return _outcomes(machines, confirm, report)


def _lacking(left: Sequence[str]) -> str | None:
    return f"it lacks {counted(len(left), 'step')}: {left[0]}" if left else None


def take_back_all(
    machines: Sequence[Machine], run: str | None = None, *, report: Report = lambda *_: None
) -> list[Outcome]:
    """Take back one change of machines, or all that plans have changed.

    Parameters
    ----------
    machines : sequence of Machine
    run : str, optional
        Name of the change. Default: all.
    report : callable
        Called with each machine that has answered or failed.
    """

    def back(machine: Machine) -> Outcome:
        answer = _ask(machine, "undo", {}) if run is None else _ask(machine, "back", {"run": run})
        left, is_clean = tuple(answer.get("left", ())), answer.get("is_clean") is True
        return Outcome(machine.name, answer.get("failed"), left, is_clean)

    return _outcomes(machines, back, report)


def _outcomes(
    machines: Sequence[Machine], step: Callable[[Machine], Outcome], report: Report
) -> list[Outcome]:
    def take(machine: Machine) -> Outcome:
        with _sense(machine):
            return step(machine)

    answers = on_all(machines, take, at_once=MOST_AT_ONCE, report=report)
    return [
        Outcome(machine.name, str(one)) if isinstance(one, RunError) else one
        for machine, one in zip(machines, answers, strict=True)
    ]


def _ask(machine: Machine, action: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer of the program on a machine."""
    mark = secrets.token_hex(16)
    asked = {**given, "action": action, "mark": mark}
    try:
        answer = machine.ask(program(), asked, mark=mark, timeout_s=LONGEST_S)
    except RunError as error:
        if "password" in error.message or "sudo" in error.message:
            raise RunError(error.message, SUDO) from None
        raise
    if not isinstance(answer, dict):
        raise TypeError("the answer is no object")
    failure = answer.get("failed")
    if failure is not None and action not in ("apply", "confirm"):
        raise RunError(f"{machine.name}: {printable(failure)}", "see the machine itself")
    return dict(printable(answer))


@contextmanager
def _sense(machine: Machine) -> Iterator[None]:
    """Turn an answer of another form, as of a hostile machine, into an error of a run."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise RunError(
            f"{machine.name} answers otherwise than the program that was sent there",
            "check which machine it is, and that its python3 is that of the system",
        ) from None
