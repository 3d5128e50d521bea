"""Catalogues: the printed prices, choice per role, overrides, and what is refused.

What a network of these parts costs is tested with the plan.
"""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pytest

from linkwright.design.cluster import Cluster
from linkwright.design.parts import (
    ROLES,
    CablePart,
    HubPart,
    NicPart,
    NodePart,
    PartsSection,
    Slot,
    SwitchPart,
    catalogue,
    catalogue_names,
)
from linkwright.errors import DesignError
from linkwright.network import compile as compile_design

from .wired import refused

REFERENCES = Path(__file__).parents[2] / "docs" / "references.md"


def test_the_catalogues() -> None:
    assert catalogue_names() == [
        "beowulf-1996",
        "ethernet-2026",
        "stack-2001",
        "whitney-1997",
        "whitney-1998",
    ]


@pytest.mark.parametrize("name", catalogue_names())
def test_every_catalogue_is_complete(name: str) -> None:
    one = catalogue(name)
    keys = set(re.findall(r"^([A-Z0-9-]+)$", REFERENCES.read_text(encoding="utf-8"), re.M))
    assert set(one.defaults) <= set(ROLES)
    assert set(one.defaults.values()) <= set(one.parts)
    for part in one.parts.values():
        key = re.fullmatch(r"\[([A-Z0-9-]+)(, [^]]+)?\]", part.source)
        assert key is not None
        assert key[1] in keys, f"{part.key}: {part.source} is not in docs/references.md"
        assert part.date.year >= 1996
        assert part.currency == one.currency
        assert part.confidence == "estimate" or part.source != "[ESTIMATES]" or part.price == 0
        if isinstance(part, HubPart | SwitchPart):
            assert list(part.ports) == sorted(set(part.ports))
            assert part.price_per == "port" or len(part.ports) == 1
        if part.price_range is not None:
            low, high = part.price_range
            assert low <= part.price <= high


@pytest.mark.parametrize("name", catalogue_names())
def test_the_defaults_fit_together(name: str) -> None:
    parts = PartsSection(catalogue=name).resolve(Path()).values()
    plugged = [one for one in parts if not isinstance(one, NodePart)]
    assert len({one.connector for one in plugged}) == 1
    assert len({one.rate_mbps for one in plugged if not isinstance(one, CablePart)}) <= 2
    for cable in plugged:
        if isinstance(cable, CablePart) and cable.rate_mbps is not None:
            assert all(cable.rate_mbps >= (one.rate_mbps or 0) for one in plugged)


def test_ethernet_2026_has_every_rate() -> None:
    parts = catalogue("ethernet-2026").parts.values()
    nics = {one.rate_mbps / 1000 for one in parts if isinstance(one, NicPart)}
    cables = [one for one in parts if isinstance(one, CablePart)]
    assert {1, 2.5, 5, 10, 25, 40, 100, 200, 400} <= nics
    for nic in (one for one in parts if isinstance(one, NicPart)):
        assert any(
            one.connector == nic.connector and (one.rate_mbps or 0) >= nic.rate_mbps
            for one in cables
        ), f"no cable for {nic.key}"
    usb4 = catalogue("ethernet-2026").part("usb4")
    assert (usb4.price, usb4.confidence) == (0, "left out")


@pytest.mark.parametrize("rate_mbps", [1000, 2500, 10000, 25000, 40000, 100000])
def test_ethernet_2026_has_a_switch_for_24_nodes_at_every_common_rate(rate_mbps: int) -> None:
    """A common size must not be left out for want of a switch that many vendors sell."""
    parts = catalogue("ethernet-2026").parts.values()
    switches = [one for one in parts if isinstance(one, SwitchPart) and one.rate_mbps == rate_mbps]
    assert max(one.most_ports for one in switches) >= 24


