"""The machine of this process."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from linkwright.machines.machine import Machine

__all__ = ["Local"]


@dataclass(frozen=True)
class Local(Machine):
    """The machine of this process, under the name of a node or of its own."""

    kind: ClassVar[str] = "local"

    @property
    def python(self) -> str:
        """Its interpreter of Python."""
        return sys.executable

    def command(self, words: Sequence[str]) -> list[str]:
        """Return the command itself."""
        return list(words)
