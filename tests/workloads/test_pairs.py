"""Workloads of pairs, and placements of pairs on shared and on separate media.

What the meshes of BEOWULF-1996 make of them is in tests/papers; here the networks are small.
"""

from __future__ import annotations

import numpy as np
import pytest

from linkwright import engines
from linkwright.design.cluster import Cluster
from linkwright.errors import UsageError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.placement import nodes_of_ranks
from linkwright.placement.pairing import local_pairs, remote_pairs
from linkwright.workloads import Marks, Token
from linkwright.workloads.steps import StepKind

PENTIUM_PRO = "pentium-pro-200-linux-2.0"


def network(topology: str, more: str = "") -> Network:
    return compile_network(Cluster.parse(f"{{name: c, topology: {topology}{more}}}"))


OF_10_MBPS = ", parts: {catalogue: beowulf-1996}"
SINGLE = network("{kind: single-net, nodes: 16}", OF_10_MBPS)
DUAL = network("{kind: bonded-dual-net, nodes: 16}", OF_10_MBPS)
ROUTED, SWITCHED, BONDED = (
    network(f"{{kind: {kind}, shape: [4, 4]}}", OF_10_MBPS)
    for kind in ("routed-mesh", "switched-mesh", "bonded-switched-mesh")
)


def shares_a_line(pair: tuple[int, int]) -> bool:
    a, b = pair
    return a // 4 == b // 4 or a % 4 == b % 4


