"""A page says why a run does not finish in the words of the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conformance.in_node import answers, bundled, needs_node
from tests.test_core_errors import RULES, crossed

from linkwright.core_errors import in_page, named, worded, words

pytestmark = needs_node

NAMES = ["n00", "n01", "n02"]
GROUP = {"kind": "all_gather", "group": 2, "ranks": [0, 1], "n_ranks": 3}
ACTIONS = [
    ({"Receive": {"from": None, "tag": 2**32 - 1}}, None),
    ({"Send": {"to": 1, "bytes": 5, "tag": 2**31 + 4}}, GROUP),
    ({"Receive": {"from": 2, "tag": 7}}, GROUP | {"group": 0}),
    ({"Wait": {"number": 2**32 - 3}}, GROUP | {"n_ranks": 2}),
    ({"Wait": {"number": 3}}, None),
    ({"Compute": {"work": 2_000_000_000}}, None),
    ({"Sleep": {"spacing": 1_234_567}}, None),
    ("WaitAll", None),
    ({"Mark": {"mark": 7}}, None),
]
STUCK = [
    {"rank": 1, "index": place, "action": action, "collective": entered}
    for place, (action, entered) in enumerate(ACTIONS)
]
OTHERS = {"stuck": STUCK, "at": 2_500_000_000_000, "most": 10_000_000, "ttl": 64, "from": 2}


def test_every_reason_is_worded_as_on_the_command_line(tmp_path: Path) -> None:
    rules = [(rule, fields) for family, rule, fields in RULES if family == "run"]
    errors = [
        crossed(rule, {name: OTHERS.get(name, 1) for name in sorted(fields)})
        for rule, fields in rules
    ]
    module = bundled(tmp_path, "play/errors.ts")
    known = {"errors": in_page("run"), "names": {"device": NAMES}}
    found = answers("word_in_node.mjs", module, {"known": known, "errors": errors})
    assert len(rules) == len(words()["run"]) - 1
    for error, reason in zip(errors, found, strict=True):
        message, _, hint = reason.partition(". Choose")
        assert message == named(worded("run", error), NAMES).message
        assert bool(hint) == ("TooManyFrames" in json.loads(error))
