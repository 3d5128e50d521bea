"""Single constants changed by a user, stacks that complete a calibration, and what is published.

What the command line makes of them is in tests/cli, what the constants do in the crates.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwright import calibrations
from linkwright.calibrations import Calibration, stacks
from linkwright.errors import DesignError, UsageError
from linkwright.records.docstrings import field_docstrings

NAME = "pentium-pro-200-linux-2.0"


def test_a_change_has_its_own_name_and_leaves_everything_else() -> None:
    before = calibrations.load(NAME)
    after = before.changed({"tcp.initial_window": 4, "host.send.us": 1.5})
    assert after.name == f"{NAME} host.send.us=1.5,tcp.initial_window=4"
    assert after.tcp.initial_window.value == 4
    assert after.host.send.value == (1.5, before.host.send.us_per_byte)
    assert after.tcp.initial_window.origin == after.host.send.origin == "set by the user"
    assert after.messages == before.messages


def test_one_of_two_alternatives_replaces_the_other() -> None:
    after = calibrations.load(NAME).changed({"tcp.send_buffer_bytes": 65536})
    assert after.tcp.send_buffer_segments is None
    assert after.constants()["send_buffer_bytes"] == 65536


@pytest.mark.parametrize(
    ("key", "value", "message", "hint"),
    [
        ("tcp.inital_window", 1, "no constant 'tcp.inital_window'", "tcp.initial_window"),
        ("host.send", 1, "no constant 'host.send'", "host.send.us"),
        ("name", "x", "no constant 'name'", "calibrations.md"),
        ("tcp.initial_window", 0, "must not be zero", "give 1 or more"),
        ("tcp.fast_retransmit", "perhaps", "cannot be 'perhaps'", "give true or false"),
        ("path.latency_us", -1, "latency_us.value cannot be -1", "give 0 or more"),
        ("host.cpus", 1.5, "host.cpus.value cannot be 1.5", "give a whole number"),
        ("host.send.us", "x", "host.send.us cannot be 'x'", "give a number"),
        ("queues.gro_bytes", 2**32, "gro_bytes.value cannot be", "give less than 4294967296"),
        ("tcp.congestion", "bbr", "cannot be 'bbr'", "give one of reno, cubic, dctcp"),
    ],
)
def test_what_cannot_be_is_refused(key: str, value: object, message: str, hint: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        calibrations.load(NAME).changed({key: value})
    assert hint in raised.value.hint


@pytest.mark.parametrize(
    ("before", "after", "message", "hint"),
    [
        ("\ninitial_window", "\ninital_window", "tcp.inital_window is no constant", "leave it out"),
        ("\ninitial_window", "\n# ", "tcp.initial_window is missing", "add it"),
        ("\nack_delay_us", "\n# ", "every-second needs ack_delay_us", "add it, 40000"),
        ('"every-second"', '"on-read"', "needs ack_pushed_us", "add them, or choose"),
        ("\nread  ", "\nread = 3\n#", "host.read cannot be 3", "give { value = ..., origin"),
        ("\nsend_buffer_bytes", "\n# ", "none of send_buffer_segments", "give one"),
    ],
)
def test_a_file_that_is_none_says_where_and_what_to_do(
    before: str, after: str, message: str, hint: str, tmp_path: Path
) -> None:
    text = Path(calibrations.__file__).with_name("ideal-reno.toml").read_text(encoding="utf-8")
    assert before in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(DesignError, match=message) as raised:
        calibrations.load(str(path))
    assert hint in raised.value.hint


def test_every_constant_is_published_with_its_origin() -> None:
    for name in calibrations.names():
        calibration = calibrations.load(name)
        published = calibration.published()
        sections = (calibration.host, calibration.queues, calibration.tcp, calibration.messages)
        given = {key for section in sections for key, one in section if one is not None}
        assert given <= {key.partition(".")[2] for key in published}
        assert all(constant["origin"] for constant in published.values())


@pytest.mark.parametrize("stack", stacks.names())
def test_a_stack_completes_a_calibration_that_says_nothing_of_tcp(stack: str) -> None:
    table = calibrations.load("ideal-reno").model_dump(exclude_none=True) | {"stack": stack}
    del table["tcp"]
    completed = Calibration.model_validate(stacks.completed(table))
    assert completed.tcp.receive_buffer_bytes.value > 28_000
    assert completed.stack == stack
    own = table | {"tcp": {"initial_window": {"value": 7, "origin": "mine"}}}
    changed = Calibration.model_validate(stacks.completed(own))
    assert changed.tcp.initial_window.value == 7
    assert changed.tcp.receive_buffer_bytes == completed.tcp.receive_buffer_bytes


def test_a_stack_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nstack = "linux-2.1"\n', encoding="utf-8")
    with pytest.raises(DesignError, match=r"no stack 'linux-2\.1'") as raised:
        calibrations.load(str(path))
    assert "linux-2.0" in raised.value.hint


def test_every_constant_says_what_it_means() -> None:
    for section in ("host", "queues", "tcp", "messages"):
        model = Calibration.model_fields[section].annotation
        assert model is not None
        undocumented = set(model.model_fields) - set(field_docstrings(model))
        assert undocumented == set()
