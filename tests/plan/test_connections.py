"""Connections that begin with the address of another NIC than the identity's, and how they end.

That kernels choose the sources that the plan expects is compared in tests/emulation.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.kinds import KINDS, compiled
from tests.plan.networks import network

from linkwright.network import Network
from linkwright.plan import check, rerouting

FALLBACK = {"routing": {"fallback": True}}
ON_INTERFACES = {**FALLBACK, "addressing": {"identities": "interface"}}


def found(built: Network) -> list[str]:
    return [one.reason for one in check(built) if one.rule == "connections"]


@pytest.mark.parametrize("name", KINDS)
def test_no_kind_has_such_connections_unless_asked_for(name: str) -> None:
    assert found(compiled(KINDS[name], **FALLBACK)) == []


def test_the_first_is_named_with_its_address() -> None:
    built = network("stack-ring", sections=ON_INTERFACES, stages=3, nodes_per_stage=1)
    [reason] = found(built)
    assert reason.startswith("3 of 6 connections begin with the address of the NIC on the link")
    assert reason.endswith("the first are from 10.0.2.129 of n0 to 10.0.2.1 of n2")
    assert found(network("stack-ring", stages=3, nodes_per_stage=1)) == []


@pytest.mark.parametrize("family", [{}, {"ipv4": True, "ipv6": True}])
def test_the_front_end_of_a_p_mesh_has_some_in_each_family(family: dict[str, bool]) -> None:
    """Nodes of its column have their identity on the rows, and it has its own on the column."""
    sections = {**FALLBACK, "front_end": True, "addressing": family}
    [reason] = found(network("p-mesh", shape=[3, 4], sections=sections))
    assert reason.startswith(f"{4 * len(family or [4])} of {156 * len(family or [4])} connections")


def test_identities_on_the_loopback_survive_more() -> None:
    """A stack that fails takes the identities with it that are addresses on its ports."""
    lost = [
        sum(one.n_lost for one in rerouting(built, "single:nic").impacts)
        for sections in (ON_INTERFACES, FALLBACK)
        for built in [network("stack-ring", sections=sections, stages=4, nodes_per_stage=2)]
    ]
    assert lost[1] < lost[0]
    assert np.all(np.array(lost) > 0)
