"""The settings of a workload as its users see them: names, meanings, defaults, and words to choose
from, read from the fields of its model.

Fields of forms and names in lists come from here, so that no setting is written down twice. All
values are texts, as `workloads.parse` takes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.records.docstrings import field_docstrings
from linkwright.workloads import WORKLOADS

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

__all__ = ["Setting", "settings"]


@dataclass(frozen=True)
class Setting:
    """One setting of a workload."""

    name: str
    """Its name on the command line."""
    about: str
    """Its meaning; empty if the source does not say."""
    default: str
    """Its value if none is given; empty if that depends on the network."""
    words: tuple[str, ...]
    """All values that it can have, if they are words."""


def settings(workload_name: str) -> list[Setting]:
    """Return the settings of a workload.

    Raises
    ------
    UsageError
        If there is no such workload.

    Examples
    --------
    >>> [(one.name, one.default, one.words) for one in settings("broadcast")][-2:]
    [('receivers', 'others', ('others', 'all')), ('closing_barrier', 'true', ('true', 'false'))]
    """
    if workload_name not in WORKLOADS:
        hint = unknown_name(workload_name, WORKLOADS)
        raise UsageError(f"unknown workload {shown(workload_name)}", hint)
    workload = WORKLOADS[workload_name]
    about = field_docstrings(workload)
    return [
        Setting(
            name,
            " ".join(about.get(key, "").split()),
            _text(field),
            tuple(_words(field.annotation)),
        )
        for name, (key, field) in zip(
            workload.setting_names(), workload.model_fields.items(), strict=True
        )
    ]


def _text(field: FieldInfo) -> str:
    """Return the default of a field as a user writes it."""
    value = field.get_default(call_default_factory=True, validated_data={})
    if isinstance(value, tuple | list):
        return ",".join(str(one) for one in value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _words(annotation: Any) -> Iterator[str]:
    """Yield the values of a type that has words alone."""
    if annotation is bool:
        yield from ("true", "false")
    elif get_origin(annotation) is Literal:
        yield from (str(one) for one in get_args(annotation))
    elif get_origin(annotation) in (Union, UnionType):
        # One of its words or none: the choice is left to the hosts.
        kinds = [one for one in get_args(annotation) if one is not NoneType]
        yield from _words(kinds[0]) if len(kinds) == 1 else ()
