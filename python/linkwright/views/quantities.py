"""Values in display units: us and ms, MB/s (10^6), KiB and MiB; three or four digits.

The script of the report has the same rules (frontend/src/quantities.ts).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from linkwright.records.plain_numbers import significant

__all__ = ["changed", "display_unit", "quantity", "rate", "rounded", "shares", "size", "span"]

_SCALES: dict[str, tuple[tuple[float, str], ...]] = {
    "s": ((1.0, "s"), (1e-3, "ms"), (0.0, "µs")),
    "B/s": ((1e6, "MB/s"), (1e3, "kB/s"), (0.0, "B/s")),
    "op/s": ((1e6, "Mop/s"), (0.0, "op/s")),
    "bit/s": ((1e9, "Gb/s"), (1e6, "Mb/s"), (0.0, "bit/s")),
}
_FACTORS = {
    "s": 1.0,
    "ms": 1e3,
    "µs": 1e6,
    "MB/s": 1e-6,
    "kB/s": 1e-3,
    "B/s": 1.0,
    "Mop/s": 1e-6,
    "op/s": 1.0,
    "Gb/s": 1e-9,
    "Mb/s": 1e-6,
    "bit/s": 1.0,
}


def quantity(value: float, unit: str) -> str:
    """Return a value in base units as text in display units.

    Examples
    --------
    >>> quantity(0.000175, "s"), quantity(8.5e6, "B/s"), quantity(16, "1")
    ('175 µs', '8.5 MB/s', '16')
    """
    for least, shown in _SCALES.get(unit, ()):
        if abs(value) >= least:
            return f"{rounded(value * _FACTORS[shown])} {shown}"
    return rounded(value) if unit == "1" else f"{rounded(value)} {unit}"


def rate(rate_bps: float) -> str:
    """Return the rate of a link.

    Examples
    --------
    >>> rate(2.5e9), rate(100e6)
    ('2.5 Gb/s', '100 Mb/s')
    """
    return quantity(rate_bps, "bit/s")


def changed(before: float, after: float, text: Callable[[float], str]) -> str:
    """Return a value before and after, once if both read alike, with one unit if it is the same.

    Examples
    --------
    >>> changed(26e9, 2.5e9, rate), changed(1e9, 1e9, rate), changed(1e9, 1e8, rate)
    ('26 → 2.5 Gb/s', '1 Gb/s', '1 Gb/s → 100 Mb/s')
    """
    texts = text(before), text(after)
    if texts[0] == texts[1]:
        return texts[0]
    (first, unit), other = texts[0].split(" ", 1), texts[1].split(" ", 1)[1]
    return f"{first if unit == other else texts[0]} → {texts[1]}"


def display_unit(values: Iterable[float], unit: str) -> tuple[float, str]:
    """Return the factor and the name of one display unit for several values in base units.

    Examples
    --------
    >>> display_unit([0.0002, 0.0031], "s"), display_unit([3], "1")
    ((1000.0, 'ms'), (1.0, '1'))
    """
    largest = max(map(abs, values), default=0.0)
    for least, shown in _SCALES.get(unit, ()):
        if largest >= least:
            return _FACTORS[shown], shown
    return 1.0, unit


def rounded(value: float | None, digits: int = 3) -> str:
    """Return a number with `digits` significant digits, whole numbers in full; a dash for None.

    Examples
    --------
    >>> rounded(596.6667), rounded(8.4999), rounded(999.97), rounded(1234567), rounded(None)
    ('597', '8.5', '1000', '1234567', '–')
    """
    if value is None:
        return "–"
    if value == int(value) or abs(value) >= 10**digits:
        return str(round(value))
    return str(significant(value, digits)).removesuffix(".0")


def span(best: float | None, worst: float | None) -> str:
    """Return the best and the worst value of a figure, once if they are alike.

    Examples
    --------
    >>> span(175, 295), span(175.1, 175.2), span(None, None)
    ('175 – 295', '175', '–')
    """
    texts = rounded(best), rounded(worst)
    return texts[0] if texts[0] == texts[1] else f"{texts[0]} – {texts[1]}"


def shares(fractions: Sequence[float | None]) -> str:
    """Return the parts of a whole in percent; none that is not nothing or all is rounded to it.

    Examples
    --------
    >>> shares((0.4, 0.6, 0)), shares((0.9999, 0.0001, 0)), shares((None, None, 0.25))
    ('40 / 60 / 0', '99.9 / 0.1 / 0', '– / – / 25')
    """
    return " / ".join(map(_percent, fractions))


def _percent(fraction: float | None) -> str:
    if fraction is None:
        return "–"
    percent = round(100 * fraction, 1)
    if 0 < fraction < 1:
        percent = min(max(percent, 0.1), 99.9)
    return f"{percent:g}"


def size(size_bytes: float) -> str:
    """Return a message size.

    Examples
    --------
    >>> size(4096), size(1), size(1048576)
    ('4 KiB', '1 B', '1 MiB')
    """
    for least, unit in ((2**20, "MiB"), (2**10, "KiB")):
        if size_bytes >= least:
            return f"{rounded(size_bytes / least)} {unit}"
    return f"{rounded(size_bytes)} B"
