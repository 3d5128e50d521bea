"""The measurements on machines that are up: echoes of all sizes, streams, and the counters of NICs
before and after each stream.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkwright.doctor.transfers import Course, Measures
from linkwright.errors import RunError
from linkwright.facts.values import printable
from linkwright.machines.agents import Agent
from linkwright.progress import Report
from linkwright.threads import MOST_JOBS, threads

__all__ = ["Echo", "Stream", "listening", "pings", "silent", "streams"]

SMALL_BYTES = 64
ECHOES = 5
PING_S, MORE_S = 4.0, 30.0
"""Time of a ping without an answer, and that of a machine besides its measurements."""
MOST_BPS = 1.6e12
"""Fastest stream, which bounds its bytes."""
LEAST_SHARE = 0.5
"""Share of a stream's bytes on an interface that carries it."""

Counters = dict[str, dict[str, int]]
"""Counters of interfaces by their names."""
Ports = Mapping[tuple[str, str], tuple[int, int]]
"""Ports for datagrams and streams by node and address."""


@dataclass(frozen=True)
class Echo:
    """Pings over a course: echoes of small packets and of the longest, and half the round trip."""

    course: Course
    n_small: int = 0
    n_long: int = 0
    latency_s: float | None = None
    error: str = ""


@dataclass(frozen=True)
class Stream:
    """A stream over a course: its rate at the receiver, the load of the sender's processor, the
    interfaces that it left and came in by, and frames that were lost or broken.
    """

    course: Course
    rate_bps: float | None = None
    busy: float = 0.0
    came_by: str = ""
    left_by: str = ""
    n_lost: int = 0
    error: str = ""


def listening(agents: Mapping[str, Agent], measures: Measures) -> dict[tuple[str, str], Any]:
    """Let every machine serve its addresses, and return their ports."""
    wanted: dict[str, set[str]] = {}
    for one in (*measures.pings, *measures.streams):
        wanted.setdefault(one.target, set()).add(one.target_address)
    found = {}
    for node, addresses in wanted.items():
        answer = _asked(agents, node, "listen", sorted(addresses), MORE_S)
        for address, ports in answer.items() if isinstance(answer, dict) else ():
            if _are_ports(ports):
                found[node, address] = (ports[0], ports[1])
    return found


def pings(agents: Mapping[str, Agent], courses: Sequence[Course], ports: Ports) -> list[Echo]:
    """Ping over every course, all machines at the same time, each one by one."""
    by_source: dict[str, list[Course]] = {}
    for one in courses:
        by_source.setdefault(one.source, []).append(one)

    def ask(node: str) -> dict[Course, Echo]:
        own = by_source[node]
        served = [one for one in own if (one.target, one.target_address) in ports]
        given = [
            {**_given(one, ports, 0), "sizes": [SMALL_BYTES, one.mtu], "count": ECHOES}
            for one in served
        ]
        longest_s = MORE_S + PING_S * len(given) * 2
        answers = _asked(agents, node, "ping", given, longest_s) if given else []
        if not isinstance(answers, list) or len(answers) != len(served):
            answers = [answers] * len(served)
        return {one: _echo(one, answer) for one, answer in zip(served, answers, strict=True)}

    with threads(min(max(len(by_source), 1), MOST_JOBS)) as pool:
        found = {course: echo for each in pool.map(ask, by_source) for course, echo in each.items()}
    silent = "the other end does not serve its address"
    return [found.get(one, Echo(one, error=silent)) for one in courses]


def streams(
    agents: Mapping[str, Agent],
    courses: Sequence[Course],
    ports: Ports,
    nics: Mapping[str, Sequence[str]],
    seconds: float,
    report: Report,
) -> list[Stream]:
    """Send a stream over every course, one after the other."""
    found = []
    for number, one in enumerate(courses):
        report(number, len(courses), one.place)
        if (one.target, one.target_address) not in ports:
            found.append(Stream(one, error="the other end does not serve its address"))
            continue
        ends = (one.source, one.target)
        before = [_counters(agents, node, nics) for node in ends]
        given = {
            **_given(one, ports, 1),
            "seconds": seconds,
            "most_bytes": int(seconds * MOST_BPS / 8),
        }
        answer = _asked(agents, one.source, "send", given, MORE_S + seconds)
        after = [_counters(agents, node, nics) for node in ends]
        found.append(_stream(one, answer, *map(_grown, before, after)))
    return found


