"""Connections that begin with the address of another NIC than the identity's, and how they end.

That kernels choose the sources that the plan expects is compared in tests/emulation.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.kinds import examples
from tests.plan.networks import network

from linkwright.network import Network
from linkwright.plan import check, rerouting

FALLBACK = {"routing": {"fallback": True}}
ON_INTERFACES = {**FALLBACK, "addressing": {"identities": "interface"}}


def found(built: Network) -> list[str]:
    return [one.reason for one in check(built) if one.rule == "connections"]


@pytest.mark.parametrize("name", examples(most_nodes=12))
def test_no_kind_has_such_connections_unless_asked_for(name: str) -> None:
    fields = dict(examples(most_nodes=12)[name])
    assert found(network(fields.pop("kind"), sections=FALLBACK, **fields)) == []


def test_the_first_is_named_with_its_address() -> None:
    built = network("stack-ring", sections=ON_INTERFACES, stages=3, nodes_per_stage=1)
    [reason] = found(built)
    assert reason.startswith("connections from n1 to 10.0.0.1 of n0 begin with 10.0.0.129,")
    assert found(network("stack-ring", stages=3, nodes_per_stage=1)) == []


def test_identities_on_the_loopback_survive_more() -> None:
    """A stack that fails takes the identities with it that are addresses on its ports."""
    lost = [
        sum(one.n_lost for one in rerouting(built, "single:nic").impacts)
        for sections in (ON_INTERFACES, FALLBACK)
        for built in [network("stack-ring", sections=sections, stages=4, nodes_per_stage=2)]
    ]
    assert lost[1] < lost[0]
    assert np.all(np.array(lost) > 0)
