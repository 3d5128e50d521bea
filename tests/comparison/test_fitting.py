"""Parts that fit: the cheapest that go together, narrowed by rate and ports, or why none do.

What is done with an architecture that no parts fit is in test_compare.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from linkwright.comparison.architectures import ARCHITECTURES, OTHERS, Candidate, candidates
from linkwright.comparison.fitting import Wanted, fitting_design, units_bought, wired
from linkwright.comparison.result import LeftOut
from linkwright.design.cluster import Cluster
from linkwright.design.kits import kits, rates_mbps
from linkwright.design.parts import SwitchPart, catalogue
from linkwright.design.role_parts import RoleParts
from linkwright.errors import DesignError, UsageError
from linkwright.network import compile as compile_network
from linkwright.plan import Severity, check, price

NOW = "ethernet-2026"


def rows(n_nodes: int, name: str = NOW, **narrowed: Any) -> dict[str, Candidate]:
    found = candidates(n_nodes, Wanted(name, **narrowed), every_kind=True)
    return {one.name: one for one in found if isinstance(one, Candidate)}


def reasons(n_nodes: int, name: str = NOW, **narrowed: Any) -> dict[str, str]:
    found = candidates(n_nodes, Wanted(name, **narrowed), every_kind=True)
    return {one.name: one.reason for one in found if isinstance(one, LeftOut)}


def test_24_nodes_of_today_get_a_switch_with_as_many_ports() -> None:
    switch = rows(24)["switch"]
    assert switch.chosen_parts == {"switch": "switch-10g-24"}
    assert switch.design.parts.nic is None, "the usual NIC goes into it"
    assert RoleParts.of(switch.design.resolve_parts()).switch == catalogue(NOW).part(
        "switch-10g-24"
    )


def test_a_torus_takes_nics_of_two_ports_where_slots_are_few() -> None:
    torus = rows(24)["torus"]
    assert torus.chosen_parts == {"nic": "nic-10g-dual"}
    assert not rows(24)["ring"].chosen_parts


def test_a_small_switch_where_a_small_one_does() -> None:
    assert rows(4)["switch"].chosen_parts == {"switch": "crs305"}
    assert rows(8)["switch"].chosen_parts == {}


def test_papers_catalogues_have_one_kit() -> None:
    """Their sources name no connectors, so they are known to fit only the parts they came with."""
    for name in ("beowulf-1996", "stack-2001", "whitney-1997", "whitney-1998"):
        [rate_mbps] = rates_mbps(name)
        assert len(list(kits(name, rate_mbps))) == 1
        assert not any(one.chosen_parts for one in rows(16, name).values())


def test_a_stack_where_the_switch_allows_it() -> None:
    assert rows(60, "stack-2001")["switch"].design.topology.model_dump()["stack_units"] == 3
    assert "121 ports" in reasons(121, "stack-2001")["switch"]


def test_parts_of_a_kit_go_together() -> None:
    for rate_mbps in rates_mbps(NOW):
        found = list(kits(NOW, rate_mbps))
        assert found
        for kit in found:
            assert kit.nic.rate_mbps == rate_mbps <= (kit.cable.rate_mbps or 0)
            assert kit.nic.connector == kit.cable.connector
            if kit.switch is not None:
                assert kit.switch.connector == kit.nic.connector
                assert kit.switch.rate_mbps >= rate_mbps
        assert all(kit.nic.price > 0 for kit in found), "a port of the computer is not for sale"


def test_the_rate_narrows_the_choice() -> None:
    for one in rows(24, rate_mbps=25000).values():
        parts = RoleParts.of(one.design.resolve_parts())
        assert parts.nic.rate_mbps == 25000
        assert (parts.cable.rate_mbps or 0) >= 25000
        is_used = "switch" in one.chosen_parts
        assert not is_used or (parts.switch is not None and parts.switch.rate_mbps >= 25000)
    assert "switch" in rows(24, rate_mbps=25000)


def test_a_rate_that_nothing_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no NICs of 7 Gb/s") as told:
        candidates(4, Wanted(NOW, rate_mbps=7000))
    assert "10g, 25g" in told.value.hint


def test_ports_per_node_narrow_the_choice() -> None:
    assert {"ring", "switch", "p-mesh"} <= set(rows(24, ports_per_node=2))
    told = reasons(24, ports_per_node=2)
    assert told["torus"] == "needs 4 ports per node, 2 may be used"
    assert "ring" in reasons(24, ports_per_node=1)
    assert "switch" in rows(24, ports_per_node=1)


def test_the_next_rate_where_the_usual_one_has_no_parts() -> None:
    """A network that wants switches of 100 Gb/s at least has none for the usual NIC."""

    def needs_fast_switch(switch: SwitchPart | None) -> dict[str, Any]:
        if switch is None or switch.rate_mbps < 100000:
            raise DesignError("too slow", "")
        return {"kind": "switch", "nodes": 4}

    design, chosen = fitting_design(needs_fast_switch, Wanted(NOW))
    assert chosen == {"nic": "nic-40g-dual", "cable": "dac-40g", "switch": "crs804"}
    with pytest.raises(DesignError, match="too slow"):
        fitting_design(needs_fast_switch, Wanted(NOW, rate_mbps=10000))
    assert design.parts.node is None, "the node is no part of the network"


@pytest.mark.parametrize("rate_mbps", [1000, 10000, 25000])
@pytest.mark.parametrize("n_nodes", [3, 24])
def test_a_kit_that_fits_costs_what_the_units_cost_and_passes_every_check(
    n_nodes: int, rate_mbps: float
) -> None:
    n_kits = 0
    for kit in kits(NOW, rate_mbps):
        for kind, fields in {**ARCHITECTURES, **OTHERS}.items():
            try:
                asked = {**fields(n_nodes, kit.switch), "kind": kind}
                topology, wiring = wired(asked, kit, Wanted(NOW))
            except DesignError:
                continue
            roles = {"nic": kit.nic, "cable": kit.cable, "switch": kit.switch}
            roles["root_switch"] = kit.root_switch
            parts = {role: part.key for role, part in roles.items() if part is not None}
            fields_of_design = {"topology": topology, "parts": {"catalogue": NOW, **parts}}
            network = compile_network(Cluster.from_fields(fields_of_design))
            bought = price(network).units_bought_per_node * network.n_compute
            assert units_bought(wiring, kit) == pytest.approx(bought)
            assert not [one for one in check(network) if one.severity is Severity.ERROR]
            n_kits += 1
    assert n_kits > 5


def test_no_kit_that_fits_is_cheaper() -> None:
    fields = {"kind": "switch", "nodes": 24}
    wanted = Wanted(NOW)
    costs = []
    for kit in kits(NOW, 10000):
        try:
            costs.append(units_bought(wired(fields, kit, wanted)[1], kit))
        except DesignError:
            continue
    design, _ = fitting_design(lambda switch: fields, wanted)
    assert price(compile_network(design)).units_bought_per_node * 24 == pytest.approx(min(costs))
    assert len(costs) > 1
