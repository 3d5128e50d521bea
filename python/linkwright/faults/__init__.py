"""Parts that fail and wires that lose frames during a run, as users write them: "cable:c12 down".

The grammar is in `GRAMMAR`; parts have the names of the plan's tables, or a number among those of
their kind. columns.py has faults as the compiled core takes them, crates/packet/src/faults their
effects, and engines/fault_costs.py their costs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.faults.parts import PART_KINDS, Parts, parts_named
from linkwright.files import MEBIBYTE, read_text
from linkwright.network import Network

__all__ = ["CORRUPT", "DOWN", "GRAMMAR", "LOSS", "Fault", "fault_lines", "parse", "read_faults"]

GRAMMAR = (
    "PART down [at TIME] [up at TIME | for TIME], PART reboot at TIME for TIME, "
    "PART loss PROBABILITY [from TIME to TIME], PART corrupt PROBABILITY [from TIME to TIME]; "
    "PART as cable:12, node:n03, nic:n01:eth0, hub:h0 or switch:s1, TIME as 1.5s, 20ms or 30us"
)

MOST_FAULTS = 65_535
_MOST_BYTES = 16 * MEBIBYTE
"""Largest size of a file of faults."""

DOWN, LOSS, CORRUPT = 0, 1, 2

_SECONDS = {"min": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_NUMBER = r"\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?"
_TIME = re.compile(rf"({_NUMBER})(min|s|ms|us|ns)", re.ASCII)
_EFFECTS = ("down", "reboot", "loss", "corrupt")


@dataclass(frozen=True)
class Fault:
    """A failure of parts, or a loss or damage of frames, for some time.

    Attributes
    ----------
    given : str
        The text of the user.
    text : str
        The text in results: the part by its name, times in seconds.
    kind : int
        DOWN, LOSS or CORRUPT.
    probability : float
        Probability of losing a frame or damaging a bit; 0 if parts are down.
    from_s, until_s : float
        Begin and end; infinite for never.
    parts : tuple of (int, int)
        Code and id of each part, as the compiled core takes them.
    """

    given: str
    text: str
    kind: int
    probability: float
    from_s: float
    until_s: float
    parts: Parts


def parse(texts: Sequence[str], network: Network) -> tuple[Fault, ...]:
    """Return the faults that some texts describe.

    Raises
    ------
    UsageError
        If a text does not follow the grammar or names no part of the network.

    Examples
    --------
    >>> import linkwright
    >>> cluster = linkwright.Cluster.parse("topology: {kind: torus, shape: [2, 2]}")
    >>> parse(["cable:1 down at 20ms for 1s"], linkwright.compile(cluster))[0].text
    'cable:c1 down at 0.02s up at 1.02s'
    """
    if len(texts) > MOST_FAULTS:
        raise UsageError(
            f"{len(texts)} faults are too many, {MOST_FAULTS} are allowed",
            "name a device instead of each of its cables",
        )
    return tuple(_parse(text, network) for text in texts)


def fault_lines(text: str) -> list[str]:
    """Return the faults in a file: one per line, without blank lines and comments after a #."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def read_faults(path: Path) -> list[str]:
    """Return the faults in a file, read by `fault_lines`.

    Raises
    ------
    UsageError
        If the file cannot be read.
    """
    hint = "name a file of faults, one per line"
    return fault_lines(read_text(path, "", most_bytes=_MOST_BYTES, hint=hint))


def _parse(text: str, network: Network) -> Fault:
    words = text.split()
    if len(words) < 2:
        raise _wrong(text, "names no part, or no fault of it")
    part, effect, *rest = words
    if effect not in _EFFECTS:
        raise UsageError(
            f"fault {shown(text)}: {shown(effect)} is no kind of fault",
            f"{unknown_name(effect, _EFFECTS)}; write {GRAMMAR}",
        )
    kind, _, name = part.partition(":")
    if kind not in PART_KINDS or not name:
        raise UsageError(
            f"fault {shown(text)}: {shown(part)} names no part",
            f"{unknown_name(kind, PART_KINDS)}; write KIND:NAME, such as cable:12 or nic:n01:eth0",
        )
    named, parts = parts_named(network, kind, name)
    if effect in ("down", "reboot"):
        from_s, until_s = _outage(text, kind, effect, rest)
        when = "down" if from_s == 0 else f"down at {_seconds(from_s)}"
        if until_s < math.inf:
            when += f" up at {_seconds(until_s)}"
        return Fault(text, f"{named} {when}", DOWN, 0.0, from_s, until_s, parts)
    probability, from_s, until_s = _impairment(text, rest)
    when = "" if from_s == 0 and until_s == math.inf else _span(from_s, until_s)
    code = LOSS if effect == "loss" else CORRUPT
    shown_as = f"{named} {effect} {probability:g}{when}"
    return Fault(text, shown_as, code, probability, from_s, until_s, parts)


def _outage(text: str, kind: str, effect: str, rest: list[str]) -> tuple[float, float]:
    """Return the times at which a part goes down and comes back."""
    if effect == "reboot" and kind in ("cable", "nic"):
        raise UsageError(f"fault {shown(text)}: a {kind} does not reboot", f"write {kind}:... down")
    from_s, until_s = 0.0, math.inf
    match rest:
        case [] if effect == "down":
            pass
        case ["at", begin] if effect == "down":
            from_s = _time(text, begin)
        case ["at", begin, "for", span]:
            from_s = _time(text, begin)
            until_s = from_s + _time(text, span)
        case ["for", span] if effect == "down":
            until_s = _time(text, span)
        case ["at", begin, "up", "at", end] if effect == "down":
            from_s, until_s = _time(text, begin), _time(text, end)
        case ["up", "at", end] if effect == "down":
            until_s = _time(text, end)
        case _:
            raise _wrong(text, f"gives no time for {effect}")
    return _in_order(text, from_s, until_s)


def _impairment(text: str, rest: list[str]) -> tuple[float, float, float]:
    """Return a probability, and the times at which it begins and ends to hold."""
    match rest:
        case [value]:
            from_s, until_s = 0.0, math.inf
        case [value, "from", begin, "to", end]:
            from_s, until_s = _in_order(text, _time(text, begin), _time(text, end))
        case _:
            raise _wrong(text, "gives no probability, or no valid time")
    if not re.fullmatch(_NUMBER, value, re.ASCII) or not 0 <= float(value) <= 1:
        raise UsageError(
            f"fault {shown(text)}: {shown(value)} is no probability", "write 0.001 or 1e-9"
        )
    return float(value), from_s, until_s


def _in_order(text: str, from_s: float, until_s: float) -> tuple[float, float]:
    if until_s <= from_s:
        raise UsageError(f"fault {shown(text)} does not end after it begins", "let it end later")
    return from_s, until_s


def _time(text: str, word: str) -> float:
    match = _TIME.fullmatch(word)
    if match is None:
        raise UsageError(
            f"fault {shown(text)}: {shown(word)} is no time", "write 1.5s, 20ms, 30us or 2min"
        )
    return float(match[1]) * _SECONDS[match[2]]


def _seconds(time_s: float) -> str:
    return f"{time_s:.12g}s"


def _span(from_s: float, until_s: float) -> str:
    return f" from {_seconds(from_s)} to {_seconds(until_s)}"


def _wrong(text: str, why: str) -> UsageError:
    return UsageError(f"fault {shown(text)} {why}", f"write {GRAMMAR}")
