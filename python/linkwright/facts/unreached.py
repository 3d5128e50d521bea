"""Machines that were not reached, one sentence per cause: what is the same for several machines is
said once, with its remedy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from linkwright.facts.values import MOST_OF_TEXT, printable
from linkwright.notebook import listed

if TYPE_CHECKING:
    from linkwright.errors import RunError

__all__ = ["NOT_REACHED", "by_cause", "failure_text", "reason_and_remedy"]

BETWEEN = "; "
NOT_REACHED = " is not reached: "
MOST_NAMES = 8


def failure_text(error: RunError) -> str:
    """Return message and remedy of a failure on one line."""
    text: str = printable(" ".join(f"{error.message}{BETWEEN}{error.hint}".split()))
    return text[:MOST_OF_TEXT]


def reason_and_remedy(failure: str) -> tuple[str, str]:
    """Return both parts of such a line; the remedy is empty where there is none.

    Examples
    --------
    >>> reason_and_remedy("n1 is not reached: timed out; check that it is up")
    ('n1 is not reached: timed out', 'check that it is up')
    >>> reason_and_remedy("there is no folder for it")
    ('there is no folder for it', '')
    """
    reason, between, remedy = failure.rpartition(BETWEEN)
    return (reason, remedy) if between else (failure, "")


def by_cause(failures: Mapping[str, str]) -> Iterator[tuple[list[str], str, str]]:
    """Yield the names of machines that failed for one cause, a sentence about them, and the remedy.

    Parameters
    ----------
    failures : mapping of str to str
        Such a line by the name of its machine.

    Examples
    --------
    >>> failures = {n: f"{n} is not reached: ssh: {n}: refused; start sshd" for n in ("n1", "n2")}
    >>> list(by_cause(failures))
    [(['n1', 'n2'], 'n1 and n2 are not reached: refused', 'start sshd')]
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for name, failure in failures.items():
        reason, remedy = reason_and_remedy(failure)
        groups.setdefault((remedy, "" if remedy else reason), []).append(name)
    for (remedy, _), names in groups.items():
        reason, _ = reason_and_remedy(failures[names[0]])
        if len(names) > 1:
            cause = reason.rpartition(": ")[2].strip("'\"")
            how = "are not reached" if NOT_REACHED in reason else "give no facts"
            reason = f"{listed(names, MOST_NAMES)} {how}: {cause}"
        yield names, reason, remedy
