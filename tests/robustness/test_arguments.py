"""The public functions accept NumPy's integers, and name the expected type of other arguments.

What the functions do with proper arguments is tested in the folders of their parts.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwright
from linkwright import Cluster, UsageError, workloads
from linkwright.design.topologies import TOPOLOGIES
from linkwright.program import compile_program
from linkwright.workloads import PATTERNS, WORKLOADS

TORUS = Cluster.parse("topology: {kind: torus, shape: [4, 4]}")


def figures(result: linkwright.Result) -> list[object]:
    return [row for row in result if row.metric not in ("wall_s", "peak_rss_bytes")]


@pytest.mark.parametrize("integer", [np.int64, np.int32, np.uint8])
def test_a_design_of_numpys_integers_is_the_same_design(integer: type[np.integer]) -> None:
    given = {"kind": "torus", "shape": [integer(4), integer(4)]}
    design = Cluster.from_fields({"topology": given, "mtu": np.int64(1500)})
    assert design == Cluster.from_fields(
        {"topology": {"kind": "torus", "shape": [4, 4]}, "mtu": 1500}
    )
    torus = TOPOLOGIES["torus"](kind="torus", shape=np.array([4, 4], dtype=integer))
    assert torus == TORUS.topology
    assert all(type(side) is int for side in torus.shape)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "hub", "nodes": np.int64(4)},
        {"kind": "tree", "nodes": np.int64(8), "uplinks": np.int64(1)},
        {"kind": "hypercube", "dimension": np.int64(3)},
        {"kind": "stack-ring", "stages": np.int64(4), "nodes_per_stage": np.int64(2)},
    ],
    ids=lambda fields: str(fields["kind"]),
)
def test_every_number_of_a_topology_may_be_numpys(fields: dict[str, object]) -> None:
    plain = {key: value if key == "kind" else int(str(value)) for key, value in fields.items()}
    assert Cluster.from_fields({"topology": fields}) == Cluster.from_fields({"topology": plain})


def test_a_run_takes_numpys_integers() -> None:
    network = linkwright.compile(TORUS)
    plain = workloads.PingPong(size_bytes=(1, 64), repeats=3, dst=5)
    numpys = workloads.PingPong(size_bytes=np.array([1, 64]), repeats=np.int64(3), dst=np.int64(5))
    assert numpys == plain
    result = linkwright.run(
        network, numpys, seed=np.int64(3), repeats=np.int64(2), n_jobs=np.int64(1)
    )
    assert figures(result) == figures(linkwright.run(network, plain, seed=3, repeats=2))
    assert json.loads(result.to_json())


@pytest.mark.parametrize("name", sorted({**WORKLOADS, **PATTERNS}))
def test_so_does_every_integer_setting(name: str) -> None:
    kind = {**WORKLOADS, **PATTERNS}[name]
    defaults = {
        key: field.default
        for key, field in kind.model_fields.items()
        if type(field.default) is int and field.alias is None
    }
    numpys = {key: np.int64(value) for key, value in defaults.items()}
    try:
        expected = kind(**defaults)
    except UsageError:
        pytest.skip("it has settings without a default")
    assert kind(**numpys) == expected


def test_so_do_program_and_comparison() -> None:
    assert compile_program(workloads.Barrier(), np.int64(4)).n_ranks == 4
    found = linkwright.compare(n_nodes=np.int64(4), seed=np.int64(1))
    assert type(found.seed) is int
    assert type(found.inputs["nodes"]) is int


def test_a_true_value_is_still_no_number() -> None:
    with pytest.raises(linkwright.DesignError):
        Cluster.from_fields({"topology": {"kind": "hub", "nodes": np.bool_(True)}})


def ran(**options: Any) -> object:
    return linkwright.run(linkwright.compile(TORUS), workloads.Barrier(), **options)


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "compile": (
        lambda: linkwright.compile("file.yaml"),
        "compile takes a Cluster, not 'file.yaml'",
    ),
    "path": (lambda: linkwright.compile(Path("file.yaml")), "takes a Cluster, not 'file.yaml'"),
    "check": (lambda: linkwright.check(TORUS), "check takes a Network, not an object of type"),
    "price": (lambda: linkwright.price("file.yaml"), "price takes a Network, not 'file.yaml'"),
    "write_plan": (lambda: linkwright.write_plan(None, "x"), "write_plan takes a Network"),
    "run": (lambda: linkwright.run(TORUS, workloads.Barrier()), "run takes a Network"),
    "workload": (
        lambda: linkwright.run(linkwright.compile(TORUS), "barrier"),
        "run takes a Workload, not 'barrier'",
    ),
    "background": (lambda: ran(background="keep-alive"), "background takes a Workload"),
    "calibration": (lambda: ran(calibration=3), "calibration takes a Calibration"),
    "engine": (lambda: ran(engine=None), "engine None is not a text"),
    "placement": (lambda: ran(placement=3), "placement 3 is not a text"),
    "faults": (lambda: ran(faults="cable:0 down"), "faults are a list of texts"),
    "seed": (lambda: ran(seed=-1), "seed -1 is out of range"),
}


@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_another_kind_of_thing_is_refused_by_name(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        call()
    assert message in raised.value.message
    assert raised.value.hint


def test_the_remedy_names_the_file() -> None:
    with pytest.raises(UsageError) as raised:
        linkwright.compile("lab/file.yaml")
    assert "Cluster.load('lab/file.yaml')" in raised.value.hint
