"""Compiled things cannot be written, and survive a pickle and a copy.

A copy must plan and run as its original does, to the last digit.
"""

import copy
import pickle
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

import linkwright
from linkwright import Cluster, Network, workloads
from linkwright.design.parts import catalogue
from linkwright.design.role_parts import RoleParts
from linkwright.plan import plan
from linkwright.program import compile_program

DESIGNS = {
    "torus": "topology: {kind: torus, shape: [3, 4]}\nrouting: {ties: paper}",
    "hub": "topology: {kind: hub, nodes: 5}",
    "p-mesh": "topology: {kind: p-mesh, shape: [3, 3], lines_per_switch: 1}\nfront_end: true",
    "bonds": "topology: {kind: bonded-dual-net, nodes: 5}",
    "fat-tree": "topology: {kind: fat-tree, k: 4}\nparts: {catalogue: ethernet-2026}",
    "stack-ring": "topology: {kind: stack-ring, stages: 4, nodes_per_stage: 2}",
    "fallback": "topology: {kind: ring, shape: [6]}\n"
    "routing: {scheme: shortest-path, fallback: true}\naddressing: {ipv4: true, ipv6: true}",
}
COPIES: dict[str, Callable[[Network], Network]] = {
    "pickle": lambda network: pickle.loads(pickle.dumps(network)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def arrays_in(record: object) -> Iterator[tuple[str, np.ndarray]]:
    for field in fields(record):  # type: ignore[arg-type]
        value = getattr(record, field.name)
        if isinstance(value, np.ndarray):
            yield field.name, value
        elif is_dataclass(value):
            yield from arrays_in(value)


def rows(network: Network, engine: str) -> list[object]:
    result = linkwright.run(
        network, workloads.PingPong(size_bytes=(1, 3000), repeats=2), engine=engine, seed=3
    )
    return [row for row in result if row.metric not in ("wall_s", "peak_rss_bytes")]


def check_same(one: Network, other: Network) -> None:
    assert one.design_hash == other.design_hash
    if not one.without:
        assert plan(one) == plan(other)
    for engine in ("analytic", "flow", "packet"):
        assert rows(one, engine) == rows(other, engine)
    for (name, array), (_, copied) in zip(arrays_in(one), arrays_in(other), strict=True):
        assert np.array_equal(array, copied), name
        assert not copied.flags.writeable, name


@pytest.mark.parametrize("text", DESIGNS.values(), ids=DESIGNS)
def test_no_array_of_a_network_can_be_written(text: str) -> None:
    for name, array in arrays_in(linkwright.compile(Cluster.parse(text))):
        assert not array.flags.writeable, name


@pytest.mark.parametrize("text", DESIGNS.values(), ids=DESIGNS)
def test_nor_one_of_a_wiring(text: str) -> None:
    design = Cluster.parse(text)
    limits = RoleParts.of(design.resolve_parts()).limits
    for name, array in arrays_in(design.topology.build(limits)):
        assert not array.flags.writeable, name


def test_nor_those_of_steps_and_of_what_the_core_counts() -> None:
    network = linkwright.compile(Cluster.parse(DESIGNS["torus"]))
    for name, array in arrays_in(workloads.Barrier().steps(4)):
        assert not array.flags.writeable, name
    load = network.core.load(network.addresses.identity)
    routes = network.core.routes()
    for array in (load.forwarded, load.links, routes.node, routes.destination):
        assert not array.flags.writeable


@pytest.mark.parametrize("way", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("text", DESIGNS.values(), ids=DESIGNS)
def test_a_copied_network_plans_and_runs_the_same(
    text: str, way: Callable[[Network], Network]
) -> None:
    network = linkwright.compile(Cluster.parse(text))
    check_same(network, way(network))


def test_so_does_one_without_some_parts() -> None:
    network = linkwright.compile(Cluster.parse(DESIGNS["torus"]), without=["n05:eth1"])
    check_same(network, pickle.loads(pickle.dumps(network)))


def test_so_does_one_with_explicit_routes(tmp_path: Path) -> None:
    regular = linkwright.compile(Cluster.parse(DESIGNS["hub"]))
    ring = linkwright.compile(Cluster.parse("topology: {kind: ring, shape: [5]}"))
    for network, text in ((regular, "hub, nodes: 5"), (ring, "ring, shape: [5]")):
        (tmp_path / "routes.csv").write_text(plan(network)["routes.csv"])
        design = tmp_path / "design.yaml"
        design.write_text(
            f"topology: {{kind: {text}}}\nrouting: {{scheme: explicit, table: routes.csv}}\n"
        )
        explicit = linkwright.compile(Cluster.load(design))
        check_same(explicit, copy.deepcopy(explicit))


def test_a_program_refers_to_settings_only() -> None:
    program = compile_program(workloads.Barrier(), 4)
    with pytest.raises(AttributeError):
        program.n_ranks = 5  # type: ignore[misc]


def test_catalogues_are_still_the_parts_of_a_copied_network() -> None:
    network = linkwright.compile(Cluster.parse(DESIGNS["hub"]))
    again = pickle.loads(pickle.dumps(network))
    assert dict(again.parts) == dict(network.parts)
    assert catalogue("whitney-1998").calibration == again.calibration
    with pytest.raises(TypeError):
        again.parts["nic"] = network.parts["node"]
