"""The number of ranks of MPI that a command starts, as far as its words tell.

Scripts and programs that start others are not looked into.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

__all__ = ["ranks_of"]

LAUNCHER = re.compile(r"(mpirun|mpiexec|orterun|prterun)([.-]\w+)*")
"""Names of the launchers of MPI, with or without their library."""
COUNT = re.compile(r"--?(?:n|np|c)")
COUNT_AT_ONCE = re.compile(r"--?(?:n|np)=(\d+)")
"""Options of launchers for the number of ranks."""


def ranks_of(command: Sequence[str], n_nodes: int) -> int:
    """Return the number of ranks that a command starts, one in each node if it names none; 0 if it
    is no MPI program.

    Parameters
    ----------
    command : sequence of str
        Its words; those of a shell are looked into.
    n_nodes : int
        Nodes that MPI starts ranks in.

    Examples
    --------
    >>> ranks_of(["mpirun", "-n", "4", "./ring"], 16)
    4
    >>> ranks_of(["sh", "-c", "cd run; mpiexec.hydra ./ring"], 16)
    16
    >>> ranks_of(["ping", "-c", "3", "n1"], 16)
    0
    """
    found = 0
    words = list(_words(command))
    for place, word in enumerate(words):
        if LAUNCHER.fullmatch(word.rpartition("/")[2]):
            found = max(found, sum(_counts(words[place + 1 :])) or n_nodes)
    return found


def _words(command: Sequence[str]) -> Iterator[str]:
    for word in command:
        try:
            inner = shlex.split(word)
        except ValueError:
            inner = [word]
        yield from inner if len(inner) > 1 else [word]


def _counts(words: Sequence[str]) -> Iterator[int]:
    """Yield the number of ranks of each program of a launcher, which are separated by colons."""
    is_open = True
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if word == ":":
            is_open = True
        told = COUNT_AT_ONCE.fullmatch(word)
        count = told[1] if told else after if COUNT.fullmatch(word) else ""
        if is_open and count.isdecimal():
            yield int(count)
            is_open = False