@pytest.mark.parametrize("built", [ROUTED, SWITCHED, BONDED], ids=lambda built: built.kind)
def test_pairs_of_a_mesh(built: Network) -> None:
    local, remote = local_pairs(built, 8), remote_pairs(built, 8)
    for pairs in (local, remote):
        assert sorted(node for pair in pairs for node in pair) == list(range(16)), "no node twice"
    assert all(map(shares_a_line, local))
    assert not any(map(shares_a_line, remote))
    lines = {(a // 4, -1) if a // 4 == b // 4 else (-1, a % 4) for a, b in local}
    assert len(lines) == 8, "a medium for every pair"


def devices(built: Network, n_pairs: int) -> list[list[int]]:
    """Return the devices between the nodes of each remote pair, both ways, and the nodes."""
    pairs = remote_pairs(built, n_pairs)
    ends = np.array([*pairs, *(pair[::-1] for pair in pairs)], dtype=np.uint32)
    paths = built.core.paths(ends[:, 0], built.addresses.identity[ends[:, 1]])
    ways = np.split(paths.device, paths.start[1:-1])
    return [sorted({*ways[i], *ways[i + n_pairs]}) for i in range(n_pairs)]


def test_pairs_apart_share_no_wire_while_there_are_enough() -> None:
    wires = [d for way in devices(SWITCHED, 4) for d in way if 16 <= d < 24]
    assert sorted(wires) == list(range(16, 24)), "four pairs with two of eight buses each"
    assert remote_pairs(SWITCHED, 2) == [(0, 5), (1, 4)]


def test_pairs_apart_are_forwarded_by_nodes_without_a_rank_while_there_are_enough() -> None:
    """Two nodes forward for a pair, one each way; four pairs leave eight of sixteen."""
    for n_pairs, most in ((4, 1), (5, 2)):
        nodes = [d for way in devices(ROUTED, n_pairs) for d in way if d < 16]
        assert max(map(nodes.count, nodes)) == most


def test_a_network_of_many_nodes_has_pairs_apart_without_swaps() -> None:
    large = network("{kind: routed-mesh, shape: [9, 9]}")
    pairs = remote_pairs(large, 40)
    assert len({node for pair in pairs for node in pair}) == 80
    assert all(a // 9 != b // 9 and a % 9 != b % 9 for a, b in pairs)


def test_hubs_stacked_to_each_other_are_one_medium() -> None:
    stack = network("{kind: hub, nodes: 30}")
    assert len(local_pairs(stack, 99)) == 15
    assert remote_pairs(stack, 99) == []


def test_hubs_of_a_hybrid_are_media_and_its_switch_parts_them() -> None:
    hybrid = network("{kind: hub-switch, nodes: 9, density: 3}")
    assert local_pairs(hybrid, 9) == [(0, 1), (3, 4), (6, 7)]
    assert all(a // 3 != b // 3 for a, b in remote_pairs(hybrid, 9))


def test_a_ring_of_cables_is_matched_all_the_way() -> None:
    pairs = local_pairs(network("{kind: torus, shape: [7]}"), 9)
    assert len(pairs) == 3
    assert all((a - b) % 7 in (1, 6) for a, b in pairs)


def test_the_front_end_is_in_no_pair() -> None:
    with_front_end = network("{kind: hub, nodes: 3}", ", front_end: true")
    assert local_pairs(with_front_end, 9) == [(0, 1)]


def test_placements_of_pairs() -> None:
    assert nodes_of_ranks("local-pairs", SINGLE, 3).tolist() == [0, 1, 2]
    assert nodes_of_ranks("remote-pairs", SWITCHED, 2).tolist() == [0, 5]
    with pytest.raises(UsageError, match="pairs of nodes that share no medium, design 'c' has 0"):
        nodes_of_ranks("remote-pairs", SINGLE, 2)


def test_tokens_go_and_come_back() -> None:
    steps = Token(size_bytes=(4, 64), exchanges=9, runs=2, pairs=2).steps(4)
    sends = steps.kind == StepKind.SEND
    ends = set(zip(steps.rank[sends].tolist(), steps.peer[sends].tolist(), strict=True))
    assert ends == {(0, 1), (1, 0), (2, 3), (3, 2)}
    assert steps.number[steps.kind == StepKind.MARK].tolist() == list(range(8))
    assert steps.size_bytes[sends & (steps.rank == 0)].tolist() == [64, 4, 4, 64, 64]


@pytest.mark.parametrize(("counts", "tokens"), [("both", 2), ("sent", 1)])
def test_the_best_run_counts(counts: str, tokens: int) -> None:
    # Two runs of 1.5 s and 0.5 s, each until the slower of two ranks is done.
    passed = [(0, 0, 0.0), (0, 1, 0.1), (1, 0, 1.4), (1, 1, 1.5), (2, 0, 2.0), (2, 1, 2.0)]
    passed += [(3, 0, 2.5), (3, 1, 2.4)]
    mark, rank, time_s = zip(*passed, strict=True)
    marks = Marks(np.array(mark, np.uint32), np.array(rank, np.uint32), np.array(time_s))
    token = Token(size_bytes=1000, exchanges=10, runs=2, counts=counts)
    assert [one.value for one in token.measure(marks)] == pytest.approx(
        [0.5, tokens * 10 * 1000 / 0.5]
    )


def test_pairs_that_do_not_fit() -> None:
    assert [Token().n_ranks(n) for n in (2, 5, 16)] == [2, 4, 14]
    with pytest.raises(UsageError, match="3 pairs need 6 nodes, the cluster has 5"):
        Token(pairs=3).n_ranks(5)


def carried(built: Network, placement: str, pairs: int = 7) -> float:
    """Return MB/s of tokens of 4 KiB, which fit the window."""
    token = Token(size_bytes=4096, exchanges=100, runs=2, pairs=pairs)
    result = engines.run(built, token, calibration=PENTIUM_PRO, placement=placement)
    return float(result.filter(metric="aggregate_throughput").values()[0]) / 1e6


def test_media_carry_tokens_as_the_paper_says() -> None:
    # With hosts that cost next to nothing, 7 pairs fill 7 media of 1.1 MB/s [MPITCP, sec. 5]. The
    # bits of the driver, each on and off, give 7.45 to 7.58.
    alone = carried(SWITCHED, "local-pairs")
    assert alone == pytest.approx(7.7, rel=0.03)
    assert carried(ROUTED, "local-pairs") == pytest.approx(alone, rel=0.02)
    # Printed ratios: 3.7 times the bonded dual net; halved by bonding [BEOWULF-1996].
    assert alone / carried(DUAL, "row") == pytest.approx(3.7, rel=0.1)
    assert carried(BONDED, "local-pairs") / alone == pytest.approx(0.5, abs=0.1)
    # One medium carries no more for more pairs.
    assert carried(SINGLE, "row") == pytest.approx(1.1, rel=0.05)


def test_crossing_a_switch_takes_two_media() -> None:
    assert carried(SWITCHED, "remote-pairs", 1) < 0.8 * carried(SWITCHED, "local-pairs", 1)


def test_pairs_apart_use_both_nets() -> None:
    # Printed: nearly twice the bonded dual net [BEOWULF-1996]; one net alone carries 2.2 MB/s.
    assert carried(SWITCHED, "remote-pairs") > 2.6
    assert carried(SWITCHED, "remote-pairs") > 1.3 * carried(DUAL, "row")
