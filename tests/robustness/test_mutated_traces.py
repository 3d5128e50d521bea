"""GOAL traces with errors in them end with a result or an error that names the mistake.

The traces are drawn from a seed: correct ones, in which some lines are dropped, doubled, swapped or
altered. The slow test draws ten times as many.
"""

from __future__ import annotations

import math
import random
import time
from pathlib import Path

import pytest

import linkwright
from linkwright import Cluster, LinkwrightError, workloads

ENGINES = ("analytic", "flow", "packet")
N_RANKS = 4
MOST_S = 20.0
"""Longest time of one run, on a machine with other work."""
NETWORK = linkwright.compile(Cluster.parse("topology: {kind: torus, shape: [2, 2]}"))

NUMBERS = (
    "0", "1", "3", "4", "-1", "65536", "1000000", "2147483647", "2147483648", "4294967295",
    "9999998999999999", "9999999999999999", "10000000000000000000", "18446744073709551616",
)  # fmt: skip
TOKENS = (
    "send", "recv", "calc", "to", "from", "tag", "requires", "irequires", "cpu", "rank",
    "num_ranks", "{", "}", "l1", "l2", "l1:", "//", "/*", "b", "\x00", "é", "",
)  # fmt: skip
MOST_BYTES = 2_000_000
"""Largest message: the packet engine moves every frame of it."""


def trace(draw: random.Random) -> list[str]:
    """Return the lines of a correct trace: rounds of messages between neighbours."""
    n_rounds = draw.randint(1, 4)
    sizes = [draw.choice((0, 1, 8, 1460, 5000, 70_000)) for _ in range(n_rounds)]
    times = [draw.choice((0, 5, 1000, 10**6, 10**10, 9 * 10**15)) for _ in range(n_rounds)]
    lines = [f"num_ranks {N_RANKS}"]
    for rank in range(N_RANKS):
        lines.append(f"rank {rank} {{")
        for number, (size, ns) in enumerate(zip(sizes, times, strict=True)):
            after, before = (rank + 1) % N_RANKS, (rank - 1) % N_RANKS
            base = 3 * number
            lines.append(f"l{base}: calc {ns}")
            lines.append(f"l{base + 1}: send {size}b to {after} tag {number}")
            lines.append(f"l{base + 2}: recv {size}b from {before} tag {number}")
            lines.append(f"l{base + 1} requires l{base}")
            if number:
                lines.append(f"l{base} requires l{base - 1}")
        lines.append("}")
    return lines


def mutated(lines: list[str], draw: random.Random) -> list[str]:
    """Return lines with one change."""
    lines, at = list(lines), draw.randrange(len(lines))
    other = draw.randrange(len(lines))
    match draw.randrange(12):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = lines[at][: draw.randint(0, len(lines[at]))]
        case 4:
            words = lines[at].split(" ")
            words[draw.randrange(len(words))] = draw.choice(NUMBERS + TOKENS)
            lines[at] = " ".join(words)
        case 5:
            place = draw.randint(0, len(lines[at]))
            lines[at] = lines[at][:place] + draw.choice("0193b:{} -lts\t") + lines[at][place:]
        case 6 | 7:
            label, colon, _ = lines[at].partition(":")
            lines[at] = f"{label}: calc 7" if colon else lines[at]
        case _:
            lines[at] = altered_number(lines[at], draw)
    return lines or [""]


def altered_number(line: str, draw: random.Random) -> str:
    """Return a line with another number in the place of one of its own."""
    places = [i for i, character in enumerate(line) if character.isdigit()]
    if not places:
        return line
    first = last = draw.choice(places)
    while first - 1 in places:
        first -= 1
    while last + 1 in places:
        last += 1
    return line[:first] + draw.choice(NUMBERS) + line[last + 1 :]


def drawn(seed: int) -> str:
    draw = random.Random(f"mutated traces {seed}")
    lines = trace(draw)
    for _ in range(draw.choice((0, 1, 1, 2, 3))):
        lines = mutated(lines, draw)
    return "\n".join(lines) + "\n"


def has_long_messages(text: str) -> bool:
    """Return whether a send may be of more bytes than every frame of which can be moved in time."""
    sizes = (word.partition("b")[0] for line in text.splitlines() for word in line.split())
    return any(size.isdigit() and MOST_BYTES < int(size) <= 2**40 for size in sizes)


def check(seed: int, tmp_path: Path) -> dict[str, str]:
    """Play one trace with every engine and return how each ended."""
    file = tmp_path / "trace.goal"
    text = drawn(seed)
    file.write_text(text, encoding="utf-8")
    ends: dict[str, str] = {}
    for engine in ENGINES:
        if engine == "packet" and has_long_messages(text):
            continue
        begin_s = time.perf_counter()
        try:
            result = linkwright.run(NETWORK, workloads.Goal(file=str(file)), engine=engine)
        except LinkwrightError as error:
            ends[engine] = type(error).__name__ if error.message else "an error of no words"
        else:
            values = result.values()
            assert all(math.isfinite(value) and value >= 0 for value in values), (seed, engine)
            ends[engine] = "result"
        assert time.perf_counter() - begin_s < MOST_S, (seed, engine)
    # Whether a text is a trace is no matter of the engine. Whether simulated time suffices is:
    # the flow engine keeps a sender waiting while its receiver computes, the others do not.
    assert len({end == "UsageError" for end in ends.values()}) == 1, (seed, ends)
    return ends


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_a_mutated_trace_ends_with_a_result_or_an_error(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 20):
        check(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(200, 2200, 100))
def test_so_do_two_thousand_of_them(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 100):
        check(seed, tmp_path)


def test_both_ends_are_drawn(tmp_path: Path) -> None:
    ends = {end for seed in range(40) for end in check(seed, tmp_path).values()}
    assert {"result", "UsageError"} <= ends
