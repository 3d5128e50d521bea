"""Constants that cannot be, or with which no data would ever move, are refused.

What the changes of constants do otherwise is in test_changes.py.
"""

from __future__ import annotations

import pytest

from linkwright import calibrations
from linkwright.calibrations import LinkOptions, TcpOptions
from linkwright.errors import UsageError


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("segment_bytes", 0, "give 88 or more"),
        ("segment_bytes", 7, "give 88 or more"),
        ("send_buffer_memory_bytes", 0, "must not be zero"),
        ("initial_window", 0, "must not be zero"),
        ("receive_buffer_bytes", 4095, "holds no segment; give 4096 or more"),
        ("longest_timeout_us", 1, "must not be less"),
    ],
)
def test_options_that_move_nothing_are_refused(name: str, value: int, reason: str) -> None:
    options = calibrations.load("pentium-pro-200-linux-2.0").tcp.model_dump()
    options[name]["value"] = value
    with pytest.raises(ValueError, match=reason):
        TcpOptions.model_validate(options)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"tcp.rack": False, "tcp.undo": False}, "hystart needs rack"),
        ({"tcp.window_scaling": False}, "needs window_rule free and window_scaling"),
        ({"tcp.window_rule": "half-in-segments"}, "needs window_rule free and window_scaling"),
        ({"tcp.first_receive_buffer_bytes": 1459}, "hold no segment"),
    ],
)
def test_mechanisms_of_linux_6_need_what_they_build_on(
    changes: dict[str, object], reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        calibrations.load("ideal-linux-6").changed(changes)


def test_a_send_buffer_of_segments_does_not_grow() -> None:
    options = calibrations.load("pentium-pro-200-linux-2.0").tcp.model_dump()
    options["send_buffer_grows"]["value"] = True
    with pytest.raises(ValueError, match="send_buffer_grows needs send_buffer_bytes"):
        TcpOptions.model_validate(options)


@pytest.mark.parametrize("name", ["arp_waiting_frames", "arp_retry_us", "arp_tries"])
def test_hardware_addresses_are_asked_for_at_least_once_and_waited_for(name: str) -> None:
    options = LinkOptions().model_dump()
    options[name]["value"] = 0
    with pytest.raises(ValueError, match=f"{name} must not be zero"):
        LinkOptions.model_validate(options)


@pytest.mark.parametrize("ttl", [0, 256])
def test_a_ttl_fits_into_its_byte(ttl: int) -> None:
    with pytest.raises(UsageError, match=f"ttl cannot be {ttl}\\n  give 1 to 255"):
        calibrations.load("ideal-reno").changed({"links.ttl": ttl})


@pytest.mark.parametrize(
    ("constants", "reason"),
    [
        ({"host.cpus": 0}, "cpus cannot be 0\\n  give 1 to 1024"),
        ({"host.receive_queues": 2}, "cannot be 2 on 1 cpus.*\\n  give 1 to 1, or more cpus"),
        ({"queues.gro_bytes": 65_537}, "more than an IP packet\\n  give 65536 or less"),
        ({"queues.transmit_frames": 0}, "transmit_frames of zero .*\\n  give 1 or more"),
        ({"queues.receive_frames": 0}, "receive_frames of zero .*\\n  give 1 or more"),
        ({"messages.header_bytes": 2**31}, "header_bytes of 2147483648 .*\\n  give 65536 or less"),
        ({"tcp.initial_window": True}, "cannot be true\\n  give a whole number"),
        ({"tcp.initial_window": 2**32}, "give less than 4294967296"),
        ({"compute.memory": float("inf")}, "compute.memory.value cannot be inf\\n  give 1e"),
    ],
)
def test_constants_that_cannot_be_are_refused(constants: dict[str, object], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        calibrations.load("ideal-reno").changed(constants)


def test_all_constants_that_cannot_be_are_listed() -> None:
    with pytest.raises(UsageError) as error:
        calibrations.load("ideal-reno").changed({"host.send.us": -1, "tcp.sack": "perhaps"})
    assert [one.message.partition(": ")[2] for one in error.value.each] == [
        "host.send.us cannot be -1",
        "tcp.sack.value cannot be 'perhaps'",
    ]
