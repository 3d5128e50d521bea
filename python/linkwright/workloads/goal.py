"""GOAL: the operations of every rank, from a file in the trace format of LogGOPSim [LOGGOPSIM].

The core reads it (`linkwright.text.goal_text`), as text or in the binary form of LogGOPSim;
computations are in nanoseconds.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import PrivateAttr

from linkwright.errors import UsageError, shown_path
from linkwright.files import read_bytes
from linkwright.text.goal_text import number_of_ranks, read_goal
from linkwright.workloads.steps import Steps
from linkwright.workloads.trace import MOST_BYTES, Trace

__all__ = ["Goal"]

_REMEDY = "name a GOAL file: --set file=trace.goal"


class Goal(Trace):
    """Completion time of a trace in the GOAL format of LogGOPSim."""

    name: ClassVar[str] = "goal"
    examples = ({"file": str(Path(__file__).with_name("traces") / "pair.goal")},)

    files = ("file",)

    file: str = ""
    """The GOAL file, text or binary."""

    _content: bytes | None = PrivateAttr(default=None)
    """Content of the file, read once, since a pipe returns it only once."""

    def recorded_ranks(self) -> int:
        """Return the number of ranks in the file."""
        try:
            return number_of_ranks(self._text())
        except UsageError as error:
            raise self._placed(error) from None

    def recorded_steps(self) -> Steps:
        """Return the tasks of every rank, in streams."""
        try:
            return Steps(**read_goal(self._text()))
        except UsageError as error:
            raise self._placed(error) from None

    def _text(self) -> bytes:
        if not self.file:
            raise UsageError("no GOAL file is named", _REMEDY)
        if self._content is None:
            self._content = read_bytes(self.file, "", most_bytes=MOST_BYTES, hint=_REMEDY)
        return self._content

    def _placed(self, error: UsageError) -> UsageError:
        name = shown_path(self.file)
        where = f"{name}: " if self.file and name not in error.message else ""
        return UsageError(f"workload {self.name}: {where}{error.message}", error.hint)
