"""A machine as an inventory names it: reached by ssh, or known from a file that it wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Host"]


@dataclass(frozen=True)
class Host:
    """A machine.

    Attributes
    ----------
    name : str
        Name of its node in the design, or of its own.
    ssh : str
        The machine for ssh: a name of `~/.ssh/config`, a host, or user@host.
    options : mapping of str to str
        Options of ssh_config.
    archive : str, optional
        File with its facts, which the script has written there; ssh does not reach it then.
    """

    name: str
    ssh: str
    options: Mapping[str, str] = field(default_factory=dict)
    archive: str | None = None
