"""Graphs of other tools with errors in them end with a design or with one clear error.

The graphs are small ones of every format; characters, lines and words of them are dropped, doubled,
swapped or replaced, drawn from a seed. The slow test draws twenty times as many.
"""

from __future__ import annotations

import random
import time

import pytest
from tests.design.importers.test_discovered import FABRIC, FAT_TREE, PLATFORM, neighbours
from tests.design.importers.test_dot_graphs import PTM
from tests.design.importers.test_formats import CONTAINERLAB, CSV, GRAPHML, NETLAB, YED, node_link

from linkwright.design.importers import IMPORTERS, imported
from linkwright.errors import DesignError

GRAPHS = [
    ("cables", CSV),
    ("dot", PTM),
    ("dot", "digraph { a:p -> {b c; subgraph d { e -> f }} [label=<<b>x</b>>] /* y */ }"),
    ("graphml", GRAPHML),
    ("graphml", YED),
    ("node-link", node_link("edges")),
    ("lldp", "# a\n" + neighbours(("e0", "b", "e1"), ("e1", "c", "e0"))),
    ("lldp", "# a\n" + neighbours(("e0", "b", "e1"), form="json0")),
    ("containerlab", CONTAINERLAB),
    ("netlab", NETLAB),
    ("simgrid", PLATFORM),
    ("ibnetdiscover", FABRIC),
    ("htsim", FAT_TREE),
]
MOST_S = 10.0
"""Longest time of one graph, on a machine with other work."""
WORDS = (
    "", "0", "-1", "9" * 30, "x" * 200, "null", "[]", "{}", "true", '"', "'", "\x00", "\x1b", "é",
    "\u2028", "\ud800", "&a", "*a", "<<", "<", ">", "&x;", "]]>", "//", "/*", "#", "--", "->", "\\",
    ":", ";", "=", ",", "\t", "\r", "\n", "lan1", "localhost", "c0", "1e400", "٣", "%s", "{0}",
)  # fmt: skip


def mutated(text: str, draw: random.Random) -> str:
    """Return a text with one change."""
    lines, words = text.splitlines(keepends=True), text.split(" ")
    match draw.randrange(7):
        case 0:
            del lines[draw.randrange(len(lines))]
            return "".join(lines)
        case 1:
            lines.insert(draw.randrange(len(lines)), draw.choice(lines))
            return "".join(lines)
        case 2:
            words[draw.randrange(len(words))] = draw.choice(WORDS)
            return " ".join(words)
        case 3:
            a, b = draw.randrange(len(words)), draw.randrange(len(words))
            words[a], words[b] = words[b], words[a]
            return " ".join(words)
        case 4:
            return text[: draw.randrange(len(text))]
        case _:
            at = draw.randrange(len(text))
            return text[:at] + draw.choice(WORDS) + text[at + draw.randrange(2) :]


def check(seed: int) -> str:
    """Import one graph and return how that ended."""
    draw = random.Random(f"mutated graphs {seed}")
    form, text = draw.choice(GRAPHS)
    for _ in range(draw.choice((1, 1, 2, 3))):
        text = mutated(text, draw) or " "
    begin_s = time.perf_counter()
    ended: DesignError | None = None
    try:
        drawing = IMPORTERS[form].read(text, "'g'")
        imported(drawing, name="x", where="'g'", catalogue="ethernet-2026", given={})
    except DesignError as error:
        ended = error
    # A place in the design would be one in a text that the user does not have.
    assert ended is None or (ended.message.startswith("'g'") and ended.hint), (seed, form, ended)
    assert time.perf_counter() - begin_s < MOST_S, (seed, form)
    return "error" if ended else "design"


@pytest.mark.parametrize("first", range(0, 1500, 100))
def test_a_mutated_graph_ends_with_a_design_or_an_error(first: int) -> None:
    assert {check(seed) for seed in range(first, first + 100)} == {"design", "error"}


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1500, 31_500, 500))
def test_so_do_thirty_thousand_of_them(first: int) -> None:
    for seed in range(first, first + 500):
        check(seed)
