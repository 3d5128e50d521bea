"""Logs of other programs: real ones of iperf3 3.12 and NetPIPE 3.7.2 over a loopback, and the forms
that the others are documented to have, with numbers of our own.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from linkwright.cli import run
from linkwright.errors import UsageError
from linkwright.results.readers import Figure, read_log

LOGS = Path(__file__).parent / "logs"

OSU = """
[host:123] a line of a launcher

# OSU MPI Latency Test v7.3
# Datatype: MPI_CHAR.
# Size          Latency (us)
0                       9.00
1                      10.00
1024                   20.00

# OSU MPI Bandwidth Test v5.8
# Size      Bandwidth (MB/s)
1048576              1100.00

# OSU MPI Allreduce Latency Test v5.6.2
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
8                      30.00             29.00             31.00        1000

# OSU MPI Barrier Latency Test v5.8
# Avg Latency(us)
             40.00
"""
NCCL = """
# nThread 1 nGpus 1 minBytes 8 maxBytes 1024 step: 2(factor) warmup iters: 5 iters: 20
#  Rank  0 Group  0 Pid  1 on a device  0 [0x1a] GPU
#  Rank  1 Group  0 Pid  2 on b device  0 [0x1a] GPU
#                                            out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)
           8             2     float     sum      -1    18.00    0.00    0.00      0    17.00
        1024           256     float     sum      -1    20.00    0.05    0.05      0    19.00
# Out of bounds values : 0 OK
"""
OLD_NCCL = """
#       size         count    type   redop     time   algbw   busbw  error     time
        1024           256   float     sum    20.00    0.05    0.05  5e-07    19.00
"""
BANDWIDTH = """
 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
 65536      5000             2100.00            2000.00            0.032000
"""
GIGABITS = """
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      5000             99.0               96.0               0.183
"""
LATENCY = """
 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]
Conflicting CPU frequency values detected: 2400.0 != 1873.4. CPU Frequency is not max.
 2       1000          1.00           6.00         2.00               2.10           0.06
"""
MEAN = """
 #bytes        #iterations       t_avg[usec]    t_stdev[usec]
 2             1000              0.50           0.05
"""


OF_RANKS = """
[1,0]<stdout>:#                                                    out-of-place             in-place
[1,0]<stdout>:#       size         count      type   redop    root     time   algbw   busbw #wrong
[1,0]<stdout>:#        (B)    (elements)                               (us)  (GB/s)  (GB/s)
[1,0]<stdout>:           8             2     float     sum      -1    12.00    0.00    0.00      0
"""
EXCHANGE = """
# OSU MPI All-to-All Personalized Exchange Latency Test v7.5
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)        Validation
1                      12.00              Pass
"""
ONE_SIDED = """
# OSU MPI_Get latency Test v5.8
# Window creation: MPI_Win_allocate
# Synchronization: MPI_Win_flush
# Size          Latency (us)
1                       0.50

# OSU MPI_Put Bandwidth Test v5.3
# Size      Bandwidth (MB/s)
8                      10.00

# OSU MPI-CUDA Bi-Directional Bandwidth Test v7.2
# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)
# Size      Bandwidth (MB/s)
4                      20.00
"""
PERFTEST_TITLE = """
---------------------------------------------------------------------------------------
                    {} Test
 Dual-port       : OFF          Device         : mlx5_0
 Number of qps   : 1            Transport type : IB
 Link type       : Ethernet
---------------------------------------------------------------------------------------
 local address: LID 0000 QPN 0x0108 PSN 0x63ad7d RKey 0x17eedf VAddr 0x007f760c947000
 GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:00:00:05
