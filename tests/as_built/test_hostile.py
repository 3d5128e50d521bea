"""Facts whose values were replaced by others, drawn from a seed: an answer or one clear error,
never a fault of the program.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.as_built.planted import DESIGN
from tests.as_built.rendered import rendered
from tests.views.html import SPITE
from tests.views.sample import manifest

from linkwright.errors import UsageError
from linkwright.views.verdict_page import verdict_page
from linkwright.views.verdict_table import verdict_csv

N_MUTANTS = 120
RING = rendered(DESIGN)
VALUES: tuple[Any, ...] = (
    "", "default", "::/0", "10.99.0.1/99", "all", "0", SPITE, "eth0", "eth1", "9" * 400, "br0",
    "10.99.0.129", "bridge", "active", "DROP", "-A FORWARD -j FORWARD", 0, 7, 1 << 40, True, False,
    [], {},
)  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container with each of its keys."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in list(items):
        yield value, key
        if isinstance(one, dict | list):
            yield from places(one)


def test_changed_facts_give_an_answer_or_an_error() -> None:
    drawn = random.Random(34)
    n_answers = 0
    for _ in range(N_MUTANTS):
        facts = RING.copy()
        for _ in range(drawn.randint(1, 4)):
            container, key = drawn.choice(list(places(facts.given)))
            fitting = [one for one in VALUES if type(one) is type(container[key])]
            container[key] = drawn.choice(fitting or [None])
        try:
            verdict = facts.verify()
        except UsageError:
            continue
        n_answers += 1
        assert "<img" not in verdict_page(verdict, manifest())
        assert verdict_csv(verdict)
    assert n_answers > N_MUTANTS / 5
