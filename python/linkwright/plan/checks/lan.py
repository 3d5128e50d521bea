"""A check that the cluster's subnets do not overlap with prefixes in use around it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from linkwright.errors import UsageError, shown
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network

Prefix = ipaddress.IPv4Network | ipaddress.IPv6Network


def check_lan(network: Network, lan: Sequence[str]) -> Iterator[Finding]:
    """Yield an error per prefix of the surroundings that a subnet of the network overlaps with.

    Raises
    ------
    UsageError
        If `lan` has an entry that is not a prefix.
    """
    prefixes = [_prefix(text) for text in lan]
    if not prefixes:
        return  # half a million subnets take seconds to format
    subnets = list(dict.fromkeys(interface.network for interface in network.addresses.ip))
    for prefix in prefixes:
        overlapping = [subnet for subnet in subnets if _overlap(prefix, subnet)]
        if overlapping:
            yield Finding(
                Severity.ERROR,
                str(prefix),
                "lan-overlap",
                f"{len(overlapping)} of {len(subnets)} subnets, {overlapping[0]} first, overlap "
                f"with the given prefix {prefix}",
                "choose another base prefix under 'addressing'",
            )


def _prefix(text: str) -> Prefix:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise UsageError(
            f"{shown(text)} is not an address prefix",
            "write it as ADDRESS/LENGTH, such as 10.0.0.0/16",
        ) from None


def _overlap(one: Prefix, other: Prefix) -> bool:
    return one.version == other.version and one.overlaps(other)
