"""The state of real machines in the form in which pages show it: that of a comparison, or of the
JSON that `verify` and `watch` write.

JSON may be of any origin: values that do not fit are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from linkwright.as_built import KINDS, Verdict
from linkwright.as_built.deviation import COLUMNS, Deviation, worst_first
from linkwright.as_built.summary import Statement, statements
from linkwright.network import Network
from linkwright.notebook import counted

__all__ = ["MoveWords", "State", "state_of", "stored_state"]

MOST_FINDINGS = 2000
MOST_OF_TEXT = 2000


@dataclass(frozen=True)
class MoveWords:
    """A move of a plug as text: the ports that it leaves and enters, and that of the other plug."""

    cable: str
    leaves: str
    enters: str
    other: str


@dataclass(frozen=True)
class State:
    """The state of real machines.

    Attributes
    ----------
    answer : str
        The answer in a sentence.
    is_good : bool
        Whether nothing was found.
    findings : tuple of Deviation
    statements : tuple of Statement
        The findings, with those of one cause as one.
    moves : tuple of MoveWords
    not_checked : tuple of str
        Sentences about facts that were not compared.
    """

    answer: str
    is_good: bool
    findings: tuple[Deviation, ...]
    statements: tuple[Statement, ...]
    moves: tuple[MoveWords, ...]
    not_checked: tuple[str, ...]


def state_of(verdict: Verdict) -> State:
    """Return the state that a comparison has found."""
    moves = tuple(
        MoveWords(one.cable, one.leaves.text, one.enters.text, one.other.text)
        for one in verdict.cabling.moves
    )
    return State(
        verdict.answer,
        not verdict.findings,
        verdict.findings,
        tuple(verdict.statements),
        moves,
        verdict.not_checked,
    )


def stored_state(given: Mapping[str, Any], network: Network) -> State:
    """Return the state of the machines of a network in the JSON of `verify` or `watch`."""
    name, devices = network.name, set(network.device_names)
    findings = tuple(worst_first(list(_findings(given.get("findings")))))
    watch = given.get("watch")
    own = watch if isinstance(watch, dict) else {}
    nodes = own.get("nodes")
    said = statements(findings, [one for one in _listed(nodes) if isinstance(one, str)])
    answer = own.get("answer")
    if not isinstance(answer, str):
        first = f" First: {said[0].reason}." if said else ""
        found = f"{name} is not as planned: {counted(len(findings), 'finding')}.{first}"
        answer = found if findings else f"{name} is as planned."
    listed = (one for one in _listed(given.get("moves")) if isinstance(one, dict))
    moves = tuple(_words(one, devices) for one in listed)
    texts = tuple(one for one in _listed(given.get("not_checked")) if isinstance(one, str))
    return State(answer[:MOST_OF_TEXT], not findings, findings, tuple(said), moves, texts)


def _findings(given: Any) -> Iterator[Deviation]:
    names = [name for name in COLUMNS if name != "severity"]
    for one in _listed(given):
        if not isinstance(one, dict) or one.get("kind") not in KINDS:
            continue
        own = {key: one.get(key) for key in names}
        if all(value is None or isinstance(value, str) for value in own.values()):
            texts = {key: value[:MOST_OF_TEXT] for key, value in own.items() if value is not None}
            yield Deviation(**{"reason": "", "fix": "", **texts})


def _listed(given: Any) -> list[Any]:
    return given[:MOST_FINDINGS] if isinstance(given, list) else []


def _words(given: Mapping[str, Any], devices: Set[str]) -> MoveWords:
    """Return a move in the form of its JSON as text; its target is a port, or a switch by name."""
    cable, node, leaves, enters, other = (
        str(given.get(key) or "")[:MOST_OF_TEXT]
        for key in ("cable", "node", "from_port", "to_port", "other_end")
    )
    is_elsewhere = ":" in enters or enters in devices or not enters
    return MoveWords(
        cable,
        f"{node}:{leaves}" if leaves else node,
        enters if is_elsewhere else f"{node}:{enters}",
        other,
    )
