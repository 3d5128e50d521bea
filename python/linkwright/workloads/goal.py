"""GOAL: what a file in the trace format of LogGOPSim says that every rank does [LOGGOPSIM].

Reading and ordering are the core's (see `linkwright.goal_text`); computations are in nanoseconds.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from linkwright.errors import UsageError
from linkwright.goal_text import number_of_ranks, read_goal
from linkwright.workloads.steps import Steps
from linkwright.workloads.trace import Trace, file_bytes

__all__ = ["Goal"]

_REMEDY = "name a GOAL file: --set file=trace.goal"


class Goal(Trace):
    """Completion time of a trace in the GOAL format of LogGOPSim."""

    name: ClassVar[str] = "goal"

    file: str = ""
    """The GOAL file."""

    def recorded_ranks(self) -> int:
        """Return the number of ranks that the file gives."""
        try:
            return number_of_ranks(self._text())
        except UsageError as error:
            raise self._placed(error) from None

    def recorded_steps(self) -> Steps:
        """Return the tasks of every rank, in the order in which it does them."""
        try:
            return Steps(**read_goal(self._text()))
        except UsageError as error:
            raise self._placed(error) from None

    def _text(self) -> bytes:
        if not self.file:
            raise UsageError("no GOAL file is named", _REMEDY)
        return file_bytes(Path(self.file), _REMEDY)

    def _placed(self, error: UsageError) -> UsageError:
        where = f"'{self.file}': " if self.file and self.file not in error.message else ""
        return UsageError(f"workload {self.name}: {where}{error.message}", error.hint)
