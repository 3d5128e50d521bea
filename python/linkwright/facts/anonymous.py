"""Facts without the identities of their machines, to show to others: names, hardware addresses,
serial numbers, ids, and public addresses have others in their places.

The same value always has the same replacement, so that the cabling stays as it is. Private
addresses, names of interfaces and names such as n0 stay; so do subnets of public addresses. Names
of hosts are the same in capitals and small letters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from linkwright.facts.cluster import ClusterFacts

__all__ = ["anonymous"]

NAMES = frozenset({"name", "hostname", "neighbour"})
"""Keys whose values are names of machines, except for those of interfaces and devices."""
FREE = frozenset({"failure", "reason", "environment", "files"})
"""Keys with texts that people and programs write, which may name any machine."""
_MAC = re.compile(r"\b[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}\b")
_NAMED_BY_MAC = re.compile(r"(?<=enx)[0-9a-f]{12}\b|(?<=wlx)[0-9a-f]{12}\b")
_ADDRESS = re.compile(r"(?<![\w.:])[0-9a-fA-F:.]{3,39}(?![\w:])")
_DOMAIN = re.compile(r"\b[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)*\.(?:[A-Za-z]{2,12})\b")
_HOME = re.compile(r"(?<=/home/)[^/\s]+")
_PLAIN = re.compile(r"n\d{1,5}|localhost", re.IGNORECASE)
_FILES = (".so", ".conf", ".json", ".sh", ".yaml", ".xml", ".txt")
_KEPT_MACS = ("00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff")


def anonymous(facts: ClusterFacts) -> ClusterFacts:
    """Return facts without the identities of their machines.

    Parameters
    ----------
    facts : ClusterFacts
    """
    disguise = _Disguise()
    given = facts.to_json()
    for machine in given["machines"]:
        # The name in a domain and the short one are the same machine.
        own = disguise.host(machine["name"])
        for name in (machine["hostname"], str(machine["hostname"]).partition(".")[0]):
            if name:
                disguise.hosts.setdefault(str(name).lower(), own)
    return ClusterFacts.parse(json.dumps(disguise.value(given, "", "")))


class _Disguise:
    """Replacements of all values seen so far."""

    def __init__(self) -> None:
        self.hosts: dict[str, str] = {}
        """Replacements of names, which are in small letters."""
        self.others: dict[tuple[str, str], str] = {}

    def host(self, name: str) -> str:
        """Return the replacement of a machine's name."""
        if _PLAIN.fullmatch(name):
            return name
        return self.hosts.setdefault(name.lower(), f"host{len(set(self.hosts.values()))}")

    def value(self, given: Any, key: str, above: str) -> Any:
        """Return the replacement of a JSON value, which stands at a key of an object at another."""
        if isinstance(given, dict):
            is_named = key == "names"
            return {
                self.host(name) if is_named else self._key(name, key): self.value(one, name, key)
                for name, one in given.items()
            }
        if isinstance(given, list):
            if key == "ends":
                return [[self.host(machine), self.text(port)] for machine, port in given]
            return [self.value(one, key, above) for one in given]
        return self._leaf(given, key, above) if isinstance(given, str) else given

    def _leaf(self, text: str, key: str, above: str) -> str:
        if key == "serial":
            return self._other("serial", text, lambda n: f"serial{n}")
        if key == "unique_id":
            return self._other("id", text, lambda n: f"00000000-0000-0000-0000-{n:012x}")
        if key in NAMES and above not in ("interfaces", "managers"):
            return self.host(text)
        return self._free(text) if key in FREE or above in FREE else self.text(text)

    def _key(self, name: str, above: str) -> str:
        return _HOME.sub("user", self.text(name)) if above == "files" else self.text(name)

    def _free(self, text: str) -> str:
        """Return the replacement of a text that may name machines."""
        for name in sorted(self.hosts, key=len, reverse=True):
            word = rf"(?<![\w.-]){re.escape(name)}(?![\w-])"
            text = re.sub(word, self.hosts[name], text, flags=re.IGNORECASE)
        text = _DOMAIN.sub(lambda found: self._domain(found[0]), text)
        return _HOME.sub("user", self.text(text))

    def _domain(self, name: str) -> str:
        return name if name.lower().endswith(_FILES) else self.host(name)

    def text(self, text: str) -> str:
        """Return a text with other hardware addresses and public addresses."""
        text = _MAC.sub(lambda found: self._mac(found[0].lower()), text)
        text = _NAMED_BY_MAC.sub(lambda found: self._plain_mac(found[0]), text)
        return _ADDRESS.sub(lambda found: self._address(found[0]), text)

    def _plain_mac(self, digits: str) -> str:
        pairs = ":".join(digits[at : at + 2] for at in range(0, 12, 2))
        return self._mac(pairs).replace(":", "")

    def _mac(self, mac: str) -> str:
        if mac in _KEPT_MACS:
            return mac
        return self._other("mac", mac, lambda n: "02:00:00:" + ":".join(_bytes_of(n)))

    def _address(self, text: str) -> str:
        try:
            address = ip_address(text)
        except ValueError:
            return text
        if isinstance(address, IPv4Address):
            return self._ipv4(address) if address.is_global else text
        return self._ipv6(address) or text

    def _ipv4(self, address: IPv4Address) -> str:
        """Return an address of the range for benchmarks, in the same place of its /24."""
        network, _, host = str(address).rpartition(".")
        inside = self._other("ipv4", network, lambda n: f"198.{18 + n // 256 % 2}.{n % 256}")
        return f"{inside}.{host}"

    def _ipv6(self, address: IPv6Address) -> str | None:
        """Return another address for one that is public or has a hardware address in it."""
        network, host = divmod(int(address), 1 << 64)
        has_mac = host >> 24 & 0xFFFF == 0xFFFE
        is_public = address.is_global and not address.is_multicast
        if is_public:
            inside = self._other("ipv6", f"{network:x}", lambda n: f"{0x20010DB800000000 + n:x}")
            network = int(inside, 16)
        if has_mac or address.is_link_local or (is_public and host >= 1 << 16):
            host = int(self._other("host", f"{host:x}", lambda n: f"{n + 1:x}"), 16)
        elif not is_public:
            return None
        return str(IPv6Address((network << 64) + host))

    def _other(self, kind: str, value: str, make: Callable[[int], str]) -> str:
        """Return the replacement of a value of a kind, a new one for a new value."""
        if (kind, value) not in self.others:
            n_known = sum(one == kind for one, _ in self.others)
            self.others[kind, value] = make(n_known)
        return self.others[kind, value]


def _bytes_of(number: int) -> list[str]:
    return [f"{number >> shift & 0xFF:02x}" for shift in (16, 8, 0)]