def test_prices_found_in_another_currency_say_so() -> None:
    converted = [one for one in catalogue("ethernet-2026").parts.values() if "EUR" in one.note]
    assert len(converted) == 5
    for part in converted:
        assert "1.16 USD per EUR" in part.note
        assert part.confidence == "estimate"


@pytest.mark.parametrize(
    ("name", "prices"),
    [
        ("whitney-1998", {"nic": 30, "hub": 50, "switch": 150, "root_switch": 2500, "cable": 5}),
        ("whitney-1997", {"nic": 65, "hub": 75, "switch": 500}),
        ("beowulf-1996", {"nic": 40, "hub": 3, "switch": 250, "cable": 5}),
        ("stack-2001", {"nic": 30, "switch": 1000, "root_switch": 1000, "cable": 4}),
        ("ethernet-2026", {"nic": 46, "switch": 360, "root_switch": 360, "cable": 12}),
    ],
)
def test_prices_of_the_defaults(name: str, prices: dict[Any, float]) -> None:
    parts = PartsSection(catalogue=name).resolve(Path())
    assert {role: parts[role].price for role in prices} == prices
    assert all(parts[role].currency == "USD" for role in prices)


def test_printed_port_counts() -> None:
    parts = catalogue("whitney-1998").parts
    hub, switch = parts["fast-ethernet-hub"], parts["fast-ethernet-switch"]
    gigabit = parts["gigabit-switch"]
    assert isinstance(hub, HubPart)
    assert isinstance(switch, SwitchPart)
    assert isinstance(gigabit, SwitchPart)
    assert (min(hub.ports), hub.most_ports) == (4, 100)
    assert (min(switch.ports), switch.most_ports, switch.most_leaf_ports) == (16, 100, 24)
    assert (min(gigabit.ports), gigabit.most_ports) == (6, 32)
    assert hub.size_for(17) == 24
    assert hub.size_for(101) is None


def test_a_part_by_key() -> None:
    parts = PartsSection(node="node-without-slot-limit", nic="gigabit-nic").resolve(Path())
    node, nic = parts["node"], parts["nic"]
    assert isinstance(node, NodePart)
    assert isinstance(nic, NicPart)
    assert node.slots is None
    assert nic.rate_bps == 1_000_000_000


def test_cards_of_a_nic_with_several_ports() -> None:
    nic = catalogue("ethernet-2026").part("nic-100g-dual")
    assert isinstance(nic, NicPart)
    assert [nic.cards_for(n_ports) for n_ports in (0, 1, 2, 3, 4)] == [0, 1, 1, 2, 2]


def test_fields_replace_those_of_the_default() -> None:
    node = PartsSection(node={"slots": 15}).resolve(Path())["node"]
    assert isinstance(node, NodePart)
    assert node.slots == (Slot(count=15),)
    assert "slots" in node.note
    nic = PartsSection(nic={"price": 20, "date": "2026-01-31"}).resolve(Path())["nic"]
    assert (nic.price, nic.date, nic.confidence) == (20, dt.date(2026, 1, 31), "given")


def test_a_price_file(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '[prices.fast-ethernet-nic]\nprice = 25\ncurrency = "EUR"\ndate = 2026-01-31\n',
        encoding="utf-8",
    )
    nic = PartsSection(prices=prices).resolve(Path())["nic"]
    assert (nic.price, nic.currency, nic.source) == (25, "EUR", "price file prices.toml")