---------------------------------------------------------------------------------------
"""


def values(figures: list[Figure]) -> dict[tuple[str, str, Any], float]:
    return {
        (one.workload, one.metric, one.parameters.get("size_bytes")): pytest.approx(one.value)
        for one in figures
    }


def test_iperf3() -> None:
    found = values(read_log((LOGS / "iperf3.json").read_text(), "iperf3.json"))
    end = json.loads((LOGS / "iperf3.json").read_text())["end"]
    assert found["stream", "throughput", 131072] == end["sum_received"]["bits_per_second"] / 8
    assert found["stream", "retransmissions", 131072] == end["sum_sent"]["retransmits"]


@pytest.mark.parametrize("name", ["netpipe.txt", "netpipe.out"])
def test_netpipe(name: str) -> None:
    found = values(read_log((LOGS / name).read_text(), name))
    assert found["ping-pong", "latency", 1] == 63.02e-6
    assert found["ping-pong", "latency", 2] == 8.31e-6
    assert found["ping-pong", "throughput", 2] == 2 / 8.31e-6


def test_osu() -> None:
    assert values(read_log(OSU, "osu.txt")) == {
        ("ping-pong", "latency", 0): 9e-6,
        ("ping-pong", "latency", 1): 10e-6,
        ("ping-pong", "throughput", 1): 1e5,
        ("ping-pong", "latency", 1024): 20e-6,
        ("ping-pong", "throughput", 1024): 1024 / 20e-6,
        ("stream", "throughput", 1_048_576): 1.1e9,
        ("all-reduce", "time", 8): 30e-6,
        ("barrier", "time", None): 40e-6,
    }


def test_nccl_tests() -> None:
    found = values(read_log(NCCL, "all_reduce_perf.txt"))
    assert found == {("all-reduce", "time", 8): 18e-6, ("all-reduce", "time", 1024): 20e-6}
    blocks = values(read_log("$ mpirun ./all_gather_perf -e 1K\n" + NCCL, "log"))
    assert blocks["all-gather", "time", 512] == 20e-6
    old = values(read_log(OLD_NCCL, "broadcast_perf.log"))
    assert old == {("broadcast", "time", 1024): 20e-6}
    with pytest.raises(UsageError, match="does not say which benchmark"):
        read_log(NCCL, "out.txt")


def test_perftest() -> None:
    assert values(read_log(BANDWIDTH, "x")) == {("stream", "throughput", 65536): 2000 * (1 << 20)}
    assert values(read_log(GIGABITS, "x")) == {("stream", "throughput", 65536): 12e9}
    assert values(read_log(LATENCY, "x"))["ping-pong", "latency", 2] == 2e-6
    assert values(read_log(MEAN, "x"))["ping-pong", "latency", 2] == 0.5e-6


def test_titles_that_logs_have() -> None:
    """Forms of public logs: an exchange, one-sided operations, whole round trips, both ways."""
    assert values(read_log(EXCHANGE, "x")) == {("all-to-all", "time", 1): 12e-6}
    found = read_log(ONE_SIDED, "x")
    assert values(found) == {
        ("mpi-get", "time", 1): 0.5e-6,
        ("stream", "throughput", 8): 1e7,
        ("stream", "throughput", 4): 2e7,
    }
    about = [one.parameters for one in found]
    assert about[1]["operation"] == "put"
    assert about[2]["direction"] == "bi-directional"
    read = PERFTEST_TITLE.format("RDMA_Read Latency") + LATENCY
    assert values(read_log(read, "x")) == {("rdma-read", "time", 2): 2e-6}
    sent = PERFTEST_TITLE.format("Send Latency") + LATENCY
    assert values(read_log(sent + read, "x"))["ping-pong", "latency", 2] == 2e-6
    both = PERFTEST_TITLE.format("RDMA_Write Bidirectional BW") + GIGABITS
    (figure,) = read_log(both, "x")
    assert (figure.parameters["operation"], figure.parameters["direction"]) == (
        "rdma-write", "bidirectional",
    )  # fmt: skip


def in_front(text: str, *fronts: str) -> str:
    lines = text.splitlines()
    return "\n".join(f"{fronts[n % len(fronts)]}{line}" for n, line in enumerate(lines))


@pytest.mark.parametrize("front", ["[1,0]<stdout>:", "[job-host-7@1,0]<stdout>: ", "[0] ", "0: "])
def test_ranks_in_front_of_lines_are_left_out(front: str) -> None:
    assert values(read_log(in_front(OSU, front), "x")) == values(read_log(OSU, "x"))
    assert values(read_log(in_front(NCCL, front, front), "all_reduce_perf"))
    assert values(read_log(OF_RANKS, "all_reduce_perf")) == {("all-reduce", "time", 8): 12e-6}
    netpipe = (LOGS / "netpipe.txt").read_text()
    assert read_log(in_front(netpipe, front), "x") == read_log(netpipe, "x")


def test_programs_are_named_and_strangers_refused() -> None:
    assert {one.parameters["program"] for one in read_log(OSU, "x")} == {"osu"}
    for text in ("", "hello\n", "{}", "\0\1"):
        with pytest.raises(UsageError, match="no log that a reader knows"):
            read_log(text, "x")
    with pytest.raises(UsageError, match="without figures"):
        read_log("# OSU MPI Latency Test v7.3\n# Size Latency (us)\n", "x")
    with pytest.raises(UsageError, match="failed"):
        read_log('{"start": {"test_start": {}}, "end": {}, "error": "refused"}', "x")


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 200_000,
        " \n" * 100_000,
        (PERFTEST_TITLE.format("Send Latency") + LATENCY) * 2_000,
        "Send " + "x" * 100_000 + BANDWIDTH,
        "[0] \n" * 100_000,
        "0: \n" * 100_000,
        "0: " + "9" * 5000 + " bytes 1 times --> 1.0 Mbps in 1.0 usec",
        "0: 1 bytes 1 times --> 1.0 Mbps in 1e-320 usec",
        "9" * 5000 + " 1.0 0.000001\n" * 3,
        OSU.replace("10.00", "1e-320").replace("9.00", "1e300"),
        LATENCY.replace("2.00", "1e-320"),
        NCCL.replace("Rank  1", "Rank  " + "9" * 5000),
        '{"start": {"test_start": {"num_streams": "x", "blksize": 1' + "0" * 400 + "}}, "
        '"end": {"sum_received": {"bits_per_second": 1' + "0" * 400 + "}}}",
    ],
)
def test_numbers_beyond_reason_and_blank_lines_are_no_fault(text: str) -> None:
    begin_s = time.process_time()
    with suppress(UsageError):
        assert all(0 < one.value < float("inf") for one in read_log(text, "all_reduce_perf"))
    assert time.process_time() - begin_s < 2


def test_the_command_reads_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("four.yaml").write_text(
        "{name: four, topology: {kind: switch, nodes: 4}, parts: {catalogue: ethernet-2026}}"
    )
    Path("osu.txt").write_text(OSU)
    words = ["measure", "four.yaml", "--log", "osu.txt", "--log", str(LOGS / "iperf3.json")]
    assert run([*words, "--set", "dst=2", "-q", "-o", "rows.json"]) == 0
    rows = json.loads(Path("rows.json").read_text())
    assert {(one["engine"], one["origin"]) for one in rows} == {("hardware", "measured")}
    assert {one["parameters"].get("dst") for one in rows} == {2, None}
    assert run(["compare", "--measured", "rows.json", "-q", "-o", "beside.json"]) == 0
    found = json.loads(Path("beside.json").read_text())
    assert {one["workload"] for one in found if one["predicted"]} == {
        "ping-pong", "all-reduce", "barrier",
    }  # fmt: skip
    assert run([*words, "--set", "dst=9"]) == 2
    capsys.readouterr()
    assert run(["measure", "four.yaml", "--log", "missing.txt", "-o", "rows.nothing"]) == 2
    assert "missing.txt" not in capsys.readouterr().err
    assert run(["measure", "four.yaml"]) == 2
