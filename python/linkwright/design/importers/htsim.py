"""Fat trees of htsim: a file of numbers, from which every host, switch and cable follows.

As in htsim, a pod has `Podsize` hosts; each switch of tier 0 has a bundle of cables to each of tier
1 in its pod, and each of tier 1 to every core switch of its place in the pod.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from linkwright.design.importers.drawing import Drawing, DrawnEnd
from linkwright.design.importers.importer import Importer
from linkwright.design.importers.sketch import Sketch
from linkwright.design.topologies.custom import MOST_CUSTOM_NODES
from linkwright.errors import DesignError, shown

__all__ = ["HTSIM"]

_WORDS = frozenset([
    "nodes", "tiers", "podsize", "oversubscribed", "downlink_speed_gbps", "radix_down", "radix_up",
    "bundle", "queue_down", "queue_up", "downlink_latency_ns", "switch_latency_ns", "tier",
])  # fmt: skip
_REMEDY = (
    "give a topology of htsim: Nodes, Tiers, Podsize, and Radix_Down and Radix_Up of each Tier"
)


class _Numbers:
    """The numbers of a file, of the whole and of each tier, with their lines."""

    def __init__(self, text: str, where: str) -> None:
        self._where = where
        self._found: dict[tuple[int, str], tuple[int, int]] = {}
        tier = -1
        for line, written in enumerate(text.splitlines(), start=1):
            words = written.partition("#")[0].split()
            if not words:
                continue
            word = words[0].lower()
            number = words[1] if len(words) > 1 else ""
            if word not in _WORDS or not re.fullmatch(r"\d{1,9}(\.\d+)?", number):
                raise self.wrong(line, f"{shown(written.strip())} is no number of a fat tree")
            tier = int(float(number)) if word == "tier" else tier
            self._found[(tier if word != "tier" else -1, word)] = int(float(number)), line

    def of(self, word: str, tier: int = -1, default: int = 0) -> int:
        """Return a number, which is at least 1."""
        number, line = self._found.get((tier, word), (default, 1))
        if number < 1:
            of = f" of tier {tier}" if tier >= 0 else ""
            raise self.wrong(line, f"{word}{of} is missing or 0")
        return number

    def quotient(self, number: int, word: str, tier: int) -> int:
        """Return a number divided by one of a tier, which must leave nothing."""
        divisor = self.of(word, tier)
        if number % divisor:
            line = self._found[tier, word][1]
            raise self.wrong(line, f"{word} of tier {tier} does not divide {number}")
        return number // divisor

    def wrong(self, line: int, rule: str) -> DesignError:
        return DesignError(f"{self._where}, line {line}: {rule}", _REMEDY)


def _read(text: str, where: str) -> Drawing:
    numbers = _Numbers(text, where)
    n_tiers = numbers.of("tiers", default=3)
    n_hosts = numbers.of("nodes")
    if n_tiers not in (2, 3):
        raise numbers.wrong(1, f"a fat tree of htsim has 2 or 3 tiers, not {n_tiers}")
    if n_hosts > MOST_CUSTOM_NODES:
        raise numbers.wrong(
            1, f"{n_hosts:,} nodes, and a custom graph has at most {MOST_CUSTOM_NODES:,}"
        )
    sketch = Sketch(where)
    for a, b, tier in _cables(numbers, n_hosts, n_tiers):
        for name in (a, b):
            sketch.device(name, 1, "node" if name.startswith("host") else "switch")
        speed = numbers.of("downlink_speed_gbps", tier, 1)
        sketch.cable(DrawnEnd(a), DrawnEnd(b), 1, 1000.0 * speed)
    return sketch.drawing()


def _cables(numbers: _Numbers, n_hosts: int, n_tiers: int) -> Iterator[tuple[str, str, int]]:
    """Yield the ends of each cable and the tier that it goes down from."""
    of_pod = numbers.of("podsize", default=n_hosts) if n_tiers > 2 else n_hosts
    if n_hosts % of_pod:
        raise numbers.wrong(1, f"Podsize {of_pod} does not divide {n_hosts} nodes")
    n_pods, per_leaf = n_hosts // of_pod, numbers.of("radix_down", 0)
    n_leaves = numbers.quotient(of_pod, "radix_down", 0)
    up = numbers.of("radix_up", 0)
    n_middle = numbers.quotient(n_leaves * up, "radix_down", 1)
    bundle = numbers.of("bundle", 1, 1)
    if n_middle * bundle != up:
        raise numbers.wrong(
            1, f"tier 0 has {up} cables up, and {n_middle} switches x {bundle} above"
        )
    for host in range(n_hosts):
        yield f"host{host}", f"tor{host // per_leaf}", 0
    middle = "core" if n_tiers == 2 else "agg"
    for pod, leaf, top, _ in product(*map(range, (n_pods, n_leaves, n_middle, bundle))):
        yield f"tor{pod * n_leaves + leaf}", f"{middle}{pod * n_middle + top}", 1
    if n_tiers > 2:
        bundle = numbers.of("bundle", 2, 1)
        n_above = numbers.of("radix_up", 1) // bundle
        for box, above, _ in product(range(n_pods * n_middle), range(n_above), range(bundle)):
            yield f"agg{box}", f"core{box % n_middle + n_middle * above}", 2


HTSIM = Importer(
    source="htsim (topologies of fat trees)",
    read=_read,
    suffixes=("topo",),
    recognises=lambda text: bool(re.search(r"^\s*Tiers\s+\d", text, re.MULTILINE | re.IGNORECASE)),
)
