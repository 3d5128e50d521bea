"""Addresses, routes of all tables, rules and neighbours: four facts from `ip -json`.

Routes keep the names of keys that `ip` has.
"""

from __future__ import annotations

from typing import Any

from linkwright.facts.fact import Answers, Command, Fact, kept

__all__ = ["ADDRESSES", "NEIGHBOURS", "ROUTES", "RULES"]

ROUTE_KEYS = ("dst", "gateway", "dev", "prefsrc", "metric", "table", "type", "scope", "protocol")
NEXT_HOP_KEYS = ("gateway", "dev", "weight")
RULE_KEYS = ("priority", "src", "srclen", "dst", "dstlen", "iif", "oif", "fwmark", "table")


def read_addresses(answers: Answers) -> list[dict[str, Any]]:
    """Return the addresses of a machine, each with its interface."""
    found = []
    for link in answers.listed("ip address"):
        addresses = link.get("addr_info")
        for one in addresses if isinstance(addresses, list) else []:
            if isinstance(one, dict) and "local" in one:
                entry = kept([one], "local", "prefixlen", "scope", "dynamic")[0]
                found.append({"interface": link.get("ifname"), **entry})
    return found


def read_routes(answers: Answers) -> list[dict[str, Any]]:
    """Return the routes of all tables of both families."""
    found = []
    for key in ("ip route", "ip -6 route"):
        for route in answers.listed(key):
            hops = route.get("nexthops")
            several = [one for one in hops if isinstance(one, dict)] if hops else []
            found += [
                {**kept([route], *ROUTE_KEYS)[0]}
                | ({"nexthops": kept(several, *NEXT_HOP_KEYS)} if several else {})
            ]
    return found


def read_rules(answers: Answers) -> list[dict[str, Any]]:
    """Return the rules of both families."""
    return [
        {"family": family, **one}
        for family, key in ((4, "ip rule"), (6, "ip -6 rule"))
        for one in kept(answers.listed(key), *RULE_KEYS)
    ]


def read_neighbours(answers: Answers) -> list[dict[str, Any]]:
    """Return the neighbours that the kernel knows."""
    return kept(answers.listed("ip neigh"), "dst", "dev", "lladdr", "state")


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
        "ip route": Command(("ip", "-json", "-details", "route", "show", "table", "all")),
        "ip -6 route": Command(("ip", "-6", "-json", "-details", "route", "show", "table", "all")),
    },
    read_routes,
)
RULES = Fact(
    "rules",
    "Rules that choose the table of a packet.",
    {
        "ip rule": Command(("ip", "-json", "rule", "show")),
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
