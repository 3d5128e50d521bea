"""Planted faults: each is found and named, alone and beside every other."""

from __future__ import annotations

from functools import cache

import pytest
from tests.as_built.planted import DESIGN, FAULTS, Fault
from tests.as_built.rendered import Rendered, rendered

from linkwright.as_built.verify import Verdict


@cache
def clean() -> Rendered:
    return rendered(DESIGN)


def found_with(*names: str) -> Verdict:
    facts = clean().copy()
    for name in names:
        FAULTS[name].plant(facts)
    return facts.verify()


def names_it(verdict: Verdict, fault: Fault) -> bool:
    return any(
        (one.kind, one.node) == (fault.kind, fault.node) and fault.nic in (None, one.nic)
        for one in verdict.findings
    )


def test_the_ring_is_clean() -> None:
    assert clean().verify().findings == ()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(name: str) -> None:
    verdict = found_with(name)
    assert names_it(verdict, FAULTS[name]), [one.to_json() for one in verdict.findings]
    for one in verdict.findings:
        assert one.reason.rstrip(".") == one.reason != ""
        assert one.fix


@pytest.mark.parametrize("first", FAULTS)
def test_faults_are_found_in_pairs(first: str) -> None:
    names = list(FAULTS)
    for second in names[names.index(first) + 1 :]:
        verdict = found_with(first, second)
        for name in (first, second):
            assert names_it(verdict, FAULTS[name]), (name, first, second)
