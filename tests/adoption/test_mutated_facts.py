"""Facts with mistakes drawn from a seed: each file is adopted, or is one error.

A design that is written is one that `plan` takes.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from tests.as_built.rendered import facts_of
from tests.facts.test_mutated_facts import mutated
from tests.kinds import compiled

from linkwright.adoption import adopt
from linkwright.design.cluster import Cluster
from linkwright.errors import LinkwrightError
from linkwright.facts import ClusterFacts
from linkwright.network import compile as compile_network

SHAPES = (
    {"kind": "ring", "shape": [3]},
    {"kind": "switch", "nodes": 3},
    {"kind": "bonded-dual-net", "nodes": 3},
)
UNNUMBERED = {"kind": "ring", "shape": [4]}


def test_mutated_facts_are_adopted_or_refused(tmp_path: Path) -> None:
    bare = compiled(UNNUMBERED, addressing={"scheme": "unnumbered"}, routing={"fallback": True})
    networks = [*map(compiled, SHAPES), bare]
    texts = [json.dumps(facts_of(one).given) for one in networks]
    n_adopted = 0
    for seed in range(120):
        text = mutated(texts[seed % len(texts)], random.Random(seed))
        try:
            facts = ClusterFacts.parse(text)
            found = adopt(facts, catalogue="whitney-1998", routes_file="own.csv")
        except LinkwrightError:
            continue
        (tmp_path / "own.csv").write_text(found.routes)
        compile_network(Cluster.parse(found.text, tmp_path))
        n_adopted += 1
    assert n_adopted > 20
