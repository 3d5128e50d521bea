"""The answer of a check: its sentence and its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network
from linkwright.plan import Finding, Severity, check, rerouting
from linkwright.views.check_answer import check_answer

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("design", "mood", "begin"),
    [
        ("home-ring", "good", "Every single failure heals by itself"),
        ("whitney-16", "bad", "Of 91 single failures, 3 cut nodes off, 87 need new tables and 1"),
    ],
)
def test_failures_are_a_sentence_and_three_numbers(design: str, mood: str, begin: str) -> None:
    network = compile_network(Cluster.load(EXAMPLES / f"{design}.yaml"))
    proof = rerouting(network)
    found = check_answer(design, check(network), proof)
    assert found.mood == mood
    assert found.text.startswith(begin)
    values = [int(value.replace(",", "")) for value, _ in found.numbers]
    assert sum(values[:3]) == len(proof.impacts)
    assert values[3] == proof.whole.n_connections
    assert [words for _, words in found.numbers][1:3] == ["need new tables", "cut nodes off"]


def test_the_worst_failure_is_named() -> None:
    network = compile_network(Cluster.load(EXAMPLES / "whitney-16.yaml"))
    text = check_answer("w", [], rerouting(network)).text
    assert "Worst is switch x0: 116 of 272 connections end, 32 of them for good." in text


def test_errors_come_first_and_a_check_without_failures_says_so() -> None:
    error = Finding(Severity.ERROR, "n0", "rule", "a reason", "a fix")
    found = check_answer("d", [error], None)
    assert (found.mood, found.numbers) == ("bad", ())
    assert found.text == "d has 1 error: it does not work as designed."
    assert check_answer("d", [], None).text == "d has no errors; no failures were tried."
