"""Measurements of all contenders as the tables of a page: simulated seconds, time, memory, ratios.

A ratio is what the rival takes per what ours takes: 70 means a seventieth of the rival's. Runs of
one round follow each other within seconds, so the ratio of a round is taken first, then the median
of all rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from peers.contenders import CONTENDERS

__all__ = ["ablation_table", "markdown", "ratio_table", "replaced"]

Figures = Mapping[str, Any]
Runs = Mapping[str, Mapping[str, Sequence[Figures]]]
"""By case and contender: the figures of each round."""

MB = 1e6
RATIOS = ("run", "of processor", "memory")
HEAD = ("", "simulated s", "run s", "of processor", "whole s", "memory MB", *RATIOS)


def ratio_table(runs: Runs, titles: Mapping[str, str]) -> str:
    """Return the table of all cases, in Markdown."""
    rows: list[Sequence[str]] = []
    for case, by_contender in runs.items():
        rows.append([f"**{titles[case]}**", *[""] * (len(HEAD) - 1)])
        rows += [row(name, by_contender) for name in by_contender]
    return markdown(HEAD, rows)


def row(name: str, runs: Mapping[str, Sequence[Figures]]) -> list[str]:
    """Return one contender's row of a case."""
    own = runs[name]
    rivals = next(one.rivals for one in CONTENDERS if one.name == name)
    rival = next((runs[other] for other in rivals if other in runs), None)
    ratios = [""] * len(RATIOS)
    if rival:
        ratios = [ratio(rival, own, of) + " x" for of in (run_s, run_cpu_s, memory_bytes)]
    means = (run_s, run_cpu_s, whole_s)
    times = [figure(median(of(each) for each in own)) for of in means]
    return [name, figure(own[0]["simulated_s"]), *times, memory(own), *ratios]


def run_s(figures: Figures) -> float:
    """Return the seconds of the run; of the whole process where it cannot tell."""
    return float(figures.get("run_s", figures["whole_s"]))


def run_cpu_s(figures: Figures) -> float:
    """Return the same of processor time, which what else the machine does disturbs less."""
    return float(figures.get("run_cpu_s", figures["whole_cpu_s"]))


def whole_s(figures: Figures) -> float:
    """Return the seconds from the start to the end of the process."""
    return float(figures["whole_s"])


def memory_bytes(figures: Figures) -> float:
    """Return the memory of a simulator: of ours by how much it grew, Python not counted."""
    return float(figures.get("grown_bytes") or figures["peak_bytes"])


def memory(own: Sequence[Figures]) -> str:
    """Return the largest memory, and of ours how much of it is the run's."""
    peak = figure(median(each["peak_bytes"] for each in own) / MB)
    if "grown_bytes" not in own[0]:
        return peak
    return f"{peak}, run {figure(median(each['grown_bytes'] for each in own) / MB)}"


def ratio(rival: Sequence[Figures], own: Sequence[Figures], of: Callable[[Figures], float]) -> str:
    """Return the median of the rounds' ratios."""
    return figure(median(of(a) / of(b) for a, b in zip(rival, own, strict=True)))


def ablation_table(rows: Sequence[Mapping[str, Any]], cases: Sequence[str]) -> str:
    """Return the table of one parameter changed at a time: what it does here and in ns-3.

    Parameters
    ----------
    rows : sequence of mapping
        Each with ``parameter`` and, by case, the figures of ``ours`` and ``ns3``: None where one
        has no such parameter, or the words why there are none.
    """
    lines: list[Sequence[str]] = []
    for case in cases:
        lines.append([f"**{case.upper()}**", *[""] * (len(ABLATION_HEAD) - 1)])
        lines += [
            ablation_row(each["parameter"], each[case]) for each in rows if any_of(each[case])
        ]
    return markdown(ABLATION_HEAD, lines)


ABLATION_HEAD = ("", "ours s", "ns-3 s", "ours / ns-3", "dropped", "sent again", "time-outs")


def any_of(both: Mapping[str, Any]) -> bool:
    """Return whether any contender has figures."""
    return any(both.values())


def ablation_row(parameter: str, both: Mapping[str, Any]) -> list[str]:
    """Return the cells of one parameter and case; counts are ours and ns-3's."""
    ours, theirs = both["ours"], both["ns3"]
    is_comparable = isinstance(ours, Mapping) and isinstance(theirs, Mapping)
    departure = f"{ours['simulated_s'] / theirs['simulated_s']:.3f}" if is_comparable else ""
    counts = ("dropped", "retransmissions", "timeouts")
    return [
        parameter,
        simulated(ours),
        simulated(theirs),
        departure,
        *(f"{counted(ours, count)} / {counted(theirs, count)}" for count in counts),
    ]


def simulated(figures: object) -> str:
    """Return simulated seconds, or the words in their place."""
    if isinstance(figures, Mapping):
        return f"{figures['simulated_s']:.4f}"
    return str(figures or "–")


def counted(figures: object, name: str) -> str:
    """Return a count, a dash if no contender counted."""
    value = figures.get(name) if isinstance(figures, Mapping) else None
    return "–" if value is None else str(int(value))


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, numbers to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def figure(value: float) -> str:
    """Return a number with three digits that count.

    Examples
    --------
    >>> [figure(value) for value in (0.0867, 1234.5, 12.34, 0.00031)]
    ['0.0867', '1234', '12.3', '0.00031']
    """
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def replaced(page: str, name: str, text: str) -> str:
    r"""Return a page with the text between the marks of a block replaced.

    Examples
    --------
    >>> replaced("<!-- a -->old<!-- end a -->", "a", "new")
    '<!-- a -->\nnew\n<!-- end a -->'
    """
    before, _, rest = page.partition(f"<!-- {name} -->")
    _, mark, after = rest.partition(f"<!-- end {name} -->")
    if not mark:
        raise ValueError(f"the page has no block {name}")
    return f"{before}<!-- {name} -->\n{text}\n{mark}{after}"