REFUSED: list[tuple[dict[str, Any], list[str]]] = [
    ({"catalogue": "whitney-1999"}, ["whitney-1999", "did you mean 'whitney-1998'"]),
    ({"nic": "fast-ethernet-nik"}, ["fast-ethernet-nik", "did you mean 'fast-ethernet-nic'"]),
    ({"nic": ""}, ["has no part ''", "fast-ethernet-nic"]),
    ({"hub": "fast-ethernet-switch"}, ["is a switch, not a hub", "fast-ethernet-hub"]),
    ({"node": {"slotz": 3}}, ["parts.node", "'slotz'", "did you mean 'slots'"]),
    ({"nic": {"ports": 0}}, ["parts.nic", "'ports'", "1 or more"]),
    ({"cable": {"connector": "sfp+"}}, ["parts.cable", "'connector'", "qsfp"]),
    ({"node": {"max_nics": 0}}, ["parts.node", "'max_nics'", "1 or more"]),
    ({"node": {"max_nics": 2, "slots": 2}}, ["'max_nics' stands beside", "leave out 'max_nics'"]),
    ({"node": {"slots": 0}}, ["parts.node", "'slots[0].count'", "1 or more"]),
    ({"node": {"slots": [{"bus": "agp"}]}}, ["'slots[0].bus'", "'agp'", "pcie"]),
    ({"node": {"built_in": {"usb5": 1}}}, ["parts.node", "'usb5', which is the key of no NIC"]),
    (
        {"node": {"built_in": {"gigabit-nic": 0}}},
        ["parts.node", "'built_in[0].count'", "1 or more"],
    ),
    ({"switch": {"ports": [0]}}, ["parts.switch", "'ports[0]'", "2 or more"]),
    ({"switch": {"mode": "cut"}}, ["'mode'", "cut-through"]),
    ({"switch": {"price": 3}}, ["price without a date", "date:"]),
    ({"nic": {"price": 3, "rate_mbps": 1e-9}}, ["2 mistakes", "price without", "'rate_mbps'"]),
    ({"prices": "none.toml", "node": "zz"}, ["2 mistakes", "none.toml", "no part 'zz'"]),
    ({"catalogue": "whitney-1997", "root_switch": {"rate_mbps": 1000}}, ["is missing"]),
    ({"prices": "none.toml"}, ["none.toml", "cannot be read"]),
]


