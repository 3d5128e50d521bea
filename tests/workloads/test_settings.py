"""Settings of workloads: as text, in their ranges, with the remedy when they are not.

Texts of messages are checked in part, so that a rule may be reworded.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwright.errors import UsageError
from linkwright.workloads import WORKLOADS, Broadcast, PingPong, Shift, parse
from linkwright.workloads.sizes import parse_size

DEFAULT_SIZES = [2**power for power in range(21)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("1b", 1),
        ("4K", 4096),
        ("4k", 4096),
        ("4 KiB", 4096),
        ("4kB", 4000),
        ("1MiB", 1 << 20),
        ("1m", 1 << 20),
        ("1MB", 10**6),
        ("2G", 2 << 30),
        (" 8 ", 8),
    ],
)
def test_sizes(text: str, expected: int) -> None:
    assert parse_size(text) == expected


@pytest.mark.parametrize("text", ["", "K", "4Q", "1.5K", "-1", "1e3", "4 4", "٤"])
def test_no_sizes(text: str) -> None:
    with pytest.raises(ValueError, match="a size is a whole number of bytes"):
        parse_size(text)


@given(st.lists(st.integers(1, 1 << 40), min_size=1, max_size=9))
def test_lists_of_sizes_come_back(sizes: list[int]) -> None:
    text = ",".join(map(str, sizes))
    assert parse("ping-pong", {"size_bytes": text}) == PingPong(size_bytes=tuple(sizes))


@pytest.mark.parametrize("name", WORKLOADS)
def test_settings_come_back_from_their_json(name: str) -> None:
    workload = parse(name)
    assert type(workload)(**workload.parameters) == workload
    assert workload.name == name
    assert workload.summary().endswith(".")


def test_defaults() -> None:
    assert parse("ping-pong").parameters["size_bytes"] == DEFAULT_SIZES
    assert parse("broadcast").parameters["size_bytes"] == [4096]
    assert Broadcast(size_bytes=8).size_bytes == (8,)
    assert parse("broadcast", {"closing_barrier": "false"}) == Broadcast(closing_barrier=False)
    assert parse("shift", {"k": "-3", "size_bytes": "1MB"}) == Shift(k=-3)


@pytest.mark.parametrize(
    ("name", "settings", "message", "hint"),
    [
        ("pingpong", {}, "unknown workload 'pingpong'", "did you mean 'ping-pong'"),
        ("ping-pong", {"sizes": "1"}, "has no setting 'sizes'", "did you mean 'size_bytes'"),
        ("ping-pong", {"size_bytes": "1,4Q"}, "'size_bytes' cannot be '4Q'", "such as 4096"),
        ("ping-pong", {"size_bytes": "0"}, "'size_bytes' cannot be '0'", "greater than or equal"),
        ("ping-pong", {"size_bytes": ""}, "'size_bytes' cannot be ''", "such as 4096"),
        ("ping-pong", {"size_bytes": "2000G"}, "'size_bytes' cannot be", "less than or equal"),
        ("ping-pong", {"dst": "0"}, "src and dst are both 0", "choose two nodes"),
        ("ping-pong", {"src": "-1"}, "'src' cannot be '-1'", "greater than or equal to 0"),
        ("ping-pong", {"repeats": "0"}, "'repeats' cannot be '0'", "greater than or equal to 1"),
        ("ping-pong", {"repeats": "few"}, "'repeats' cannot be 'few'", "valid integer"),
        ("broadcast", {"root": "1e30"}, "'root' cannot be '1e30'", "integer"),
        ("shift", {"k": str(2**64)}, "'k' cannot be '18446744073709551616'", "less than 1048576"),
        ("datagrams", {"rate_bps": "inf"}, "'rate_bps' cannot be 'inf'", "less than or equal"),
        ("hpl", {"rate": "1e-300"}, "'rate' cannot be '1e-300'", "greater than or equal to 1"),
        ("npb.bt", {"node_speed": "inf"}, "'node_speed' cannot be 'inf'", "less than or equal"),
        ("broadcast", {"receivers": "N"}, "'receivers' cannot be 'N'", "'others' or 'all'"),
        ("barrier", {"warm_up": "0"}, "'warm_up' cannot be '0'", "greater than or equal to 1"),
        ("shift", {"size_bytes": "1,2"}, "'size_bytes' cannot be '1,2'", "such as 4096"),
        ("file-server", {"block_bytes": "64K"}, "'block_bytes' cannot be '64K'", "65507"),
        ("file-server", {"protocol": "nfs"}, "'protocol' cannot be 'nfs'", "'udp' or 'tcp'"),
        ("keep-alive", {"spacing_s": "-1"}, "'spacing_s' cannot be '-1'", "equal to 0"),
        ("permutation", {"seed": "-1"}, "'seed' cannot be '-1'", "greater than or equal to 0"),
    ],
)
def test_errors_name_setting_and_remedy(
    name: str, settings: dict[str, str], message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as error:
        parse(name, settings)
    assert message in error.value.message
    assert hint in error.value.hint


@pytest.mark.parametrize(
    ("name", "settings", "n_nodes", "message"),
    [
        ("ping-pong", {"dst": "4"}, 4, "dst is 4, the cluster has 4 nodes"),
        ("ping-pong", {"src": "9"}, 4, "src is 9, the cluster has 4 nodes"),
        ("broadcast", {"root": "4"}, 4, "root is 4 of 4 ranks"),
        ("barrier", {}, 1, "needs two nodes, the cluster has 1"),
        ("broadcast", {}, 1, "needs two nodes"),
        ("shift", {"k": "8"}, 4, "leaves every message where it is"),
        ("shift", {"k": "0"}, 4, "leaves every message where it is"),
        ("permutation", {}, 3, "seed 1 leaves each of 3 nodes in place"),
    ],
)
def test_clusters_that_do_not_fit(
    name: str, settings: dict[str, str], n_nodes: int, message: str
) -> None:
    with pytest.raises(UsageError) as error:
        parse(name, settings).n_ranks(n_nodes)
    assert message in error.value.message
    assert error.value.hint


def test_all_wrong_settings_are_listed() -> None:
    with pytest.raises(UsageError) as error:
        parse("ping-pong", {"sice_bytes": "1", "repeats": "0", "src": "x"})
    assert error.value.message.splitlines()[0] == "workload ping-pong has 3 mistakes:"
    assert [one.message for one in error.value.each] == [
        "workload ping-pong has no setting 'sice_bytes'",
        "workload ping-pong: setting 'src' cannot be 'x'",
        "workload ping-pong: setting 'repeats' cannot be '0'",
    ]
