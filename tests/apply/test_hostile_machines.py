"""Machines whose answers have another form: an error of that machine, never a fault of ours.

A machine may have been taken over; its answers are read as those of a stranger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from hypothesis import given, settings
from hypothesis import strategies as st

from linkwright.apply import bring_all, confirm_all, propose, take_back_all
from linkwright.apply.changes import changes
from linkwright.design.cluster import Cluster
from linkwright.machines import Machine
from linkwright.network import Network
from linkwright.network import compile as compile_network

NETWORK: Network = compile_network(
    Cluster.parse("name: ring\ntopology: {kind: torus, shape: [3]}\nrouting: {fallback: true}\n")
)
LOOKED: dict[str, Any] = {
    "is_root": True,
    "hostname": "n0",
    "names": ["eth0", "eth1"],
    "management": ["mgmt0"],
    "default": ["mgmt0"],
    "routes": [],
    "has_docker": False,
    "managers": {"has_systemd": False, "running": [], "unready": {}, "of_connection": []},
    "claims": [],
    "kept": [],
    "scope": None,
    "given": None,
}
NOTHING: dict[str, Any] = {
    **{key: {} for key in ("links", "offloads", "parameters", "files", "generated")},
    **{key: [] for key in ("addresses", "routes", "rules", "filters")},
}
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@dataclass(frozen=True)
class Answering(Machine):
    """A machine with an answer for each action."""

    answers: dict[str, Any] = field(default_factory=dict)
    kind: ClassVar[str] = "answering"

    @property
    def python(self) -> str:
        """Its interpreter of Python."""
        return "python3"

    def command(self, words: Sequence[str]) -> list[str]:
        """No program runs there."""
        raise AssertionError(words)

    def ask(self, source: str, given: Any, *, mark: str, timeout_s: float) -> Any:
        """Return the answer to an action."""
        del source, mark, timeout_s
        return self.answers[given["action"]]


def machine(**answers: Any) -> Answering:
    """Return a machine that answers as it should, but for some actions."""
    usual = {"look": LOOKED, "present": {"state": NOTHING}, "apply": {}, "confirm": {}}
    return Answering("n0", {**usual, "undo": {"left": []}, "back": {"left": []}, **answers})


def test_a_machine_as_it_should_be_is_changed() -> None:
    (proposal,) = propose(NETWORK, [machine()])
    assert not proposal.refusals
    assert "+ interface id0 (dummy)" in proposal.changes
    assert proposal.plan is not None
    assert changes(proposal.plan.state, proposal.plan.state) == []


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(LOOKED)), anything, anything)
def test_other_answers_are_errors_of_the_machine(key: str, value: Any, state: Any) -> None:
    for one in (
        machine(look={**LOOKED, key: value}),
        machine(look=value),
        machine(present=value),
        machine(present={"state": state}),
        machine(present={"state": {**NOTHING, "links": value, "rules": state}}),
        machine(apply=value, confirm=state, undo=value, back=state),
    ):
        (proposal,) = propose(NETWORK, [one])
        if proposal.plan is None:
            assert proposal.refusals
            continue
        for outcomes in (
            bring_all([one], [proposal], "run", confirm_s=60),
            confirm_all([one], [proposal], "run"),
            take_back_all([one], "run"),
            take_back_all([one]),
        ):
            assert all(text.isprintable() for text in map(str, outcomes))
        assert all(line.isprintable() for line in proposal.changes)


def test_texts_of_a_machine_do_not_reach_a_terminal_as_they_are() -> None:
    state = {**NOTHING, "addresses": [["\x1b[2J", "dev", "eth0"]]}
    (proposal,) = propose(NETWORK, [machine(present={"state": state})])
    (reason, _) = proposal.refusals[0]
    assert reason.isprintable()
