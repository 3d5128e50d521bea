"""A comparison with made-up measurements, so that no test of a view depends on an engine.

Designs, prices and findings are real; the ping-pong, broadcast and barrier are not.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from linkwright.comparison import Architecture, ArchitectureComparison
from linkwright.comparison.architectures import Candidate, candidates
from linkwright.comparison.fitting import Wanted
from linkwright.comparison.result import FARTHEST, NEAREST, LeftOut, Measured
from linkwright.design.cluster import Cluster
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import check, properties
from linkwright.results import Manifest, Result, Row

SIZES = (1, 4096, 65536)


def network(kind: str, *, front_end: bool = False, **fields: Any) -> Network:
    """Compile a topology whose nodes hold any number of NICs."""
    topology = {"kind": kind, **fields}
    parts = {"node": {"slots": None}}
    return compile_network(
        Cluster.from_fields({"topology": topology, "parts": parts, "front_end": front_end})
    )


def comparison(n_nodes: int = 16, **changes: Any) -> ArchitectureComparison:
    """Return every architecture for some nodes, each a little slower than the one before."""
    found = candidates(n_nodes, Wanted("whitney-1998"))
    built = [one for one in found if isinstance(one, Candidate)]
    settings = {
        "architectures": tuple(_architecture(index, one) for index, one in enumerate(built)),
        "left_out": tuple(one for one in found if isinstance(one, LeftOut)),
        "workloads": ("ping-pong", "broadcast", "barrier"),
        "engine": "packet",
        "calibration": "some-hosts",
        "seed": 1,
        "inputs": {"nodes": n_nodes, "catalogue": "whitney-1998"},
    }
    return ArchitectureComparison(**{**settings, **changes})


def of_designs(*designs: Cluster) -> ArchitectureComparison:
    """Return a comparison of designs."""
    rows = tuple(
        _architecture(index, Candidate(one.name, one)) for index, one in enumerate(designs)
    )
    return comparison(2, architectures=rows, inputs={"designs": [one.name for one in designs]})


def of_draws() -> ArchitectureComparison:
    """Return a comparison of two draws, the second a tenth slower than the first."""
    found = comparison(16, draws=2)
    rows = (
        replace(row, measured=tuple(_twice(one) for one in row.measured))
        for row in found.architectures
    )
    return replace(found, architectures=tuple(rows))


def _twice(one: Measured) -> Measured:
    first = [replace(row, repeat=0) for row in one.result.rows()]
    second = [replace(row, repeat=1, value=1.1 * row.value) for row in first]
    return replace(one, result=Result.from_rows([*first, *second]))


def manifest(*command: str) -> Manifest:
    """Return a manifest of no particular time."""
    moment = datetime(2000, 1, 1, tzinfo=UTC)
    return Manifest.of(command=command or ("linkwright",), started=moment, finished=moment)


def _architecture(index: int, candidate: Candidate) -> Architecture:
    built = compile_network(candidate.design)
    return Architecture(
        candidate.name,
        candidate.design,
        built,
        properties(built),
        tuple(check(built)),
        candidate.chosen_parts,
        tuple(_measured(index)),
    )


def _measured(index: int) -> list[Measured]:
    slow = 1 + index / 10
    pairs = [(NEAREST, (0, 1), slow)] + [(FARTHEST, (0, 1), 2 * slow)] * (index == 3)
    times = {"broadcast": 0.001 * slow, "barrier": 0.0005 * slow}
    return [
        *(Measured("ping-pong", pair, nodes, _ping_pong(by)) for pair, nodes, by in pairs),
        *(
            Measured(name, "", None, Result.from_rows([_row(name, "time", value, "s")]))
            for name, value in times.items()
        ),
    ]


def _ping_pong(slow: float) -> Result:
    latencies_s = [slow * (0.0001 + size * 1e-7) for size in SIZES]
    return Result.from_rows(
        row
        for size, latency_s in zip(SIZES, latencies_s, strict=True)
        for row in (
            _row("ping-pong", "latency", latency_s, "s", size_bytes=size),
            _row("ping-pong", "throughput", size / latency_s, "B/s", size_bytes=size),
        )
    )


def _row(workload: str, metric: str, value: float, unit: str, **parameters: Any) -> Row:
    return Row(
        workload=workload,
        metric=metric,
        value=value,
        unit=unit,
        parameters=parameters,
        origin="predicted",
    )
