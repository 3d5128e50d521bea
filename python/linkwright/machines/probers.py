"""A process on each of some machines that holds the ends of its connections: see `prober`.

Commands go to all processes before the first answer is read, so that they work at once.
"""

from __future__ import annotations

import json
import select
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from linkwright.errors import RunError

if TYPE_CHECKING:
    from linkwright.machines.machine import Machine

__all__ = ["Probers"]

PROBER = Path(__file__).parent / "prober.py"
LONGEST_ANSWER_S = 120.0
"""Time after which a process that does not answer ends the run: the machine is hopelessly busy."""


class Probers:
    """The processes; they end with this object.

    Parameters
    ----------
    machines : mapping of int to Machine
        Machines that get a process, by the numbers of their nodes.
    """

    def __init__(self, machines: Mapping[int, Machine]) -> None:
        source = PROBER.read_text(encoding="utf-8")
        self._processes = {node: machines[node].start_python(source) for node in sorted(machines)}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes.values():
            process.kill()
        for process in self._processes.values():
            process.communicate()

    @property
    def nodes(self) -> list[int]:
        """Numbers of the nodes."""
        return list(self._processes)

    def ask(self, command: str, arguments: Mapping[int, object]) -> dict[int, Any]:
        """Give a command to the processes of some nodes at once, and return their answers.

        Raises
        ------
        RunError
            If a process does not answer.
        """
        for node, argument in arguments.items():
            stream = self._processes[node].stdin
            assert stream is not None
            stream.write(json.dumps([command, argument]) + "\n")
            stream.flush()
        return {node: json.loads(self._line(node)) for node in arguments}

    def ask_all(self, command: str, argument: object = None) -> dict[int, Any]:
        """Give all processes the same command."""
        return self.ask(command, dict.fromkeys(self._processes, argument))

    def _line(self, node: int) -> str:
        stream = self._processes[node].stdout
        assert stream is not None
        ready, _, _ = select.select([stream], [], [], LONGEST_ANSWER_S)
        line = str(stream.readline()) if ready else ""
        if not line:
            raise RunError(
                "a process that holds connections of a node does not answer",
                "try again when the machine is less busy",
            )
        return line
