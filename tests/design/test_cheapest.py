"""The lines of a P-Mesh that share a switch: the number for which the switches cost least.

The judge compiles the mesh with every number and compares the bills.
"""

from __future__ import annotations

from typing import Any

import pytest

from linkwright.comparison.architectures import Candidate, candidates
from linkwright.comparison.fitting import Wanted
from linkwright.design.cluster import Cluster
from linkwright.errors import LinkwrightError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import Severity, check, price
from linkwright.plan.cost import CostLine


def mesh(shape: tuple[int, ...], parts: dict[str, Any], **rest: Any) -> Network:
    lines = {"lines_per_switch": rest.pop("lines")} if "lines" in rest else {}
    topology = {"kind": "p-mesh", "shape": shape, **lines}
    return compile_network(Cluster.from_fields({"topology": topology, "parts": parts, **rest}))


def bought(network: Network) -> float:
    return price(network).units_bought_per_node * network.n_compute


def switches(network: Network) -> list[tuple[str, float]]:
    def is_switch(line: CostLine) -> bool:
        return line.part_role == "switch"

    return [(one.item, one.quantity) for one in price(network).units_bought if is_switch(one)]


PARTS: list[dict[str, Any]] = [
    {"catalogue": "ethernet-2026", "switch": "switch-10g-48"},
    {"catalogue": "ethernet-2026", "switch": "switch-10g-24"},
    {"catalogue": "ethernet-2026"},
    {"catalogue": "whitney-1998"},
    {"catalogue": "whitney-1997"},
    {"catalogue": "stack-2001"},
]


@pytest.mark.parametrize("front_end", [False, True])
@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (3, 3, 3), (7,), (2, 9)])
@pytest.mark.parametrize("parts", PARTS, ids=lambda parts: "-".join(parts.values()))
def test_no_number_of_lines_is_cheaper(
    parts: dict[str, Any], shape: tuple[int, ...], front_end: bool
) -> None:
    costs = []
    for lines in range(1, 19):
        try:
            costs.append(bought(mesh(shape, parts, lines=lines, front_end=front_end)))
        except LinkwrightError:
            continue
    if not costs:
        with pytest.raises(LinkwrightError):
            mesh(shape, parts, front_end=front_end)
        return
    assert bought(mesh(shape, parts, front_end=front_end)) == pytest.approx(min(costs))


def test_24_nodes_buy_two_large_switches() -> None:
    assert switches(mesh((4, 6), PARTS[0])) == [("switch, 48 ports", 2)]
    assert switches(mesh((4, 6), PARTS[0], lines=1)) == [("switch, 48 ports", 10)]


def test_boxes_of_their_own_at_the_same_price() -> None:
    """A line that fills a switch has it alone: no VLANs, and it fails alone."""
    network = mesh((8, 8), {"catalogue": "ethernet-2026"})
    assert switches(network) == [("switch, 8 ports", 16)]
    assert not network.chassis_names


def test_a_switch_without_vlans_is_not_divided() -> None:
    parts = {
        "catalogue": "ethernet-2026",
        "nic": "nic-1g",
        "cable": "cat-6a",
        "switch": "switch-1g-48",
    }
    assert switches(mesh((4, 6), parts)) == [("switch, 48 ports", 10)]
    findings = check(mesh((4, 6), parts, lines=6))
    [error] = [one for one in findings if one.severity is Severity.ERROR]
    assert error.rule == "vlan"
    assert "'switch-1g-48' has no VLANs" in error.reason


@pytest.mark.parametrize("catalogue", ["ethernet-2026", "whitney-1998", "stack-2001"])
@pytest.mark.parametrize("n_nodes", [16, 24])
def test_the_comparison_proposes_the_cheapest(catalogue: str, n_nodes: int) -> None:
    found = candidates(n_nodes, Wanted(catalogue))
    [one] = [one for one in found if isinstance(one, Candidate) and one.name == "p-mesh"]
    best = bought(compile_network(one.design))
    shape = one.design.topology.sides
    for lines in range(1, 13):
        try:
            other = mesh(shape, one.design.parts.model_dump(exclude_none=True), lines=lines)
        except LinkwrightError:
            continue
        assert bought(other) >= best - 0.01


@pytest.mark.parametrize(("shape", "most"), [((4, 6), 24**2), ((3, 3, 3), 24**3), ((8, 8), 24**2)])
def test_a_form_that_holds_these_lines_does_not_limit_the_kind(
    shape: tuple[int, ...], most: int
) -> None:
    """A larger mesh has fewer lines on each switch, unless the design gives their number."""
    assert mesh(shape, PARTS[1]).closed.max_nodes == most
    assert mesh(shape, PARTS[1], lines=2).closed.max_nodes == 12 ** len(shape)
