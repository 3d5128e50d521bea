"""Constants put into a calibration's text: all else of the text stays."""

from __future__ import annotations

import tomllib

import pytest

from linkwright.calibrations.rewriting import rewritten, with_draws
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


def test_draws_are_a_section_at_the_end_that_is_replaced_whole() -> None:
    once = with_draws(TEXT, {"host.send.us": (1.5, 2.0)})
    assert once.startswith(TEXT)
    assert tomllib.loads(once)["draws"] == {"host.send.us": [1.5, 2.0]}
    assert with_draws(once, {"host.send.us": (1.5, 2.0)}) == once
    assert "1.5" not in with_draws(once, {"host.read.us": (3.0,)})
    assert with_draws(once, {}) == TEXT


def test_draws_in_the_middle_of_a_file_go_without_the_next_section() -> None:
    head, _, queues = TEXT.partition("# About the queues.")
    text = f'{head}# Old draws.\n[draws]\n"host.send.us" = [1.0]\n\n# About the queues.{queues}'
    assert with_draws(text, {}).split() == TEXT.split()
