"""Catalogues: the printed prices, choice per role, overrides, and what is refused.

What a network of these parts costs is tested with the plan.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from linkwright.design.parts import (
    ROLES,
    HubPart,
    NicPart,
    NodePart,
    PartsSection,
    SwitchPart,
    catalogue,
    catalogue_names,
)
from linkwright.errors import DesignError

from .wired import refused


def test_every_catalogue_is_complete() -> None:
    assert {"whitney-1997", "whitney-1998"} <= set(catalogue_names())
    for name in catalogue_names():
        one = catalogue(name)
        assert set(one.defaults) <= set(ROLES)
        assert set(one.defaults.values()) <= set(one.parts)
        for part in one.parts.values():
            assert part.source.startswith("[")
            assert part.date.year >= 1996
            if isinstance(part, HubPart | SwitchPart):
                assert list(part.ports) == sorted(set(part.ports))
                assert part.price_per == "port"


@pytest.mark.parametrize(
    ("name", "prices"),
    [
        ("whitney-1998", {"nic": 30, "hub": 50, "switch": 150, "root_switch": 2500, "cable": 5}),
        ("whitney-1997", {"nic": 65, "hub": 75, "switch": 500}),
    ],
)
def test_printed_prices(name: str, prices: dict[Any, float]) -> None:
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
    assert node.max_nics is None
    assert nic.rate_bps == 1_000_000_000


def test_fields_replace_those_of_the_default() -> None:
    node = PartsSection(node={"max_nics": 15}).resolve(Path())["node"]
    assert isinstance(node, NodePart)
    assert node.max_nics == 15
    assert "max_nics" in node.note
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
    ({"hub": "fast-ethernet-switch"}, ["is a switch, not a hub", "fast-ethernet-hub"]),
    ({"node": {"max_nicz": 3}}, ["parts.node", "'max_nicz'", "did you mean 'max_nics'"]),
    ({"node": {"max_nics": 0}}, ["parts.node", "'max_nics'", "1 or more"]),
    ({"switch": {"ports": [0]}}, ["parts.switch", "'ports[0]'", "2 or more"]),
    ({"switch": {"mode": "cut"}}, ["'mode'", "cut-through"]),
    ({"switch": {"price": 3}}, ["price without a date", "date:"]),
    ({"catalogue": "whitney-1997", "root_switch": {"rate_mbps": 1000}}, ["is missing"]),
    ({"prices": "none.toml"}, ["none.toml", "cannot be read"]),
]


@pytest.mark.parametrize(("section", "words"), REFUSED)
def test_refuses(section: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(DesignError) as error:
        PartsSection(**section).resolve(Path())
    refused(error, *words)


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


@pytest.mark.parametrize(("text", "words"), PRICE_FILES)
def test_refuses_a_price_file(text: str, words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DesignError) as error:
        PartsSection(prices=file).resolve(Path())
    refused(error, "prices.toml", *words)
