"""Names of the other machines, as a machine resolves them: by /etc/hosts, DNS, or otherwise."""

from __future__ import annotations

from typing import Any

from linkwright.facts.fact import Answers, Fact, Names

__all__ = ["NAMES"]


def read(answers: Answers) -> dict[str, Any]:
    """Return the addresses of each name; none for a name that is unknown there."""
    found = answers.given.get("names")
    if not isinstance(found, dict):
        return {"names": {}}
    n_open = sum(addresses is None for addresses in found.values())
    if n_open:
        answers.miss(f"{n_open} names are not resolved in time", "a resolver that answers")
    return {"names": {name: one for name, one in found.items() if isinstance(one, list)}}


NAMES = Fact(
    "names", "Addresses of the other machines' names, as resolved.", {"names": Names()}, read
)
