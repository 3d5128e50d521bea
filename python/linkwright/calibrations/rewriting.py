"""A calibration's text with other values of some constants; all other text is unchanged.

Comments and order are the author's and stay. A constant that only the stack gives gets a line at
the end of its section.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from linkwright.errors import UsageError
from linkwright.text.toml_text import inline_table

__all__ = ["rewritten", "with_draws"]

_DRAWS = """\
# Draws of the fitted constants by `linkwright calibrate`: the values of one column meet the targets
# too (docs/design/uncertainty.md).
[draws]"""

_SECTION = re.compile(r"^\s*\[([A-Za-z0-9_.-]+)\]\s*(?:#.*)?$")


def rewritten(text: str, changes: Mapping[tuple[str, str], Mapping[str, Any]]) -> str:
    r"""Return the text of a calibration with some constants changed.

    Parameters
    ----------
    text : str
        A calibration as TOML.
    changes : mapping of (section, name) to mapping
        Whole constants: ``{("host", "send"): {"us": 2.5, "origin": "fit"}}``.

    Raises
    ------
    UsageError
        If a constant is not on a line of its own.

    Examples
    --------
    >>> before = '[host]\nsend = { us = 1.0, origin = "x" }  # a word'
    >>> print(rewritten(before, {("host", "send"): {"us": 2.5, "origin": "fit"}}))
    [host]
    send = { us = 2.5, origin = "fit" }  # a word
    <BLANKLINE>
    """
    lines = text.splitlines()
    expected = tomllib.loads(text)
    for (section, name), constant in changes.items():
        _put(lines, section, name, constant)
        expected.setdefault(section, {})[name] = dict(constant)
        if _loaded(lines) != expected:
            raise UsageError(
                f"constant '{section}.{name}' is not on a line of its own",
                f"write it below [{section}] as `{name} = {inline_table(constant)}`",
            )
    return "\n".join(lines) + "\n"


def with_draws(text: str, draws: Mapping[str, Sequence[float]]) -> str:
    r"""Return the text of a calibration with other draws; without the section if there are none.

    Examples
    --------
    >>> print(with_draws('name = "x"\n', {"host.send.us": (1.5, 2.0)}).partition("[draws]")[2])
    <BLANKLINE>
    "host.send.us" = [1.5, 2.0]
    <BLANKLINE>
    """
    lines = text.splitlines()
    if "draws" in tomllib.loads(text):
        start, end = _span(lines, "draws")
        first = _before_comments(lines, 0, start - 1)
        del lines[first:end]
    while lines and not lines[-1].strip():
        lines.pop()
    values = [f'"{name}" = {list(given)}' for name, given in draws.items()]
    return "\n".join([*lines, *(["", _DRAWS, *values] if draws else [])]) + "\n"


def _put(lines: list[str], section: str, name: str, constant: Mapping[str, Any]) -> None:
    start, end = _span(lines, section)
    head = re.compile(rf"^(\s*{re.escape(name)}\s*=\s*)\{{.*\}}(\s*(?:#.*)?)$")
    for place in range(start, end):
        if found := head.match(lines[place]):
            lines[place] = f"{found[1]}{inline_table(constant)}{found[2]}"
            return
    while end > start and not lines[end - 1].strip():
        end -= 1
    lines.insert(end, f"{name} = {inline_table(constant)}")


def _span(lines: list[str], section: str) -> tuple[int, int]:
    """Return the first line below the heading of a section, made if missing, and the last + 1."""
    headings = [(place, found[1]) for place, line in enumerate(lines) if (found := _headed(line))]
    for index, (place, name) in enumerate(headings):
        if name == section:
            after = headings[index + 1][0] if index + 1 < len(headings) else len(lines)
            return place + 1, _before_comments(lines, place + 1, after)
    lines += ["", f"[{section}]"]
    return len(lines), len(lines)


def _headed(line: str) -> re.Match[str] | None:
    return _SECTION.match(line)


def _before_comments(lines: list[str], start: int, end: int) -> int:
    """Return the end of a section: a comment directly above a heading belongs to that heading."""
    while end > start and lines[end - 1].lstrip().startswith("#"):
        end -= 1
    return end


def _loaded(lines: list[str]) -> dict[str, Any] | None:
    try:
        return tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError:
        return None
