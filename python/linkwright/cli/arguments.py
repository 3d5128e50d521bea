"""Arguments that no command takes, and messages about arguments that the parser refuses.

An empty argument is refused before any command sees it: usually a variable of the shell is unset,
and an empty path would mean the working directory. So is a number without an end, such as 1e400.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import typer

from linkwright.errors import UsageError, shown

__all__ = ["explained", "refuse_empty", "refuse_endless"]

_MOST_OF_MESSAGE = 500
"""Characters kept of a message of the parser, which repeats the whole argument."""


def refuse_empty(arguments: Sequence[str]) -> None:
    """Check that every argument, and every value of an option, has a visible character.

    Raises
    ------
    UsageError
        If one has none.
    """
    for number, (before, argument) in enumerate(itertools.pairwise(["", *arguments]), start=1):
        option, sign, value = argument.partition("=")
        if not argument.strip():
            option = before if before.startswith("-") and len(before) > 1 else ""
        elif not (argument.startswith("--") and sign) or value.strip():
            continue
        raise UsageError(
            f"argument {number} is empty{f', after {shown(option)}' if option else ''}",
            "give it a value or leave it out; a variable of the shell may be unset",
        )


def refuse_endless(options: Mapping[str, object]) -> None:
    """Check that the numbers among the values of options are finite.

    Raises
    ------
    UsageError
        If one is not.
    """
    for name, value in options.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise UsageError(
                f"--{name.replace('_', '-')} is {value}, which is no finite number",
                "give a finite number",
            )


def explained(error: typer.TyperException) -> str:
    """Return the parser's message about an argument that it refuses, with the argument itself."""
    message = error.format_message()
    # The parser validates with pydantic, whose error has the value.
    cause: Any = error.__cause__
    value = f" ({shown(cause.errors()[0]['input'])})" if hasattr(cause, "errors") else ""
    message, _, _ = message.partition(", unable to parse")
    message = message.replace("Value error, ", "")
    message = message.replace(": Input should", f"{value}: it should").replace("\n", "\\n")
    if len(message) > _MOST_OF_MESSAGE:
        return f"{message[:_MOST_OF_MESSAGE]}... ({len(message)} characters)"
    return message
