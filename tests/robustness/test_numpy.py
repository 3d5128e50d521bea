"""Every number of the public surface may be one of NumPy's: the answer is the same to the byte.

Small integers of NumPy wrap around, and none of its numbers has a JSON form, so that an answer with
one of them inside would differ, or fail where it is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwright
from linkwright import Cluster, UsageError, calibrations, workloads
from linkwright.calibrations import Cost, Count
from linkwright.design.parts import PartsSection
from linkwright.design.topologies import TOPOLOGIES
from linkwright.engines import run, watch
from linkwright.engines.inputs import Run
from linkwright.engines.rows import result_of_run
from linkwright.papers import Runner
from linkwright.placement import nodes_of_ranks
from linkwright.program import compile_program
from linkwright.results import Result, Row, interval_of
from linkwright.workloads import PATTERNS, WORKLOADS, Barrier, PingPong, Workload

TORUS = Cluster.parse("topology: {kind: torus, shape: [4, 4]}")
NETWORK = linkwright.compile(TORUS)
LARGE = linkwright.compile(Cluster.parse("topology: {kind: torus, shape: [10, 10]}"))
SHARED = linkwright.compile(Cluster.parse("topology: {kind: hub, nodes: 4}"))
HOSTS = calibrations.load("pentium-pro-200-linux-2.0")
PLAY = PingPong(size_bytes=(1, 64), repeats=2)
A_ROW: dict[str, Any] = {"metric": "latency", "unit": "s", "origin": "measured"}

INTEGERS = (np.int64, np.int32, np.uint8)
FLOATS = (np.float64, np.float32)


def rows(result: Result) -> str:
    return result.reproducible().to_json()


def rows_of(**inputs: Any) -> str:
    inputs = {"network": NETWORK, "workload": PLAY, "hosts": HOSTS, **inputs}
    return result_of_run(Run(**inputs), [], {"events": 3}).to_json()


def design(**sections: Any) -> str:
    topology = sections.pop("topology", {"kind": "torus", "shape": [4, 4]})
    return Cluster.from_fields({"topology": topology, **sections}).model_dump_json()


Call = Callable[[Any], Any]
CALLS: dict[str, tuple[Call, int | float]] = {
    "run: seed": (lambda n: rows(run(NETWORK, PLAY, seed=n)), 3),
    "run: seeds from": (lambda n: rows(run(SHARED, PLAY, seed=n, repeats=3)), 254),
    "run: repeats": (lambda n: rows(run(SHARED, PLAY, repeats=n)), 2),
    "run: n_jobs": (lambda n: rows(run(SHARED, PLAY, repeats=2, n_jobs=n)), 2),
    "run: draws": (lambda n: rows(run(NETWORK, PLAY, draws=n)), 2),
    "run: precision": (lambda x: rows(run(NETWORK, PLAY, engine="flow", precision=x)), 0.125),
    "watch: seed": (lambda n: rows(watch(NETWORK, PLAY, seed=n)[0]), 3),
    "Run: counts": (lambda n: rows_of(seed=n, repeat=n, draw=n, options={"dilation": n}), 2),
    "Run: precision": (lambda x: rows_of(options={"precision": x}), 0.5),
    "Row": (
        lambda n: Result.from_rows(
            [Row(value=n, seed=n, repeat=n, nodes=n, parameters={"a": n, "b": [n]}, **A_ROW)]
        ).to_json(),
        2,
    ),
    "Row: value": (lambda x: Result.from_rows([Row(value=x, **A_ROW)]).to_json(), 0.5),
    "filter: column": (lambda n: rows(run(NETWORK, PLAY).filter(nodes={n})), 16),
    "filter: parameter": (lambda n: rows(run(NETWORK, PLAY).filter({"size_bytes": n})), 64),
    "interval_of": (lambda n: repr(interval_of([n, 1, 2])), 4),
    "compile_program": (lambda n: compile_program(Barrier(), n).n_operations, 200),
    "background": (
        lambda n: (
            compile_program(Barrier(ranks=3), n, background=workloads.KeepAlive()).n_operations
        ),
        200,
    ),
    "port_id": (lambda n: repr(LARGE.port_id(n, n // 50)), 99),
    "port_of": (lambda n: repr(NETWORK.port_of(n)), 30),
    "port_name": (lambda n: NETWORK.port_name(n, 1), 3),
    "part_of": (lambda n: NETWORK.part_of(n).key, 3),
    "nodes_of_ranks": (
        lambda n: nodes_of_ranks("random", NETWORK, n, seed=n).tolist(),
        9,
    ),
    "constants of hosts": (
        lambda n: json.dumps(HOSTS.changed({"tcp.initial_window": n}).published()),
        2,
    ),
    "costs of hosts": (
        lambda x: json.dumps(HOSTS.changed({"host.send.us": x}).published()),
        2.5,
    ),
    "name of hosts": (lambda n: HOSTS.changed({"host.send.us": n}).name, 2),
    "mtu of hosts": (lambda n: HOSTS.constants(mtu=n)["segment_bytes"], 200),
    "draw of hosts": (lambda n: HOSTS.drawn(n).model_dump_json(), 2),
    "Count": (lambda n: Count(value=n, origin="measured").model_dump_json(), 4),
    "Cost": (lambda x: Cost(us=x, origin="measured").model_dump_json(), 4.5),
    "compare: size": (
        lambda n: json.dumps(linkwright.compare(n, ports_per_node=n).to_json()),
        4,
    ),
    "compare: inputs": (
        lambda n: json.dumps([(found := linkwright.compare(4, rate_mbps=n)).inputs, found.seed]),
        100,
    ),
    "compare: runs": (
        lambda n: rows(linkwright.compare(4, workloads=[Barrier()], seed=n, n_jobs=n).result),
        2,
    ),
    "Runner": (lambda n: repr(vars(Runner(n_jobs=n, n_draws=n))["n_draws"]), 2),
    "shape": (lambda n: design(topology={"kind": "torus", "shape": [n, n]}), 4),
    "shape as array": (
        lambda n: design(topology={"kind": "torus", "shape": np.array([n, n]).tolist()}),
        4,
    ),
    "hub": (lambda n: design(topology={"kind": "hub", "nodes": n}), 4),
    "tree": (lambda n: design(topology={"kind": "tree", "nodes": n, "uplinks": n}), 8),
    "hypercube": (lambda n: design(topology={"kind": "hypercube", "dimension": n}), 3),
    "stack-ring": (
        lambda n: design(topology={"kind": "stack-ring", "stages": n, "nodes_per_stage": n}),
        4,
    ),
    "mtu": (lambda n: design(mtu=n), 1400),
    "growth": (lambda n: design(addressing={"grow_to": n}), 8),
    "cuts": (
        lambda n: design(routing={"fallback": {"by": "interface", "failures": n}}),
        2,
    ),
    "places": (lambda x: design(places={"n00": [x, x]}), 4.5),
    "parts": (lambda n: design(parts={"node": {"max_nics": n}}), 4),
    "parts alone": (
        lambda n: repr(PartsSection(node={"max_nics": n}).resolve(Path())["node"]),
        4,
    ),
}


def check_same(call: Call, number: float) -> None:
    """Check that a call answers the same for every type with this number."""
    expected = call(number)
    for kind in FLOATS if isinstance(number, float) else INTEGERS:
        if not isinstance(number, int) or number <= np.iinfo(kind).max:
            assert call(kind(number)) == expected, kind.__name__


@pytest.mark.parametrize(("call", "number"), CALLS.values(), ids=CALLS)
def test_numpys_numbers_give_the_same_answer(call: Call, number: float) -> None:
    check_same(call, number)


@pytest.mark.parametrize("integer", INTEGERS)
def test_arrays_are_shapes_and_sizes(integer: type[np.integer]) -> None:
    torus = TOPOLOGIES["torus"](kind="torus", shape=np.array([4, 4], dtype=integer))
    assert torus == TORUS.topology
    assert all(type(side) is int for side in torus.shape)  # type: ignore[attr-defined]
    numpys = PingPong(size_bytes=np.array([1, 64], dtype=integer), repeats=integer(2))
    assert numpys == PLAY
    assert numpys.parameters == PLAY.parameters


EVERY_WORKLOAD = {
    f"{name} {settings}": kind(**settings)
    for name, kind in {**WORKLOADS, **PATTERNS}.items()
    for settings in kind.examples
    if kind is not workloads.WorstCase  # it has no pairs without a network
}


def table(workload: Workload, n_nodes: int) -> object:
    """Return the ranks and steps of a workload on a cluster."""
    n_ranks = workload.at_speed(HOSTS.compute, n_nodes).n_ranks(n_nodes)
    steps = workload.at_speed(HOSTS.compute, n_nodes).steps(n_ranks)
    return repr(n_ranks), {name: column.tobytes() for name, column in vars(steps).items()}


@pytest.mark.parametrize("workload", EVERY_WORKLOAD.values(), ids=EVERY_WORKLOAD)
def test_workloads_take_numbers_of_nodes(workload: Workload) -> None:
    check_same(lambda n: table(workload, n), 16)


@pytest.mark.parametrize("name", sorted({**WORKLOADS, **PATTERNS}))
def test_every_integer_setting_of_a_workload_may_be_numpys(name: str) -> None:
    kind = {**WORKLOADS, **PATTERNS}[name]
    defaults = {
        key: field.default
        for key, field in kind.model_fields.items()
        if type(field.default) is int and field.alias is None
    }
    try:
        expected = kind(**defaults)
    except UsageError:
        pytest.skip("it has settings without a default")
    found = kind(**{key: np.int64(value) for key, value in defaults.items()})
    assert (found, json.dumps(found.parameters)) == (expected, json.dumps(expected.parameters))


def test_a_true_value_is_still_no_number() -> None:
    with pytest.raises(linkwright.DesignError):
        Cluster.from_fields({"topology": {"kind": "hub", "nodes": np.bool_(True)}})
