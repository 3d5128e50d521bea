"""The log of -v and --debug on stderr: choices that the program makes, and their reasons.

The parts of the program log by Python's `logging`; nothing is shown unless an option asks for it.
-v shows the choices, --debug also details, and the time of each since the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwright.choices import LOGGER, detail, note
from linkwright.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Mapping
    from logging import LogRecord

    from linkwright.cli.given import Given

__all__ = ["begin_log", "is_debugging", "log_options"]


def begin_log(*, verbose: bool, debug: bool) -> None:
    """Show the log from now on as far as the options ask for it."""
    import logging

    class Said(logging.Handler):
        """Writes lines to stderr, as remarks are."""

        def emit(self, record: LogRecord) -> None:
            say(self.format(record), quiet=False)

    handler = Said()
    if debug:
        handler.setFormatter(logging.Formatter("%(relativeCreated)6.0f ms  %(message)s"))
    logger = logging.getLogger(LOGGER)
    logger.handlers = [handler]
    logger.propagate = False
    logger.setLevel(logging.DEBUG if debug else logging.INFO if verbose else logging.WARNING)


def log_options(values: Mapping[str, object], given: Given) -> None:
    """Log the values of options and where they come from; typed ones are details."""
    for name, value in values.items():
        if value is None or value is False or value == []:
            continue
        if name in given.typed:
            detail("%s: %s, typed", given.typed[name], value)
        elif name in given.filed:
            note("%s: %s, from the file of defaults", given.filed[name], value)
        else:
            detail("--%s: %s, default", name.replace("_", "-"), value)


def is_debugging() -> bool:
    """Return whether --debug shows all."""
    import logging

    return logging.getLogger(LOGGER).getEffectiveLevel() <= logging.DEBUG
