"""MACs that bridges have heard, and the interface that each came in by.

A bridge's own addresses and groups are left out, so that each entry is a machine behind a port.
"""

from __future__ import annotations

from typing import Any

from linkwright.facts.fact import Answers, Command, Fact

__all__ = ["BRIDGES"]


def read(answers: Answers) -> dict[str, Any]:
    """Return the forwarding database."""
    found = [
        {"mac": entry.get("mac"), "interface": entry.get("ifname")}
        for entry in answers.listed("bridge fdb")
        if "master" in entry and entry.get("state") not in ("permanent", "static")
    ]
    return {"forwarding_database": found}


BRIDGES = Fact(
    "forwarding_database",
    "MACs that bridges have heard, by interface.",
    {"bridge fdb": Command(("bridge", "-json", "fdb", "show"))},
    read,
)
