"""A machine that ssh reaches, as an inventory names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Host"]


@dataclass(frozen=True)
class Host:
    """A machine that ssh reaches.

    Attributes
    ----------
    name : str
        Name of its node in the design, or of its own.
    ssh : str
        The machine for ssh: a name of `~/.ssh/config`, a host, or user@host.
    options : mapping of str to str
        Options of ssh_config.
    """

    name: str
    ssh: str
    options: Mapping[str, str] = field(default_factory=dict)
