"""User errors: one base class, a subclass per stage.

Each error names the thing and the rule in `message` and the remedy in `hint`; the command line
prints both without a traceback and exits with `exit_code`. Facts about a valid design are
findings, not errors (see plan/checks); broken invariants are plain Python exceptions.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

__all__ = [
    "CapabilityError",
    "DesignError",
    "LinkwrightError",
    "OutputError",
    "PlanError",
    "RunError",
    "UsageError",
    "expect_kind",
    "nearest_name",
    "shown",
    "shown_path",
    "unknown_name",
]


class LinkwrightError(Exception):
    """Base of every error that a user can cause and correct.

    Parameters
    ----------
    message : str
        The thing and the rule it breaks.
    hint : str
        The remedy.
    """

    exit_code: ClassVar[int] = 4
    """Exit code of the command line."""
    each: tuple[LinkwrightError, ...] = ()
    """The errors in this one, if it reports several (see records/validation.py)."""
    kind: str = ""
    """Family and rule of an error of the compiled core, such as "run.Deadlock"; else empty."""
    numbers: Mapping[str, Any] = MappingProxyType({})
    """Ids and numbers of an error of the compiled core, by name."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[type[LinkwrightError], tuple[str, str], dict[str, Any]]:
        return type(self), (self.message, self.hint), self.__dict__


class DesignError(LinkwrightError, ValueError):
    """A design that cannot be read or built.

    It is a ValueError too, so that pydantic continues after a rule that raises it and finds the
    other mistakes of the design.
    """

    exit_code = 2


class UsageError(LinkwrightError):
    """An argument or option that has no meaning here."""

    exit_code = 2


class CapabilityError(LinkwrightError):
    """A request beyond the abilities of this machine or this engine."""

    exit_code = 3


class RunError(LinkwrightError):
    """A run that failed."""


class PlanError(LinkwrightError):
    """A plan that cannot be made."""


class OutputError(LinkwrightError):
    """A file that cannot be written."""


_MOST_OF_PATH = 500
"""Characters of a path that a message shows."""
_MOST_KNOWN = 60
"""Known names that a message lists; further names are counted."""

_HOW_TO_GET = {
    "Cluster": "Cluster.load('{file}') reads one, Cluster.parse(text) takes its text",
    "Network": "compile(Cluster.load('{file}')) returns one",
    "Workload": "workloads.parse('ping-pong') returns one",
    "Calibration": "give its name, or calibrations.load(NAME)",
}


def expect_kind(verb: str, value: object, kind: type) -> None:
    """Check that a public function received the type that it takes.

    Raises
    ------
    UsageError
        If it did not.

    Examples
    --------
    >>> expect_kind("compile", 7, str)
    Traceback (most recent call last):
    linkwright.errors.UsageError: compile takes a str, not an object of type int
    """
    if isinstance(value, kind):
        return
    is_name = isinstance(value, str | Path)
    shown = repr(str(value)) if is_name else f"an object of type {type(value).__name__}"
    hint = _HOW_TO_GET.get(kind.__name__, "").format(file=str(value) if is_name else "design.yaml")
    raise UsageError(f"{verb} takes a {kind.__name__}, not {shown}", hint)


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is spelled most like `name`, or None if none is close."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[close[0]] if close else None


def unknown_name(name: str, known: Iterable[str]) -> str:
    """Return the remedy for an unknown name: the nearest known one, or the list of all.

    Examples
    --------
    >>> unknown_name("p-mehs", ["torus", "p-mesh"])
    "did you mean 'p-mesh'? known: torus, p-mesh"
    """
    names = list(known)
    listing = "known: " + ", ".join(names[:_MOST_KNOWN]) if names else "none is known"
    if len(names) > _MOST_KNOWN:
        listing += f" and {len(names) - _MOST_KNOWN} more"
    near = nearest_name(name, names)
    return f"did you mean '{near}'? {listing}" if near else listing


def shown(value: object, most: int = 60) -> str:
    """Return a value as text for a message: on one line, short, in quotes if it is a text.

    Examples
    --------
    >>> print(shown("torus"), shown("x" * 100))
    'torus' 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... (102 characters)
    """
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 20]}... ({len(text)} characters)"


def shown_path(path: str | os.PathLike[str]) -> str:
    """Return a path as text for a message: in quotes, on one line, shortened only if very long.

    Examples
    --------
    >>> print(shown_path("designs/whitney.yaml"))
    'designs/whitney.yaml'
    """
    return shown(os.fspath(path), _MOST_OF_PATH)
