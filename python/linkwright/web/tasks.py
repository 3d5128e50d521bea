"""The tasks of a worker by name: each takes the fields of a request and yields events as they are
ready.

An event is a name and JSON values. An error of the user is an event too, so that the page shows it
in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from linkwright.errors import LinkwrightError
from linkwright.progress import Report
from linkwright.web.by_hand import by_hand
from linkwright.web.comparing import compared
from linkwright.web.following import followed
from linkwright.web.importing import design_imported
from linkwright.web.opening import opened
from linkwright.web.playing import played
from linkwright.web.rehearsing import rehearsed
from linkwright.web.studying import studied
from linkwright.web.taking import exported, taken
from linkwright.web.trying import tried
from linkwright.web.words import REHEARSE

__all__ = ["TASKS", "Event", "run_task"]

Event = tuple[str, Any]

TASKS: Mapping[str, Callable[[Mapping[str, Any], Report], Iterator[Event]]] = {
    "follow": followed,
    "compare": compared,
    "open": opened,
    "play": played,
    "by hand": by_hand,
    "try": tried,
    "study": studied,
    "take": taken,
    "export": exported,
    "import": design_imported,
    REHEARSE: rehearsed,
}


def run_task(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the events of a request.

    Parameters
    ----------
    request : mapping
        The `task` by its name, and its fields.
    report : callable
        Called now and then; an exception that it raises ends the task.
    """
    try:
        yield from TASKS[request["task"]](request, report)
    except LinkwrightError as error:
        each = error.each or (error,)
        yield "refused", [{"message": one.message, "hint": one.hint} for one in each]
