"""Problems behind findings and measurements, in the order in which to mend them, with their
certainty and next step.

Errors that `verify` finds come first: wrong cables and addresses explain most numbers. Then
measurements that contradict the plan, warnings, and last numbers below the prediction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from linkwright.as_built import Verdict
from linkwright.as_built.planned import Planned
from linkwright.design.rates import rate_text
from linkwright.doctor.expectation import Expectation, is_normal_latency
from linkwright.doctor.measuring import Echo, Stream
from linkwright.doctor.transfers import Course
from linkwright.notebook import counted, listed
from linkwright.plan.finding import Severity

__all__ = ["Problem", "problems_of"]

SURE, LIKELY, POSSIBLE = "sure", "likely", "possible"
BUSY = 0.9
"""Load of the sending processor from which it is the limit."""
MOST_PLACES = 4
MANY, OUTLIER = 4, 0.5
"""Slow streams that have one cause, and the share of the usual rate below which one has its own."""
WRONG_PLANE = "wrong plane: "


@dataclass(frozen=True)
class Problem:
    """A problem: its place, certainty and next step, and the cables that have it."""

    place: str
    problem: str
    certainty: str
    next_step: str
    cables: tuple[str, ...] = ()


def problems_of(
    verdict: Verdict,
    echoes: Sequence[Echo],
    streams: Sequence[Stream],
    *,
    expectation: Expectation,
    fabric: dict[str, list[str]],
    gone: Mapping[str, str],
) -> list[Problem]:
    """Return the problems behind findings and measurements; else as `diagnosed`."""
    return [
        *_gone(gone),
        *_of_findings(verdict, Severity.ERROR, echoes),
        *_wrong_planes(echoes, streams, fabric),
        *_silent(echoes, streams),
        *_short(echoes),
        *_broken(streams),
        *_of_findings(verdict, Severity.WARNING, echoes),
        *_slow(streams, verdict, expectation),
        *_late(echoes, expectation),
    ]


def _gone(gone: Mapping[str, str]) -> Iterator[Problem]:
    for node, reason in gone.items():
        yield Problem(
            node,
            f"{node} stopped answering during the examination: {reason}",
            SURE,
            "look at its console and its management cable, and examine the cluster again",
        )


def _of_findings(verdict: Verdict, severity: Severity, echoes: Sequence[Echo]) -> Iterator[Problem]:
    """Yield findings, without unseen cables that carry an echo."""
    on_cables = [one for one in echoes if one.course.cable]
    silent = {one.course.cable for one in on_cables if not one.n_small}
    heard = {one.course.cable for one in on_cables} - silent
    ports = Planned(verdict.network).cable_of.items()
    cable_at: dict[tuple[str | None, str | None], str] = {port: one.name for port, one in ports}
    for one in verdict.statements:
        first = one.findings[0]
        is_seen = first.cable in heard if first.cable else bool(heard) and not silent
        if one.severity is severity and not (one.kind == "unseen-cable" and is_seen):
            named = (each.cable or cable_at.get((each.node, each.nic)) for each in one.findings)
            cables = tuple(dict.fromkeys(cable for cable in named if cable))
            yield Problem(one.place, one.reason, first.certainty, one.fix, cables)


def _wrong_planes(
    echoes: Sequence[Echo], streams: Sequence[Stream], fabric: dict[str, list[str]]
) -> Iterator[Problem]:
    """Yield nodes whose packets leave or arrive by a NIC that is not of the plan."""
    seen: set[tuple[str, str]] = set()
    every: list[Echo | Stream] = [*echoes, *streams]
    for one in every:
        _, found, nic = one.error.partition(WRONG_PLANE)
        if found and (one.course.source, nic) not in seen:
            seen.add((one.course.source, nic))
            yield Problem(
                one.course.source,
                f"packets from {one.course.source} to {one.course.target} leave by "
                f"{nic or 'no interface'}, which is not of the fabric",
                SURE,
                f"load the routes of the plan on {one.course.source} "
                "(linkwright plan DESIGN -o plan --for ip)",
            )
    for stream in streams:
        course, nic = stream.course, stream.came_by
        wrong = nic != course.target_nic if course.target_nic else nic not in fabric[course.target]
        if nic and wrong:
            yield Problem(
                course.place,
                f"{course.target} gets the packets of {course.place} by {nic}",
                SURE,
                "look for a cable in the wrong port: linkwright verify DESIGN --probe",
                _cables([course]),
            )
        out = stream.left_by
        wrong = out != course.nic if course.nic else out not in fabric[course.source]
        if out and wrong and (course.source, out) not in seen:
            seen.add((course.source, out))
            yield Problem(
                course.place,
                f"{course.source} sends the packets of {course.place} by {out}",
                SURE,
                f"load the routes of the plan on {course.source} "
                "(linkwright plan DESIGN -o plan --for ip)",
            )


def _silent(echoes: Sequence[Echo], streams: Sequence[Stream]) -> Iterator[Problem]:
    """Yield courses without an echo, those of cables before pairs."""
    for kind, step in (
        ("cable", "check the plugs and lights of both ends, then the addresses of both ports"),
        ("pair", "check ip_forward and the firewall of the nodes between them"),
    ):
        quiet = [
            one.course
            for one in echoes
            if one.course.kind == kind and not one.n_small and WRONG_PLANE not in one.error
        ]
        if quiet:
            text = f"no echo over {_places(quiet)}"
            yield Problem(quiet[0].place, text, SURE, step, _cables(quiet))
    answered = {one.course for one in echoes if one.n_small}
    failed = [
        one for one in streams
        if one.error and WRONG_PLANE not in one.error and one.course in answered
    ]  # fmt: skip
    if failed:
        courses = [one.course for one in failed]
        yield Problem(
            courses[0].place,
            f"no stream over {_places(courses)}: {failed[0].error}",
            SURE,
            "look for a firewall that drops TCP between the fabric ports",
            _cables(courses),
        )


def _short(echoes: Sequence[Echo]) -> Iterator[Problem]:
    """Yield courses that pass small packets only."""
    short = [one.course for one in echoes if one.n_small and not one.n_long]
    # A cable explains the pairs behind it.
    kinds = {one.kind for one in short}
    shown = [one for one in short if one.kind == ("cable" if "cable" in kinds else "pair")]
    if shown:
        yield Problem(
            shown[0].place,
            f"packets of {shown[0].mtu} bytes are lost over {_places(shown)}, small ones are not",
            SURE,
            f"set the MTU of all ports there, and of the switch between them, to {shown[0].mtu}",
            _cables(shown),
        )


def _broken(streams: Sequence[Stream]) -> Iterator[Problem]:
    for one in streams:
        if one.n_lost:
            yield Problem(
                one.course.place,
                f"{one.course.target} got {one.n_lost} broken frames in the stream over "
                f"{one.course.place}",
                LIKELY,
                "clean or replace the cable, then its transceivers",
                _cables([one.course]),
            )


def _slow(
    streams: Sequence[Stream], verdict: Verdict, expectation: Expectation
) -> Iterator[Problem]:
    """Yield streams below the prediction, cables first; each with the most likely reason.

    Most cables are not bad at the same time: those that are about as slow as all others are one
    problem, and no cable's.
    """
    slow = [one for one in streams if expectation.is_slow(one)]
    on_cables = {node for one in slow if one.course.kind == "cable"
                 for node in (one.course.source, one.course.target)}  # fmt: skip
    alike = _alike(slow, streams)
    for one in sorted(slow, key=lambda each: each.course.kind != "cable"):
        course = one.course
        if one in alike or (course.kind != "cable" and {course.source, course.target} & on_cables):
            continue
        text = f"{_rates(one, expectation)} are predicted"
        yield Problem(course.place, text, *_reason_of(one, verdict), _cables([course]))
    if alike:
        worst = min(alike, key=lambda one: one.rate_bps or 0)
        yield Problem(
            counted(len(alike), "direction") + " of cables",
            f"{_rates(worst, expectation)} are predicted, and {len(alike) - 1} others are as slow",
            POSSIBLE,
            "the processors limit one stream, or other jobs run: measure while the machines are "
            "idle, and with several streams, such as iperf3 -P 4",
        )


def _alike(slow: Sequence[Stream], streams: Sequence[Stream]) -> list[Stream]:
    """Return slow streams over cables, if these are most cables, without far slower ones."""
    on_cables = [one for one in streams if one.course.kind == "cable" and one.rate_bps]
    own = [one for one in slow if one.course.kind == "cable" and one.rate_bps]
    if len(own) < MANY or 2 * len(own) <= len(on_cables):
        return []
    usual = median(one.rate_bps or 0.0 for one in on_cables)
    alike = [one for one in own if (one.rate_bps or 0.0) > OUTLIER * usual]
    return alike if len(alike) >= MANY else []


def _rates(one: Stream, expectation: Expectation) -> str:
    predicted = expectation.rate_bps(one.course) or 0.0
    return f"{_rate_text(one.rate_bps or 0)} over {one.course.place}, {_rate_text(predicted)}"


def _reason_of(one: Stream, verdict: Verdict) -> tuple[str, str]:
    """Return the certainty of the cause of a slow stream, and the next step."""
    ends = {one.course.source, one.course.target}
    findings = (each for each in verdict.findings if each.kind != "unseen-cable")
    known = next((each for each in findings if each.node in ends), None)
    if known is not None:
        return LIKELY, f"mend first: {known.reason}"
    if one.busy > BUSY:
        return (
            POSSIBLE,
            "the sending processor limits one stream: measure with several, such as iperf3 -P 4",
        )
    if one.course.kind == "forwarded":
        return LIKELY, "switch off TSO and GRO on the ports of the node between, and measure again"
    return LIKELY, "swap this cable with a good one, and see whether the number moves with it"


def _late(echoes: Sequence[Echo], expectation: Expectation) -> Iterator[Problem]:
    late = [
        one for one in echoes
        if one.latency_s is not None
        and is_normal_latency(one.latency_s, expectation.latency_s(one.course)) is False
    ]  # fmt: skip
    if late:
        worst = max(late, key=lambda one: one.latency_s or 0)
        yield Problem(
            worst.course.place,
            f"echoes take {(worst.latency_s or 0) * 1e6:.0f} us over "
            f"{_places([one.course for one in late])}, "
            f"{(expectation.latency_s(worst.course) or 0) * 1e6:.0f} us are predicted",
            POSSIBLE,
            "measure again while the machines are idle; then look at C-states and interrupts",
            _cables([one.course for one in late]),
        )


def _rate_text(bps: float) -> str:
    return rate_text(bps / 1e6, digits=3)


def _places(courses: Sequence[Course]) -> str:
    return listed([one.place for one in courses], MOST_PLACES)


def _cables(courses: Sequence[Course]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.cable for one in courses if one.cable))
