"""The described settings of every workload are those that it takes as text."""

from __future__ import annotations

import pytest

from linkwright.errors import UsageError
from linkwright.workloads import WORKLOADS, parse
from linkwright.workloads.described import settings


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_described_defaults_are_the_defaults(name: str) -> None:
    given = {one.name: one.default for one in settings(name) if one.default}
    assert parse(name, given) == parse(name)
    assert len({one.name for one in settings(name)}) == len(WORKLOADS[name].model_fields)
    assert all(one.about for one in settings(name))


@pytest.mark.parametrize("name", WORKLOADS)
def test_every_described_word_is_taken_and_no_other(name: str) -> None:
    for one in settings(name):
        for word in one.words:
            dumped = parse(name, {one.name: word}).parameters[one.name]
            assert str(dumped).lower() == word.lower()
        if one.words:
            with pytest.raises(UsageError, match=one.name):
                parse(name, {one.name: "no-such-word"})


def test_an_unknown_workload_has_no_settings() -> None:
    with pytest.raises(UsageError, match="unknown workload 'brodcast'") as error:
        settings("brodcast")
    assert "broadcast" in error.value.hint
