"""The options that the user gave, as opposed to defaults.

A command asks for them to refuse those that would have no effect in its case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from linkwright.errors import UsageError

__all__ = ["Given", "filed_options", "is_given", "noted", "refuse_unused"]


@dataclass(frozen=True)
class Given:
    """The sources of the options of one command.

    Attributes
    ----------
    typed : mapping of str to str
        Parameters that the command line gives, with the names that users know, such as --seed.
    filed : mapping of str to str
        The same for those that the file of defaults gives.
    values : mapping of str to object
        Values of all parameters.
    """

    typed: Mapping[str, str] = field(default_factory=dict)
    filed: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, object] = field(default_factory=dict)


_GIVEN: ContextVar[Given] = ContextVar("given", default=Given())  # noqa: B039 - it is frozen


@contextmanager
def noted(given: Given) -> Iterator[None]:
    """Note the sources of the options inside the block."""
    token = _GIVEN.set(given)
    try:
        yield
    finally:
        _GIVEN.reset(token)


def is_given(parameter: str) -> bool:
    """Return whether the command line gives a parameter."""
    return parameter in _GIVEN.get().typed


def filed_options() -> Mapping[str, str]:
    """Return the options that the file of defaults gives, with their values."""
    given = _GIVEN.get()
    return {option: str(given.values[name]) for name, option in given.filed.items()}


def refuse_unused(reason: str, *parameters: str) -> None:
    """Refuse options that would have no effect.

    Parameters
    ----------
    reason : str
        The reason, as the beginning of a message.
    parameters : str
        Names of parameters of the command.

    Raises
    ------
    UsageError
        If the user gave one of them.
    """
    typed = _GIVEN.get().typed
    unused = [typed[name] for name in parameters if name in typed]
    if unused:
        raise UsageError(reason, f"leave out {' and '.join(unused)}")
