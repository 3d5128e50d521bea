"""Every rule that the crates can find broken has its words, and the words name its numbers.

The rules are read from the sources of the crates, so that a new one without words fails here.
"""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from linkwright import errors
from linkwright.core_errors import STEPS, named, worded, words

CRATES = Path(__file__).parent.parent / "crates"
FAMILY = re.compile(r"^ {4}(\w+)(?:<'_>)?: \"(\w+)\",$", re.MULTILINE)
ENUM = re.compile(r"^pub enum (\w+)(?:<'a>)? \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
RULE = re.compile(r"^ {4}(\w+)(?: \{(.*?)\})?,$", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"(\w+): ")
COMMENT = re.compile(r"//.*")
ONE_OF_EACH = {
    "reason": "Loop",
    "part": {"Cable": 3},
    "step": "open-tun",
    "choices": ["reno", "cubic"],
    "stuck": [
        {
            "rank": 1,
            "index": 2,
            "action": {"Receive": {"from": None, "tag": 0}},
            "collective": {"kind": "barrier", "group": 3, "ranks": [0, 1], "n_ranks": 2},
        }
    ],
}


def rules() -> Iterator[tuple[str, str, set[str]]]:
    """Yield family, rule and fields of every error that crosses the border."""
    border = (CRATES / "binding" / "src" / "errors.rs").read_text()
    families = dict(FAMILY.findall(border))
    sources = [path.read_text() for path in sorted(CRATES.glob("*/src/**/*.rs"))]
    for source in sources:
        for enum, body in ENUM.findall(COMMENT.sub("", source)):
            if enum in families:
                for rule, fields in RULE.findall(body):
                    yield families[enum], rule, set(FIELD.findall(fields))


RULES = list(rules())


def crossed(rule: str, numbers: dict[str, object]) -> str:
    return json.dumps({rule: numbers} if numbers else rule)


def test_every_rule_has_a_row_and_every_row_a_rule() -> None:
    rows = {
        (family, rule) for family, table in words().items() for rule in table if rule != "error"
    }
    assert {(family, rule) for family, rule, _ in RULES} == rows
    assert len(RULES) == len(rows)


@pytest.mark.parametrize(("family", "rule", "fields"), RULES)
def test_words_name_numbers_that_the_rule_has(family: str, rule: str, fields: set[str]) -> None:
    row = words()[family][rule]
    texts = [row["message"], row.get("hint", "")]
    names = {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}
    assert names <= fields
    numbers = {name: ONE_OF_EACH.get(name, 1) for name in fields}
    error = worded(family, crossed(rule, numbers))
    assert isinstance(error, getattr(errors, words()[family]["error"]))
    assert (error.kind, error.numbers) == (f"{family}.{rule}", numbers)
    assert "{" not in named(error, ["n00", "n01"]).message.replace("{'", "")


def test_every_step_that_a_kernel_may_refuse_has_words() -> None:
    source = (CRATES / "wire" / "src" / "error.rs").read_text()
    steps = re.findall(r"^    (\w+),$", source.split("enum Step {")[1].split("}")[0], re.MULTILINE)
    assert {re.sub(r"(?<=.)(?=[A-Z])", "-", step).lower() for step in steps} == STEPS.keys()


def test_nodes_are_named_where_names_are_known() -> None:
    error = worded("run", '{"RouteTooLong": {"from": 0, "to": 1, "forwards": 300, "ttl": 64}}')
    assert error.message.startswith("packets from node 0 to node 1 do not arrive: a TTL of 64")
    assert "from node a to node b" in named(error, ["a", "b"]).message
    assert error.hint == "the largest TTL allows 254 forwards: choose a shape with shorter paths"
    other = errors.UsageError("a", "b")
    assert named(other, []) is other


def test_ranks_that_did_not_finish_are_listed_up_to_a_limit() -> None:
    rank = '{"rank": 3, "index": 1, "action": %s, "collective": null}'
    group = '{"kind": "all_gather", "group": 2, "ranks": [0, 1, 2, 3, 4, 5, 6, 8], "n_ranks": 9}'
    in_group = rank.replace("null", group)
    ranks = [
        in_group % '{"Send": {"to": 1, "bytes": 5, "tag": 2147483648}}',
        rank % '"WaitAll"',
        rank % '{"Compute": {"work": 2000000000}}',
        rank % '{"Disk": {"Read": {"bytes": 5}}}',
        *[rank % '{"Mark": {"mark": 7}}'] * 9,
    ]
    error = worded("run", f'{{"Deadlock": {{"stuck": [{", ".join(ranks)}]}}}}')
    assert error.message.startswith(
        "13 ranks wait forever: rank 3 in operation 1 (a send of 5 bytes to rank 1, collective 0, "
        "in all-gather of group 2: ranks 0, 1, 2, 3, 4, 5, 6, 8, ...), "
        "rank 3 in operation 1 (a wait for all sends and receives), "
        "rank 3 in operation 1 (a computation of 2.000 ms), "
        "rank 3 in operation 1 (an access to the disk), "
    )
    assert error.message.endswith("(mark 7), ...")
    assert error.message.count("rank 3") == 8


def test_errors_of_the_core_survive_pickling() -> None:
    error = worded("run", '{"NoRoute": {"from": 3, "to": 7}}')
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.kind, copy.numbers) == (str(error), error.kind, error.numbers)
