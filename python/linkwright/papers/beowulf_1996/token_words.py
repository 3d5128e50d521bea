"""What is said of the token test in words: which network gains or loses by what, and when.

Which experiments there are, and what is printed as numbers, stands in tokens.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from linkwright.papers.shapes import first_over_largest_other, first_over_second
from linkwright.papers.study import WordClaim, by_setting, mean_of
from linkwright.papers.words import Words
from linkwright.results import Result
from linkwright.views.quantities import size

__all__ = ["PAIRS", "token_name", "token_throughput", "token_words"]

PAIRS = range(1, 8)
_PEAK = 8192
_LIGHT, _BUSY = range(1, 4), range(4, 8)
_KILOBYTE = 1024
_SEGMENT_BYTES_PER_S = 10e6 / 8


def token_name(what: str, pairs: int = max(PAIRS)) -> str:
    """Return the name of an experiment."""
    return f"{what}-{pairs}"


def token_throughput(result: Result, size_bytes: int = _PEAK) -> float:
    """Return what all pairs carry at one size."""
    return mean_of("aggregate_throughput", size_bytes=size_bytes)(result)


def token_words(words: Words) -> WordClaim:
    """Return how one row of the words is judged."""
    match words.row:
        case "two-over-one-kilobyte":
            return _two_over_one_kilobyte(words)
        case "both-directions":
            return _both_directions(words)
        case "peak-where":
            return _peak_where(words)
        case "routing-saturates":
            return _routing_saturates(words)
        case "bonding-helps-light-load":
            return _side_by_side(words, "dual-net", "single-net", [1])
        case "bonding-helps-light-load-of-mesh":
            return _side_by_side(words, "bonded-mesh", "local-wire", [1])
        case "bonding-hurts-local-wire":
            return _side_by_side(words, "bonded-mesh", "local-wire", _BUSY)
        case "routing-close-when-busy":
            return _side_by_side(words, "routed-remote", "remote-wire", _BUSY)
        case "routing-behind-when-light":
            return _side_by_side(words, "routed-remote", "remote-wire", PAIRS)
    raise KeyError(words.row)


def _two_over_one_kilobyte(words: Words) -> WordClaim:
    sizes = (2 * _KILOBYTE, _KILOBYTE)
    return WordClaim(
        words=words,
        of=(token_name("local-wire"),),
        numbers=lambda result: {size(at): token_throughput(result, at) for at in sizes},
        judged=first_over_second,
    )


def _both_directions(words: Words) -> WordClaim:
    return WordClaim(
        words=words,
        of=(token_name("local-wire"),),
        numbers=lambda result: {
            "a pair": token_throughput(result) / max(PAIRS),
            "10 Mb/s": _SEGMENT_BYTES_PER_S,
        },
        judged=first_over_second,
    )


def _peak_where(words: Words) -> WordClaim:
    """Compare the named point with the best other of each number of pairs."""

    def numbers(*found: Result) -> dict[str, float]:
        all_sizes = [by_setting(result, "aggregate_throughput") for result in found]
        peak = all_sizes[-1].pop(_PEAK)
        others = {f"{n} pairs": max(one.values()) for n, one in zip(PAIRS, all_sizes, strict=True)}
        return {f"7 pairs {size(_PEAK)}": peak, **others}

    return WordClaim(
        words=words,
        of=tuple(token_name("local-wire", n) for n in PAIRS),
        numbers=numbers,
        judged=first_over_largest_other,
    )


def _routing_saturates(words: Words) -> WordClaim:
    most, free = max(PAIRS), 4

    def judged(numbers: Mapping[str, float]) -> float:
        at_free, at_most = numbers.values()
        return ((at_most - at_free) / (most - free)) / (at_free / free)

    return WordClaim(
        words=words,
        of=(token_name("routed-remote", free), token_name("routed-remote", most)),
        numbers=lambda few, many: {
            f"{free} pairs": token_throughput(few),
            f"{most} pairs": token_throughput(many),
        },
        judged=judged,
    )


def _side_by_side(words: Words, above: str, below: str, pairs: Iterable[int]) -> WordClaim:
    """Compare two networks for each number of pairs."""
    labels = {f"{what} {n}": token_name(what, n) for n in pairs for what in (above, below)}

    def judged(numbers: Mapping[str, float]) -> float:
        values = list(numbers.values())
        ratios = [a / b for a, b in zip(values[::2], values[1::2], strict=True)]
        match words.row:
            case "routing-behind-when-light":
                light, busy = ratios[: len(_LIGHT)], ratios[len(_LIGHT) :]
                return (sum(light) / len(light)) / (sum(busy) / len(busy))
            case "bonding-hurts-local-wire":
                return max(ratios)
        return sum(ratios) / len(ratios)

    return WordClaim(
        words=words,
        of=tuple(labels.values()),
        numbers=lambda *found: dict(zip(labels, map(token_throughput, found), strict=True)),
        judged=judged,
    )
