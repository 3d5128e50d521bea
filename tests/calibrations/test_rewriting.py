"""Constants put into a calibration's text: all else of the text stays."""

from __future__ import annotations

import tomllib

import pytest

from linkwright.calibrations.rewriting import rewritten
from linkwright.errors import UsageError

TEXT = """# Hosts of mine.
name = "mine"

[host]
send   = { us = 1.0, us_per_byte = 0.5, origin = "a [B, sec. 1] # c" }   # why
read   = { us = 2.0, origin = "d" }

# About the queues.
[queues]
frames = { value = 3, origin = "e" }
"""
FIT = {"us": 2.5, "origin": 'a "fit"'}


def test_a_constant_changes_on_its_line() -> None:
    text = rewritten(TEXT, {("host", "send"): FIT})
    assert '\nsend   = { us = 2.5, origin = "a \\"fit\\"" }   # why\n' in text
    same = [line for line in text.splitlines() if not line.startswith("send")]
    assert same == [line for line in TEXT.splitlines() if not line.startswith("send")]


def test_a_constant_of_the_stack_gets_a_line_in_its_section() -> None:
    text = rewritten(TEXT, {("host", "take"): FIT, ("messages", "take"): FIT})
    assert 'origin = "d" }\ntake = { us = 2.5' in text
    assert text.endswith('[messages]\ntake = { us = 2.5, origin = "a \\"fit\\"" }\n')
    assert tomllib.loads(text)["queues"] == tomllib.loads(TEXT)["queues"]


def test_a_constant_in_another_form_is_refused_with_the_line_to_write() -> None:
    text = TEXT + '\n[host.take]\nus = 1.0\norigin = "f"\n'
    with pytest.raises(UsageError, match=r"'host\.take' is not on a line") as raised:
        rewritten(text, {("host", "take"): FIT})
    assert "`take = { us = 2.5" in raised.value.hint
