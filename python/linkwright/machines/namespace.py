"""A node of an emulation: namespaces of this machine, which a command enters.

An emulation provides two ways in: the network and the name of a node alone, and the sandbox with
the node's own files, in which programs of users run.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from linkwright.machines.machine import Machine

__all__ = ["Namespace"]

ENDS_WITH_ITS_PARENT = ("setpriv", "--pdeathsig", "KILL")


@dataclass(frozen=True)
class Namespace(Machine):
    """A node of an emulation.

    Attributes
    ----------
    entry : tuple of str
        Words before a command by which it runs in the node.
    held : tuple of int
        Descriptors that these words name.
    """

    entry: tuple[str, ...]
    held: tuple[int, ...] = ()
    kind: ClassVar[str] = "namespace"

    @classmethod
    def of(cls, name: str, net: int, uts: int) -> Self:
        """Return the machine of two namespaces; its programs end with the thread that starts them.

        Parameters
        ----------
        name : str
            Name of the node.
        net, uts : int
            Descriptors of its network and of its host name.
        """
        spaces = (f"--net=/proc/self/fd/{net}", f"--uts=/proc/self/fd/{uts}")
        return cls(name, (*ENDS_WITH_ITS_PARENT, "nsenter", *spaces, "--"), (net, uts))

    @property
    def python(self) -> str:
        """The interpreter of this process: nodes have the files of their machine."""
        return sys.executable

    @property
    def descriptors(self) -> tuple[int, ...]:
        """Descriptors that the command needs."""
        return self.held

    def command(self, words: Sequence[str]) -> list[str]:
        """Return the command of this machine that runs a program in the node."""
        return [*self.entry, *words]