def silent(agents: Mapping[str, Agent]) -> dict[str, str]:
    """Return the reason of each node whose program does not answer any more."""
    answers = {node: _asked(agents, node, "counters", [], MORE_S) for node in agents}
    return {node: _reason(one) for node, one in answers.items() if one != {}}


def _given(one: Course, ports: Ports, which: int) -> dict[str, Any]:
    return {
        "source": one.source_address,
        "address": one.target_address,
        "port": ports[one.target, one.target_address][which],
        "nic": one.nic,
    }


def _asked(
    agents: Mapping[str, Agent], node: str, name: str, argument: Any, longest_s: float
) -> Any:
    agent = agents.get(node)
    if agent is None:
        return {"error": "its traffic program does not run"}
    try:
        return agent.ask(name, argument, longest_s=longest_s)
    except RunError as error:
        return {"error": error.message}


def _echo(course: Course, answer: Any) -> Echo:
    """Return an answer whose values are checked."""
    sizes = answer.get("sizes") if isinstance(answer, dict) else None
    if not isinstance(sizes, list) or len(sizes) != 2 or not all(map(_is_row, sizes)):
        return Echo(course, error=_reason(answer))
    (_, n_small, latency_s), (_, n_long, _) = sizes
    return Echo(course, n_small, n_long, None if latency_s is None else float(latency_s))


def _is_row(row: Any) -> bool:
    is_row = isinstance(row, list) and len(row) == 3
    return is_row and isinstance(row[1], int) and (row[2] is None or _number(row[2]) is not None)


def _stream(course: Course, answer: Any, sent: Counters, got: Counters) -> Stream:
    """Return an answer whose values are checked, beside the growth of both ends' counters."""
    given = answer if isinstance(answer, dict) else {}
    n_bytes, seconds, busy = (_number(given.get(key)) for key in ("bytes", "seconds", "busy"))
    if n_bytes is None or not seconds or busy is None:
        return Stream(course, error=_reason(answer))
    n_lost = sum(own.get(key, 0) for own in got.values() for key in ("rx_errors", "rx_crc_errors"))
    return Stream(
        course,
        n_bytes * 8 / seconds,
        busy,
        came_by=_carrier(got, "rx_bytes", n_bytes),
        left_by=_carrier(sent, "tx_bytes", n_bytes),
        n_lost=n_lost,
    )


def _carrier(grown: Counters, key: str, n_bytes: float) -> str:
    """Return the interface that carried most bytes of a stream; empty if none did."""
    name = max(grown, key=lambda nic: grown[nic].get(key, 0), default="")
    return name if name and grown[name].get(key, 0) > LEAST_SHARE * n_bytes else ""


def _counters(
    agents: Mapping[str, Agent], node: str, nics: Mapping[str, Sequence[str]]
) -> Counters:
    """Return the counters of all interfaces of a node."""
    found = _asked(agents, node, "counters", list(nics[node]), MORE_S)
    if not isinstance(found, dict):
        return {}
    return {
        nic: {key: value for key, value in own.items() if isinstance(value, int)}
        for nic, own in found.items()
        if isinstance(own, dict)
    }


def _grown(before: Counters, after: Counters) -> Counters:
    return {
        nic: {key: own[key] - before.get(nic, {}).get(key, own[key]) for key in own}
        for nic, own in after.items()
    }


def _are_ports(value: Any) -> bool:
    is_pair = isinstance(value, list) and len(value) == 2
    return is_pair and all(isinstance(one, int) and 0 < one < 1 << 16 for one in value)


def _number(value: Any) -> float | None:
    """Return a number that a measurement can have; None for any other value."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < 1e18 else None


def _reason(answer: Any) -> str:
    text = answer.get("error") if isinstance(answer, dict) else None
    found: str = printable(text)[:300] if isinstance(text, str) else "an answer without sense"
    return found