@pytest.mark.parametrize(("section", "words"), REFUSED)
def test_refuses(section: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(DesignError) as error:
        PartsSection(**section).resolve(Path())
    refused(error, *words)


BOUNDS = [
    ({"nic": {"rate_mbps": 1e-9}}, ["parts.nic: 'rate_mbps'", "1e-09", "give 1 or more"]),
    ({"nic": {"rate_mbps": 1e9}}, ["'rate_mbps'", "give 1000000 or less"]),
    ({"nic": {"rate_mbps": True}}, ["'rate_mbps'", "true", "number"]),
    ({"nic": {"rate_mbps": float("nan")}}, ["'rate_mbps'", "nan", "finite number"]),
    ({"switch": {"backplane_mbps": 1e300}}, ["'backplane_mbps'", "1e+300", "or less"]),
    ({"switch": {"backplane_mbps": 1e-9}}, ["'backplane_mbps'", "give 1 or more"]),
    ({"switch": {"uplink_size": 10**30}}, ["'uplink_size'", "give 4096 or less"]),
    ({"switch": {"max_stack_units": 10**30}}, ["'max_stack_units'", "give 4096 or less"]),
    ({"switch": {"queue_bytes": "64k"}}, ["'queue_bytes'", "whole number"]),
    ({"node": {"max_nics": 10**30}}, ["parts.node: 'max_nics'", "give 4096 or less"]),
    ({"nic": {"price": 1e300, "date": "2026-01-31"}}, ["'price'", "or less"]),
    ({"nic": {"price_range": [30, -1]}}, ["'price_range[1]'", "0 or more"]),
    ({"nic": {"price_range": [30, 20]}}, ["'price_range'", "30 down to 20", "[20, 30]"]),
    ({"nic": {"price": 1, "date": 0}}, ["'date'", "YYYY-MM-DD"]),
    ({"nic": {"name": ""}}, ["'name'", "at least 1 character"]),
    ({"nic": {"name": "a\nb"}}, ["'name'", "'a\\nb'", "one line"]),
]


@pytest.mark.parametrize(("section", "words"), BOUNDS)
def test_numbers_have_bounds(section: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(DesignError) as error:
        PartsSection(**section).resolve(Path())
    refused(error, *words)


def test_the_wrong_parts_are_all_listed() -> None:
    with pytest.raises(DesignError) as error:
        PartsSection(nic={"ports": 0, "mtu": 1}, cable="cat-7", hub={"port": []}).resolve(Path())
    lines = error.value.message.splitlines()
    assert lines[0] == "'parts' has 4 mistakes:"
    assert lines[1] == "  parts.nic: 'ports': 0 is not accepted; give 1 or more"
    assert lines[2] == "  parts.nic: 'mtu': 1 is not accepted; give 1500 or more"
    assert lines[3].startswith("  catalogue 'whitney-1998' has no part 'cat-7'; ")
    assert lines[4].startswith("  parts.hub: unknown key 'port'; did you mean 'ports'? ")


def test_the_largest_backplanes_of_many_units_are_as_fast_as_can_be_said() -> None:
    switch = {"backplane_mbps": 1e9, "max_stack_units": None}
    fields = {"kind": "switch", "nodes": 20_000, "stack_units": 20_000}
    cluster = Cluster.from_fields({"topology": fields, "parts": {"switch": switch}})
    assert compile_design(cluster).n_nodes == 20_000


PRICE_FILES = [
    ("prices = 3", ["[prices.KEY]"]),
    ("[price.x]", ["[prices.KEY]"]),
    ("[prices", ["not TOML"]),
    ("[prices.category-5]\nprice = 3", ["date"]),
    ("[prices.category-6]\nprice = 3\ndate = 2026-01-31", ["did you mean 'category-5'"]),
    ("[prices.category-5]\nprice = 3\ndate = 2026-01-31\nprize = 1", ["'prize'", "'price'"]),
    ("[prices.category-5]\nprice = -3\ndate = 2026-01-31", ["'price'", "0 or more"]),
    ('[prices.category-5]\nprice = 3\ndate = "soon"', ["'date'"]),
]


def test_a_price_file_lists_all_its_mistakes(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(
        "[prices.category-6]\nprice = 3\n"
        "[prices.gigabit-nic]\nprice = -3\ndate = 2026-01-31\nprize = 1\n",
        encoding="utf-8",
    )
    with pytest.raises(DesignError) as error:
        PartsSection(prices=file).resolve(Path())
    lines = error.value.message.splitlines()
    assert lines[0] == f"price file '{file}' has 3 mistakes:"
    assert lines[1].startswith("  catalogue 'whitney-1998' has no part 'category-6'; did you mean")
    assert "has an unknown key 'prize' for part 'gigabit-nic'; did you mean 'price'?" in lines[2]
    assert "part 'gigabit-nic': 'price': -3 is not accepted; give 0 or more" in lines[3]


@pytest.mark.parametrize("name", ["/dev/zero", "no\0where", "none.toml", ""])
def test_a_price_file_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(DesignError) as error:
        PartsSection(prices=Path(name)).resolve(tmp_path)
    refused(error, "price file")


@pytest.mark.parametrize(("text", "words"), PRICE_FILES)
def test_refuses_a_price_file(text: str, words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DesignError) as error:
        PartsSection(prices=file).resolve(Path())
    refused(error, "prices.toml", *words)


def test_every_field_of_a_part_is_documented() -> None:
    """A section per role; the fields that all parts have are in a section of their own."""
    text = (Path(__file__).parents[2] / "docs/reference/parts.md").read_text(encoding="utf-8")
    _, common, *sections = text.split("\n## ")
    kinds = (NodePart, NicPart, HubPart, SwitchPart, CablePart)
    for kind, section in zip(kinds, sections, strict=True):
        documented = set(re.findall(r"^\| `(\w+)` \|", common + section, re.MULTILINE))
        assert documented == set(kind.model_fields), kind.__name__
