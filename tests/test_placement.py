"""Where ranks run: every form of a placement, and what is wrong with one.

The latencies at the end are printed ones, so that a placement is seen to move ranks and not names.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from linkwright import engines, workloads
from linkwright.design.cluster import Cluster
from linkwright.errors import UsageError
from linkwright.network import compile as compile_network
from linkwright.placement import nodes_of_ranks

TORUS = compile_network(Cluster.parse("{name: torus, topology: {kind: torus, shape: [4, 4]}}"))


@pytest.mark.parametrize(
    ("placement", "n_ranks", "nodes"),
    [
        ("row", 4, [0, 1, 2, 3]),
        ("2x2", 4, [0, 1, 4, 5]),
        ("3x2", 5, [0, 1, 4, 5, 8]),
        ("0,1,4,5", 4, [0, 1, 4, 5]),
        ("15, 0", 2, [15, 0]),
        ("n0-1,n3-0", 2, [1, 12]),
        ("row:3", 7, [0, 0, 0, 1, 1, 1, 2]),
        ("2x1:2", 4, [0, 0, 4, 4]),
        ("0,1,1,2", 4, [0, 1, 1, 2]),
        ("3:2,15", 3, [3, 3, 15]),
    ],
)
def test_forms(placement: str, n_ranks: int, nodes: list[int]) -> None:
    if placement.startswith("n"):
        placement = ",".join(TORUS.device_names[node] for node in nodes)
    assert nodes_of_ranks(placement, TORUS, n_ranks).tolist() == nodes


def test_a_file_has_a_node_per_line(tmp_path: Path) -> None:
    file = tmp_path / "nodes.txt"
    file.write_text(f"# the corner\n5\n\n{TORUS.device_names[6]}\n", encoding="utf-8")
    assert nodes_of_ranks(f"@{file}", TORUS, 2).tolist() == [5, 6]


def test_random_follows_the_seed() -> None:
    first, again, other = (nodes_of_ranks("random", TORUS, 16, seed=s) for s in (1, 1, 2))
    assert first.tolist() == again.tolist() != other.tolist()
    assert sorted(first.tolist()) == list(range(16))
    assert first.tolist() == [10, 9, 8, 11, 2, 5, 3, 1, 4, 0, 7, 13, 6, 15, 12, 14]
    plain = np.random.default_rng(1).permutation(16)
    assert first.tolist() != plain.tolist(), "draws of one seed for other purposes differ"


@pytest.mark.parametrize(
    ("placement", "message"),
    [
        ("5x1", "there is no block 5x1"),
        ("2x2x1", "there is no block 2x2x1"),
        ("0,1", "has 2 nodes for 4 ranks"),
        ("1x1:3", "has 1 nodes of 3 ranks for 4 ranks"),
        ("row:0", "puts 0 ranks on a node"),
        ("0:0,1", "puts 0 ranks on a node"),
        ("0:9999999,1", "puts 9999999 ranks on a node"),
        ("local-pairs:2", "there is no compute node 'local-pairs'"),
        ("0,1,2,16", "there is no compute node '16'"),
        ("diagonal", "there is no compute node 'diagonal'"),
        ("@/no/such/file", "cannot be read"),
    ],
)
def test_refused(placement: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        nodes_of_ranks(placement, TORUS, 4)


def test_a_run_follows_its_placement_and_says_so() -> None:
    ping_pong = workloads.PingPong(size_bytes=1)
    near, far = (
        engines.run(TORUS, ping_pong, placement=nodes).filter(metric="latency")
        for nodes in (",".join(map(str, range(16))), "0,10,1,2,3,4,5,6,7,8,9,11,12,13,14,15")
    )
    # The paper's direct neighbours and its farthest pair [NAS-97-017].
    assert near.values()[0] == pytest.approx(175e-6, rel=0.03)
    assert far.values()[0] == pytest.approx(295e-6, rel=0.03)
    assert far.parameter("placement")[0].startswith("0,10,")
