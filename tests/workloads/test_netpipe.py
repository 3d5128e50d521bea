"""NetPIPE: its sizes, both modes, and the figures read from marks.

Marks are made up where the figures are read; what is compared with ping-pong is run.
"""

from __future__ import annotations

import numpy as np
import pytest

from linkwright import engines
from linkwright.design.cluster import Cluster
from linkwright.errors import UsageError
from linkwright.network import compile as compile_network
from linkwright.workloads import Marks, NetPipe, PingPong, parse
from linkwright.workloads.steps import StepKind

DIRECT = compile_network(Cluster.parse("{name: d, topology: {kind: direct}}"))


def test_sizes_grow_by_half_octaves_with_near_ones() -> None:
    assert NetPipe(largest_bytes=16, perturbation=0).sizes_bytes == [1, 2, 3, 4, 6, 8, 12, 16]
    assert NetPipe(smallest_bytes=32, largest_bytes=48).sizes_bytes == [29, 32, 35, 45, 48, 51]
    assert NetPipe(largest_bytes=3).sizes_bytes == [1, 2, 3, 4, 5, 6]
    assert NetPipe(smallest_bytes=5, largest_bytes=5).series_bytes == [5]


def marks_of(workload: NetPipe, time_s: list[float]) -> Marks:
    """Return the marks of a sender to whom each size takes so long in all."""
    ends = np.cumsum([0.0, *time_s])
    number = np.arange(2 * len(time_s), dtype=np.uint32)
    times = np.stack([ends[:-1], ends[1:]], axis=1).ravel()
    return Marks(number, np.full(len(number), workload.src, np.uint32), times)


@pytest.mark.parametrize(("streaming", "blocks"), [(False, 20), (True, 10)])
def test_figures(streaming: bool, blocks: int) -> None:
    workload = NetPipe(largest_bytes=8, perturbation=0, repeats=10, streaming=streaming)
    # Sizes 1, 2, 3, 4, 6, 8: the time stays, then grows with the size from 4 bytes on.
    block_s = [1.0, 1.1, 1.2, 1.3, 1.95, 2.6]
    measured = workload.measure(marks_of(workload, [blocks * one for one in block_s]))
    values = {(one.metric, one.parameters.get("size_bytes")): one.value for one in measured}
    assert values["time", 6] == pytest.approx(1.95)
    assert values["throughput", 6] == pytest.approx(6 / 1.95)
    assert values["latency", None] == pytest.approx(1.0)
    assert values["peak_throughput", None] == pytest.approx(4 / 1.3)
    assert values["saturation_size", None] == 4


def test_what_never_grows_linearly_has_no_saturation_point() -> None:
    workload = NetPipe(largest_bytes=4, perturbation=0, repeats=10)
    metrics = {one.metric for one in workload.measure(marks_of(workload, [20.0] * 4))}
    assert metrics == {"time", "throughput", "latency", "peak_throughput"}


def test_one_by_one_it_is_ping_pong() -> None:
    workload = NetPipe(smallest_bytes=1024, largest_bytes=8192, perturbation=0, repeats=5)
    result = engines.run(DIRECT, workload)
    ping = engines.run(DIRECT, PingPong(size_bytes=tuple(workload.sizes_bytes), repeats=5)).filter(
        metric="latency"
    )
    assert result.filter(metric="time").values().tolist() == ping.values().tolist()


def test_streams_go_one_way_and_faster() -> None:
    settings = {"smallest_bytes": 4096, "largest_bytes": 4096, "perturbation": 0}
    stream = NetPipe(streaming=True, **settings)
    steps = stream.steps(2)
    assert steps.size_bytes[(steps.kind == StepKind.SEND) & (steps.rank == 1)].tolist() == [4096, 0]
    streamed, answered = (
        float(
            engines.run(DIRECT, one, calibration="pentium-ii-400-linux-2.2")
            .filter(metric="peak_throughput")
            .values()[0]
        )
        for one in (stream, NetPipe(**settings))
    )
    assert answered < streamed < 12.5e6


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"smallest_bytes": "2K", "largest_bytes": "1K"},
            "sizes from 2048 to 1024 are an empty range",
        ),
        ({"dst": "0"}, "src and dst are both 0"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse("netpipe", settings)
