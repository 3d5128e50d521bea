"""Prefixes whose addresses kernels do not take or do not forward."""

from __future__ import annotations

from ipaddress import ip_network

from linkwright.design.addressing.addresses import Prefix

__all__ = ["reserved_prefix"]

_NOT_FOR_NODES = {
    "0.0.0.0/8": "hosts without an address [RFC-1122]",
    "127.0.0.0/8": "the loopback",
    "169.254.0.0/16": "addresses of one link, which are not forwarded [RFC-3927]",
    "224.0.0.0/4": "groups",
    "240.0.0.0/4": "later use",
    "::/8": "no address, the loopback and IPv4 [RFC-4291]",
    "fe80::/10": "addresses of one link, which are not forwarded [RFC-4291]",
    "ff00::/8": "groups",
}
"""Prefix -> its use."""


def reserved_prefix(prefix: Prefix) -> tuple[Prefix, str] | None:
    """Return the prefix that is not for nodes and overlaps another one, with its use; None if there
    is none.
    """
    for text, use in _NOT_FOR_NODES.items():
        taken = ip_network(text)
        if prefix.version == taken.version and prefix.overlaps(taken):
            return taken, use
    return None
