"""Each fact from outputs as machines give them.

A file of `recorded` has the answers of a machine to the questions of a fact, and the facts and
missing facts that are read from them; `origin` names the programs that printed them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from linkwright.facts.fact import Answers
from linkwright.facts.gathering import FACTS, read_answers
from linkwright.facts.values import as_json

FOLDER = Path(__file__).parent / "recorded"
BY_NAME = {fact.name: fact for fact in FACTS}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_recorded_answers_are_read(path: Path) -> None:
    recorded: dict[str, Any] = json.loads(path.read_text())
    fact = BY_NAME[recorded["fact"]]
    assert set(recorded["answers"]) <= set(fact.questions)
    answers = Answers(recorded["answers"], fact.name)
    assert fact.read(answers) == recorded["facts"]
    assert as_json(tuple(answers.missing)) == recorded["missing"]
    sent = {f"{fact.name}/{key}": one for key, one in recorded["answers"].items()}
    found = read_answers("n0", {"answers": sent, "is_root": True})
    unfit = [one for one in found.missing if "not understood" in one.reason]
    assert not unfit, "the facts have the types of their records"
