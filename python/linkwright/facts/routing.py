"""Addresses, routes of all tables, rules and neighbours: four facts from `ip -json`.

Routes, rules and neighbours keep the names of keys that `ip` has.
"""

from __future__ import annotations

import ipaddress
from typing import Any

from linkwright.facts.fact import Answers, Command, Fact, kept, whole

__all__ = ["ADDRESSES", "NEIGHBOURS", "ROUTES", "RULES"]

ROUTE_KEYS = ("dst", "gateway", "dev", "prefsrc", "metric", "table", "type", "scope", "protocol")
NEXT_HOP_KEYS = ("gateway", "dev", "weight")
RULE_KEYS = ("priority", "src", "srclen", "dst", "dstlen", "iif", "oif", "fwmark", "table")
FAMILIES = {4: "", 6: "-6 "}


def read_addresses(answers: Answers) -> dict[str, Any]:
    """Return the addresses of each interface, and those of them that are dynamic."""
    interfaces = {}
    for link in answers.listed("ip address"):
        given = link.get("addr_info")
        given = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
        addresses = [(text, bool(one.get("dynamic"))) for one in given if (text := _text(one))]
        interfaces[str(link.get("ifname"))] = {
            "addresses": [text for text, _ in addresses],
            "dynamic_addresses": [text for text, is_dynamic in addresses if is_dynamic],
        }
    return {"interfaces": interfaces}


def _text(address: dict[str, Any]) -> str | None:
    """Return an address with its prefix length; None if it is local to a link, or is none."""
    try:
        found = ipaddress.ip_interface(f"{address.get('local')}/{address.get('prefixlen')}")
    except ValueError:
        return None
    return None if found.ip.version == 6 and found.ip.is_link_local else str(found)


def read_routes(answers: Answers) -> dict[str, Any]:
    """Return the routes of all tables of both families."""
    found = []
    for family, words in FAMILIES.items():
        for route in answers.listed(f"ip {words}route"):
            one = {"table": "main", **kept([route], *ROUTE_KEYS)[0], "family": family}
            one["table"] = str(one["table"])
            several = route.get("nexthops")
            if isinstance(several, list) and several:
                hops = [hop for hop in several if isinstance(hop, dict)]
                one["nexthops"] = kept(hops, *NEXT_HOP_KEYS)
            found.append(one)
    return {"routes": found}


def read_rules(answers: Answers) -> dict[str, Any]:
    """Return the rules of both families."""
    found = [
        {**one, "table": str(one.get("table", "")), "family": family}
        for family, words in FAMILIES.items()
        for one in kept(answers.listed(f"ip {words}rule"), *RULE_KEYS)
        if whole(one.get("priority")) is not None
    ]
    return {"rules": found}


def read_neighbours(answers: Answers) -> dict[str, Any]:
    """Return the neighbours that the kernel knows."""
    return {"neighbours": kept(answers.listed("ip neigh"), "dst", "dev", "lladdr", "state")}


ADDRESSES = Fact(
    "addresses",
    "Addresses of the interfaces, with their prefixes.",
    {"ip address": Command(("ip", "-json", "address", "show"))},
    read_addresses,
)
ROUTES = Fact(
    "routes",
    "Routes of all tables.",
    {
        "ip route": Command(("ip", "-4", "-json", "-details", "route", "show", "table", "all")),
        "ip -6 route": Command(("ip", "-6", "-json", "-details", "route", "show", "table", "all")),
    },
    read_routes,
)
RULES = Fact(
    "rules",
    "Rules that choose the table of a packet.",
    {
        "ip rule": Command(("ip", "-4", "-json", "rule", "show")),
        "ip -6 rule": Command(("ip", "-6", "-json", "rule", "show")),
    },
    read_rules,
)
NEIGHBOURS = Fact(
    "neighbours",
    "Hardware addresses of neighbours that the kernel knows.",
    {"ip neigh": Command(("ip", "-json", "neigh", "show"))},
    read_neighbours,
)
