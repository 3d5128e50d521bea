"""Settings that the owner of switches must make: bundles of links, VLANs, and several paths."""

from __future__ import annotations

import pytest
from tests.kinds import compiled, examples
from tests.plan.networks import network, rows

from linkwright.network import Network
from linkwright.plan import check, plan

SETTINGS = {"lag", "vlan", "multipath"}


def rules(built: Network) -> set[str]:
    return SETTINGS & {one.rule for one in check(built)}


@pytest.mark.parametrize("name", examples(most_nodes=16))
def test_groups_and_vlans_suit_the_boxes(name: str) -> None:
    built = compiled(examples(most_nodes=16)[name])
    files = plan(built)
    devices = {row["device"]: row for row in rows(files["devices.csv"])}
    parts = [row for row in devices.values() if row["parent"].startswith("chassis")]
    places = [(row["parent"], row["vlan"]) for row in parts]
    assert len(set(places)) == len(places), "a chassis has each VLAN once"
    assert all(row["vlan"] and 2 <= int(row["vlan"]) <= 4094 for row in parts)
    between: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in rows(files["cables.csv"]):
        ends = [devices[row["a_device"]], devices[row["b_device"]]]
        numbers = {end["vlan"] for end in ends if end["parent"].startswith("chassis")}
        assert numbers == ({row["vlan"]} if row["vlan"] else set())
        # Units of a stack are one switch.
        owners = sorted(end["parent"] or end["device"] for end in ends)
        if all(end["kind"] == "switch" for end in ends) and row["kind"] != "stack":
            between.setdefault(tuple(owners), []).append(row)
    groups = [{row["lag"] for row in some} for some in between.values()]
    for some, found in zip(between.values(), groups, strict=True):
        assert len(found) == 1
        assert (found == {""}) == (len(some) == 1)
    named = [found for found in groups if found != {""}]
    assert len(set().union(*named)) == len(named), "each link has a group of its own"
    said = {"lag"} if named else set()
    said |= {"vlan"} if parts else set()
    said |= {"multipath"} if built.wiring.is_multipath.any() else set()
    assert rules(built) == said


def test_ports_count_as_the_box_prints_them() -> None:
    for first in (0, 1):
        part = {"catalogue": "ethernet-2026", "switch": {"first_port": first}}
        built = network("switch", nodes=2, sections={"parts": part})
        ports = [row["b_port"] for row in rows(plan(built)["cables.csv"])]
        assert ports == [f"p{first}", f"p{first + 1}"]
