"""Facts with mistakes drawn from a seed: each file is read whole, or is one error.

A file that is read is written again, and shown, without an exception.
"""

from __future__ import annotations

import copy
import io
import json
import random
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from rich.console import Console

from linkwright.errors import UsageError
from linkwright.facts import ClusterFacts
from linkwright.facts.gathering import read_answers
from linkwright.views.facts_table import facts_csv, facts_table

RECORDED = Path(__file__).parent / "recorded"
SCHEMAS = Path(__file__).parents[2] / "schema"
N_MUTATED = 2000
HOSTILE: tuple[Any, ...] = (
    None, True, -1, 0, 1 << 70, 1e308, "", "x" * 2000, "[bold]a[/bold]", "\x1b[2J",
    "../../etc/passwd", "=cmd|'/C calc'!A0", "\u202eeman", [], {}, [[]], {"": {}}, ["x"] * 5000,
    "999.0.0.1/99",
)  # fmt: skip


def whole() -> dict[str, Any]:
    """Return the facts of three machines from all recorded answers."""
    sent: dict[str, Any] = {}
    for path in sorted(RECORDED.glob("*.json")):
        recorded = json.loads(path.read_text())
        own = {f"{recorded['fact']}/{key}": one for key, one in recorded["answers"].items()}
        sent = own | sent
    machines = tuple(read_answers(name, {"answers": sent}) for name in ("n0", "n1", "n2"))
    found = ClusterFacts("2026-11-26T12:00:00+00:00", machines).to_json()
    found["cables"] = [
        {"ends": [["n0", "eth0"], ["n1", "eth0"]], "evidence": "probe", "certainty": "sure"}
    ]
    return found


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return all containers in a JSON value with each of their keys."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    inner = [(key, one) for key, one in items if isinstance(one, dict | list)]
    keys = list(value) if isinstance(value, dict) else range(len(value))
    return [(value, key) for key in keys] + [pair for _, one in inner for pair in places(one)]


def mutated(text: str, rng: random.Random) -> str:
    """Return facts with one to three mistakes."""
    facts = json.loads(text)
    for _ in range(rng.randint(1, 3)):
        holder, key = rng.choice(places(facts))
        match rng.randrange(4):
            case 0:
                holder[key] = copy.deepcopy(rng.choice(HOSTILE))
            case 1:
                del holder[key]
            case 2 if isinstance(holder, list):
                holder.append(holder[key])
            case _ if isinstance(holder, dict):
                holder[rng.choice(("name", "mtu", "unknown", "\x00"))] = copy.deepcopy(
                    rng.choice(HOSTILE)
                )
    return json.dumps(facts)


def mistake(text: str) -> UsageError | None:
    """Return the error of facts that cannot be read."""
    try:
        ClusterFacts.parse(text, "facts.json")
    except UsageError as error:
        return error
    return None


def test_mutated_facts_are_read_whole_or_are_one_error() -> None:
    text, rng, n_wrong = json.dumps(whole()), random.Random(34), 0
    console = Console(file=io.StringIO(), width=200)
    for number in range(N_MUTATED):
        facts = mutated(text, rng)
        error = mistake(facts)
        if error is not None:
            assert error.message.isprintable()
            assert len(error.message) < 1000
            n_wrong += 1
        elif number % 20 == 0:
            found = ClusterFacts.parse(facts)
            assert ClusterFacts.parse(json.dumps(found.to_json())) == found
            facts_csv(found)
            console.print(facts_table(found))
    assert N_MUTATED / 10 < n_wrong < N_MUTATED * 9 / 10


def test_truncated_facts_are_one_error() -> None:
    text = json.dumps(whole())
    for end in range(0, len(text), len(text) // 40):
        assert "no file of facts" in str(mistake(text[:end]))


def test_the_facts_that_are_mutated_have_every_kind_of_record() -> None:
    machine = whole()["machines"][0]
    keys = ("interfaces", "lldp", "forwarding_database", "rdma", "usb4", "firewall", "managers")
    assert all(machine[key] for key in keys)


def test_facts_and_hosts_agree_with_their_published_schemas() -> None:
    facts, hosts = (
        Draft202012Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text()))
        for name in ("facts", "hosts")
    )
    given = whole()
    assert facts.is_valid(given)
    given["machines"][0]["interfaces"][0]["mtu"] = "9000"
    assert not facts.is_valid(given)
    machines = {"n0": {"ssh": "root@box", "options": {"IdentityFile": "id", "Port": 2222}}}
    assert hosts.is_valid({"machines": machines})
    assert not hosts.is_valid({"machines": {"n0": {"shs": "box"}}})
