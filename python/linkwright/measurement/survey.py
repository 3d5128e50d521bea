"""All paths of a cluster that is up, measured: latency, throughput, loss, the processors of nodes
that forward, and the problems that they show.

A path is a ping-pong between its ends, as a workload of the hardware engine, so that every other
engine predicts its rows.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, Any

from linkwright.design.rates import rate_text
from linkwright.engines import Run, observe
from linkwright.errors import RunError
from linkwright.hardware.answers import Exchanges, Ports, checked
from linkwright.hardware.fleet import Fleet, Packet, WrongPlaneError
from linkwright.hardware.playing import verdict_of
from linkwright.measurement.carried import wrong_planes
from linkwright.measurement.offloads import Toggle, toggles
from linkwright.measurement.paths import Path, paths_of
from linkwright.measurement.problem import Problem
from linkwright.notebook import counted, listed
from linkwright.progress import Report
from linkwright.results import Result, Row
from linkwright.results.schema import canonical_json
from linkwright.workloads import PingPong

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.measurement.machines import Site

__all__ = ["SIZES_BYTES", "Survey", "surveyed"]

SIZES_BYTES = (1, 1024, 16_384, 131_072, 1_048_576)
PILOT_BYTES = 16_384
CRAWL_S = 0.05
"""Time of a message of the pilot from which a path crawls: longer ones are left out."""
MOST_EXCHANGES, FEWEST_EXCHANGES, WARM_UP = 20, 2, 4
BUDGET_S = 2.0
"""Time for the exchanges of the longest messages."""
N_DATAGRAMS, DATAGRAM_BYTES = 300, 1200
LEAST_SHARE, LEAST_FORWARDED = 0.6, 0.5
"""Share of the rate of its like, and of its cables, below which a path is slow."""
FEWEST_ALIKE = 3
"""Paths of a class whose middle says what is normal."""
MUCH_FASTER = 1.5
"""Factor by which a path without an offload is faster, if that offload is the reason."""
MOST_LOSS = 0.01
MOST_SAID = 3
"""Problems that are said if no path can be measured."""


@dataclass(frozen=True, eq=False)
class Survey:
    """Measured paths.

    Attributes
    ----------
    result : Result
        Rows of every path.
    problems : tuple of Problem
    """

    result: Result
    problems: tuple[Problem, ...]


def surveyed(
    site: Site,
    hosts: Calibration,
    *,
    repeats: int = 1,
    has_parts: bool = True,
    with_toggles: bool = False,
    report: Report = lambda *_: None,
) -> Survey:
    """Measure the paths of a cluster.

    Parameters
    ----------
    site : Site
        The cluster.
    hosts : Calibration
        The size from which messages are sent by rendezvous.
    repeats : int
        Measurements of each path.
    has_parts : bool
        Whether the design names the parts that the machines have, so that rates are predicted.
    with_toggles : bool
        Whether offloads of forwarding nodes are switched off and on, where their paths are slow.
    report : callable
        Called with the number of paths that are done, of all, and the next one.

    Raises
    ------
    RunError
        If no path can be measured; it says the first problems.
    """
    surveyor = _Surveyor(site, hosts, repeats, has_parts=has_parts)
    return surveyor.survey(with_toggles=with_toggles, report=report)


class _Surveyor:
    """Paths that have been measured so far."""

    def __init__(self, site: Site, hosts: Calibration, repeats: int, *, has_parts: bool) -> None:
        self.site, self.hosts, self.repeats = site, hosts, repeats
        self.has_parts = has_parts
        self.predictions: dict[tuple[int, int], float] = {}
        self.results: dict[Path, Result] = {}
        self.problems: list[Problem] = []
        self.astray: set[tuple[str, str]] = set()

    def survey(self, *, with_toggles: bool, report: Report) -> Survey:
        """Return all paths, and the problems that they show together."""
        paths = paths_of(self.site)
        if not paths:
            raise _no_path(self.site)
        for number, path in enumerate(paths):
            report(number, len(paths), path.place)
            self._measure(path)
        slow = [path for path in self.results if self._is_slow(path)]
        for path in slow:
            report(len(paths), len(paths), f"{path.place} again")
            self._measure_again(path)
        for path in slow:
            if self._is_slow(path):
                self.problems += self._reasons(path, with_toggles=with_toggles)
        if not self.results:
            raise _nothing(self.problems)
        found = Result.concatenate(self.results.values())
        return Survey(_remarked(found, self.problems), tuple(self.problems))

    def _measure(self, path: Path) -> None:
        """Measure a path, and note problems of its own."""
        fleet = self.site.fleet
        try:
            self._expect_routes(path)
            before = fleet.counters()
            result = self._rows(path)
            grown = {node: one.since(before[node]) for node, one in fleet.counters().items()}
            loss = self._loss(path)
        except WrongPlaneError as error:
            self._note_wrong_plane(path, error)
            return
        except RunError as error:
            self.problems.append(Problem("failed", path.place, error.message, error.hint))
            return
        self.problems += wrong_planes(self.site, path, grown, _user_bytes(result))
        if loss > MOST_LOSS:
            self.problems.append(_loss_problem(path, loss))
        span_s = float(sum(result.filter(metric="simulated_s").values()))
        busy = {node: grown[node].cpu for node in path.forwarders}
        rows = [_row(result, path, "loss", loss)]
        for node, (busy_s, _, n_cpus) in busy.items():
            load = min(1.0, busy_s / (n_cpus * span_s))
            rows.append(_row(result, path, "processor_load", load, node=node))
        self.results[path] = Result.concatenate([result, Result.from_rows(rows)])

    def _note_wrong_plane(self, path: Path, error: WrongPlaneError) -> None:
        """Note an interface of a node once, whatever the number of its paths."""
        if (error.node, error.nic) not in self.astray:
            self.astray.add((error.node, error.nic))
            self.problems.append(Problem("wrong-plane", path.place, error.evidence, error.hint))

    def _fleet(self, path: Path) -> Fleet:
        """Return the nodes with the addresses of a path."""
        moved = {path.source: path.source_address, path.target: path.target_address}
        return self.site.fleet.with_addresses(moved)

    def _expect_routes(self, path: Path) -> None:
        """Check that each node on the way sends by an interface of the plan.

        Raises
        ------
        WrongPlaneError
            If one does not: nothing is sent then.
        """
        ends = (path.source_address, path.target_address)
        packets: dict[str, list[Packet]] = {}
        for steps, (source, target) in ((path.there, ends), (path.back, ends[::-1])):
            for node, came_by, _ in steps[:-1]:
                packets.setdefault(node, []).append((source, target, came_by))
        self._fleet(path).expect_routes(packets)

    def _rows(self, path: Path) -> Result:
        """Return the ping-pong over a path, with as many exchanges as its rate allows."""
        pilot = self._played(path, 1, size_bytes=(PILOT_BYTES,), repeats=1, warm_up=1)
        pilot_s = float(pilot.filter(metric="latency").values()[0])
        if pilot_s > CRAWL_S:
            sizes = tuple(one for one in SIZES_BYTES if one <= PILOT_BYTES)
            return self._played(path, 1, size_bytes=sizes, repeats=1, warm_up=0)
        longest_s = 2 * pilot_s * max(SIZES_BYTES) / PILOT_BYTES
        n = int(min(max(BUDGET_S / longest_s, FEWEST_EXCHANGES), MOST_EXCHANGES))
        settings = {"size_bytes": SIZES_BYTES, "repeats": n, "warm_up": min(n, WARM_UP)}
        return self._played(path, self.repeats, **settings)

    def _played(self, path: Path, times: int, **settings: Any) -> Result:
        """Return a ping-pong over a path, with the path in the parameters."""
        numbers = self.site.planned.nodes
        workload = PingPong(
            src=numbers[path.source].number, dst=numbers[path.target].number, **settings
        )
        run = Run.of(
            self.site.network,
            workload,
            engine="hardware",
            calibration=self.hosts,
            repeats=times,
            study="measure",
            machines=self._fleet(path),
        )
        return _on_path(observe(run).result, path)

    def _measure_again(self, path: Path) -> None:
        """Measure a path once more, and keep the faster of both: the machines have other work."""
        first, n_problems = self.results[path], len(self.problems)
        self._measure(path)
        del self.problems[n_problems:]
        if _rate(self.results[path]) < _rate(first):
            self.results[path] = first

    def _loss(self, path: Path) -> float:
        """Return the share of datagrams that do not come back over a path."""
        fleet = self.site.fleet
        answer = fleet.ask("clock", {path.target: path.target_address})[path.target]
        port = checked(answer, Ports, path.target)[0]
        given = {
            "source": path.source_address,
            "address": path.target_address,
            "port": port,
            "count": N_DATAGRAMS,
            "size_bytes": DATAGRAM_BYTES,
        }
        echoes = fleet.ask("echoes", {path.source: given})[path.source]
        n_sent, n_back = checked(echoes, Exchanges, path.source)
        return max(0.0, 1 - n_back / n_sent) if n_sent else 0.0

    def _is_slow(self, path: Path) -> bool:
        normal = self._normal(path)
        return normal is not None and _rate(self.results[path]) < normal

    def _normal(self, path: Path) -> float | None:
        """Return the least normal rate of a path: of its cables, of its class, as predicted."""
        if path.forwarders:
            cables = self._cables(path)
            if cables:
                return LEAST_FORWARDED * min(cables)
        alike = [_rate(one) for other, one in self.results.items() if other.kind == path.kind]
        bounds = [median(alike)] if len(alike) >= FEWEST_ALIKE else []
        bounds += [self._predicted(path)] if self.has_parts else []
        return LEAST_SHARE * max(bounds) if bounds else None

    def _predicted(self, path: Path) -> float:
        """Return the predicted rate between the ends of a path."""
        numbers = self.site.planned.nodes
        ends = (numbers[path.source].number, numbers[path.target].number)
        if ends not in self.predictions:
            workload = PingPong(src=ends[0], dst=ends[1], size_bytes=(max(SIZES_BYTES),), repeats=1)
            run = Run.of(self.site.network, workload, engine="analytic", calibration=self.hosts)
            rates = observe(run).result.filter(metric="throughput").values()
            self.predictions[ends] = float(rates[0])
        return self.predictions[ends]

    def _cables(self, path: Path) -> list[float]:
        """Return the rates of the measured cables that a path consists of; none if one lacks."""
        legs = set(path.legs)
        own = [
            _rate(one)
            for other, one in self.results.items()
            if other.kind == "one hop" and set(other.legs) <= legs
        ]
        return own if len(own) == len(path.forwarders) + 1 else []

    def _reasons(self, path: Path, *, with_toggles: bool) -> Iterator[Problem]:
        """Yield the problem of a slow path, with the offload that is its reason if it is known."""
        rate, normal = _rate(self.results[path]), self._normal(path) or 0.0
        busy = _busy_text(self.results[path])
        if not path.forwarders:
            text = f"{_text(rate)} over {path.place}, at least {_text(normal)} is normal{busy}"
            step = "swap this cable with a good one, and see whether the number moves with it"
            yield Problem("slow-cable", path.place, text, step)
            return
        normally = f"at least {_text(normal)} is normal for its cables"
        text = f"{_text(rate)} over {path.place}, {normally}{busy}"
        step = "see which offload is the reason: measure with --toggle-offloads, as root"
        if with_toggles:
            try:
                found = self._toggled(path, rate)
            except RunError as error:
                yield Problem("failed", path.place, error.message, error.hint)
                found = []
            self.results[path] = self._with_toggles(path, found)
            if found and found[-1].rate > MUCH_FASTER * rate:
                text = _offload_text(path, found[-1], rate)
                yield Problem("offload", path.place, text, found[-1].remedy)
                return
            step = "no offload is the reason: look at the processors of the nodes that forward"
        yield Problem("slow-path", path.place, text, step)

    def _toggled(self, path: Path, rate: float) -> list[Toggle]:
        """Return a path without one offload at a time, up to the one that makes it much faster."""
        found = []
        for one in toggles(self.site.fleet, path, lambda: _rate(self._rows(path))):
            found.append(one)
            if one.rate > MUCH_FASTER * rate:
                break
        return found

    def _with_toggles(self, path: Path, found: Sequence[Toggle]) -> Result:
        result = self.results[path]
        rows = [
            _row(
                result, path, "throughput", one.rate, unit="B/s", without=one.offload, node=one.node
            )
            for one in found
        ]
        return Result.concatenate([result, Result.from_rows(rows)])


def _on_path(result: Result, path: Path) -> Result:
    """Return rows with their path in the parameters, and in the names of their runs."""
    digest = hashlib.sha256(canonical_json(path.parameters).encode()).hexdigest()[:6]
    rows = (
        replace(row, run=f"{row.run}-{digest}", parameters={**row.parameters, **path.parameters})
        for row in result.rows()
    )
    runs = {"runs": tuple(f"{one}-{digest}" for one in result.manifests[0].runs), "remarks": ()}
    return Result.from_rows(rows, [result.manifests[0].model_copy(update=runs)])


def _rate(result: Result) -> float:
    """Return the best throughput of the largest messages, in bytes per second."""
    rows = result.filter(metric="throughput").rows()
    own = [row for row in rows if "without" not in row.parameters]
    largest = max(row.parameters.get("size_bytes", 0) for row in own)
    return max(row.value for row in own if row.parameters["size_bytes"] == largest)


def _user_bytes(result: Result) -> int:
    """Return the bytes of all messages in one direction."""
    rows = result.filter(metric="latency").rows()
    sizes = [row.parameters["size_bytes"] * row.parameters["repeats"] for row in rows]
    return int(sum(sizes))


def _row(
    result: Result, path: Path, metric: str, value: float, unit: str = "1", **named: Any
) -> Row:
    first = result.rows()[0]
    known = {name: first.parameters[name] for name in ("src", "dst")}
    parameters = {**known, **path.parameters, **named}
    return replace(first, metric=metric, value=value, unit=unit, parameters=parameters)


def _no_path(site: Site) -> RunError:
    """Return the error of a cluster of which no path has both ends up."""
    of_reason: dict[str, list[str]] = {}
    for node, reason in site.fleet.missing.items():
        of_reason.setdefault(reason, []).append(node)
    texts = [
        reason if reason.startswith(nodes[0]) else f"{listed(nodes)}: {reason}"
        for reason, nodes in of_reason.items()
    ]
    remedy = "put the plan on the machines: linkwright apply DESIGN --hosts HOSTS"
    if not site.matched.nodes:
        remedy = "see that machines answer: linkwright facts HOSTS"
    return RunError(f"no path of the plan has both ends up: {_first(texts)}", remedy)


def _first(texts: Sequence[str]) -> str:
    """Return the first of some reasons, and the number of the others."""
    n_more = len(texts) - MOST_SAID
    more = f", and {counted(n_more, 'further reason')}" if n_more > 0 else ""
    return f"{'; '.join(texts[:MOST_SAID])}{more}"


def _nothing(problems: Sequence[Problem]) -> RunError:
    """Return the error of a cluster none of whose paths can be measured."""
    texts = list(dict.fromkeys(one.text for one in problems))
    return RunError(f"no path can be measured: {_first(texts)}", problems[0].next_step)


def _busy_text(result: Result) -> str:
    """Return the doubt about a path whose machines were busy; empty for a faithful run."""
    word = verdict_of(float(result.filter(metric="waited_share").values().max()))
    return "" if word == "faithful" else f" (the run is {word}: machines were busy)"


def _loss_problem(path: Path, loss: float) -> Problem:
    return Problem(
        "loss",
        path.place,
        f"{loss:.1%} of datagrams are lost over {path.place}",
        "look at the errors of its ports (ethtool -S), and clean or replace the cable",
    )


def _offload_text(path: Path, best: Toggle, rate: float) -> str:
    name = best.offload.upper()
    return (
        f"{_text(rate)} over {path.place} with {name} of {best.node}, which forwards it, "
        f"{_text(best.rate)} without"
    )


def _text(rate: float) -> str:
    return rate_text(8 * rate / 1e6, digits=3)


def _verdict(result: Result) -> str:
    """Return the judgement of all paths, in a sentence."""
    shares = result.filter(metric="waited_share").values().tolist()
    words = Counter(verdict_of(one) for one in shares)
    errors = result.filter(metric="clock_error_s").values()
    counted = ", ".join(f"{n} {word}" for word, n in words.items())
    return f"{len(shares)} runs of paths: {counted}; clocks agree to {errors.max() * 1e6:.0f} us"


def _remarked(result: Result, problems: Sequence[Problem]) -> Result:
    """Return the rows with the problems among the remarks of their manifests."""
    if not result.manifests:
        return result
    first, *others = result.manifests
    remarks = (*(one.sentence for one in problems), _verdict(result))
    return Result(result.columns, (first.model_copy(update={"remarks": remarks}), *others))
