"""Files about real machines open beside the design of the page: facts, verdicts, the state of a
watch, and values that no command writes.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.as_built.planted import DESIGN, FAULTS
from tests.as_built.rendered import Rendered, rendered

from linkwright.web.tasks import run_task


def opened(folder: Path, value: Any, text: str = DESIGN) -> tuple[str, Any]:
    """Return the answer of the page for a file."""
    path = folder / "file.json"
    path.write_text(json.dumps(value))
    own = {"path": str(path), "kind": "results", "name": "file.json"}
    request = {**own, "text": text, "folder": str(folder)}
    [event] = run_task({"task": "open", **request}, lambda *_: None)
    return event


def faulty() -> Rendered:
    facts = rendered(DESIGN)
    for name in ("swapped cables", "MTU"):
        FAULTS[name].plant(facts)
    return facts


def test_facts_are_compared_with_the_design_of_the_page(tmp_path: Path) -> None:
    event, shown = opened(tmp_path, faulty().given)
    assert event == "machines"
    assert shown["next_s"] is None
    assert shown["marks"]["cables"] == {0: "wrong", 1: "wrong"}
    assert "six is not as planned: 3 errors" in shown["html"]
    assert 'class="cable misplaced"' in shown["html"]
    assert "<script" not in shown["html"]


def test_a_verdict_has_its_marks_and_the_numbers_of_its_moves(tmp_path: Path) -> None:
    verdict = faulty().verify().to_json()
    event, shown = opened(tmp_path, verdict)
    assert event == "machines"
    assert shown["marks"]["cables"] == {0: "wrong", 1: "wrong"}
    assert "from <b>n1:eth0</b> to <b>n0:eth0</b>" in shown["html"]
    assert shown["html"].count('class="badge leaves"') == len(verdict["moves"]) == 2
    _, clean = opened(tmp_path, {"findings": [], "moves": []})
    assert "six is as planned." in clean["html"]


@pytest.mark.parametrize("is_late", [False, True])
def test_the_state_of_a_watch_is_looked_at_again(tmp_path: Path, is_late: bool) -> None:
    gone = {"severity": "error", "kind": "missing-machine", "node": "n2", "reason": "gone"}
    when = "2020-01-01T00:00:00+00:00" if is_late else datetime.now(UTC).isoformat()
    watch = {"when": when, "interval_s": 5, "answer": "one is gone", "nodes": ["n0"]}
    _, shown = opened(tmp_path, {"watch": watch, "findings": [gone], "moves": []})
    assert shown["next_s"] == 2.5
    assert shown["marks"] == {"cables": {}, "nodes": {2: "silent"}}
    said = "the watch has ended or hangs" if is_late else "watched; last comparison"
    assert said in shown["html"]


HOSTILE: list[Any] = [
    {"findings": 7, "moves": {}},
    {"findings": [3, {}, {"kind": "nothing"}, {"kind": "wrong-mtu", "node": 7}], "moves": [1, {}]},
    {"findings": [{"kind": "wrong-mtu", "node": "zz", "reason": "<b>\x1b"}], "moves": []},
    {"findings": [], "moves": [{"cable": {}, "node": [], "from_port": 1, "to_port": None}]},
    {"findings": [], "moves": [], "watch": 3},
    {"findings": [], "moves": [], "watch": {"when": 3, "interval_s": "x", "nodes": 1}},
    {"findings": [], "moves": [], "watch": {"answer": [], "interval_s": -1}},
    {"findings": [], "moves": [], "watch": {"when": "2026-01-01", "interval_s": 1e400}},
]  # fmt: skip


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_values_that_no_command_writes_are_left_out(tmp_path: Path, value: Any) -> None:
    event, shown = opened(tmp_path, value)
    assert event == "machines"
    assert "<b>\x1b" not in shown["html"]
    json.dumps(shown, allow_nan=False)


@pytest.mark.parametrize(
    ("value", "text", "said"),
    [
        ({"schema": 1, "machines": []}, DESIGN, "when"),
        ({"schema": 9, "machines": []}, DESIGN, "schema 9"),
        ({"findings": [], "moves": []}, "topology: {kind: rin}", "rin"),
        (
            {"schema": 1, "when": "", "machines": [{"name": "web1"}]}, DESIGN,
            "no machine of the facts (web1) is a node of",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_refused_in_words(
    tmp_path: Path, value: Any, text: str, said: str
) -> None:
    event, mistakes = opened(tmp_path, value, text)
    assert event == "refused"
    assert said in mistakes[0]["message"]
