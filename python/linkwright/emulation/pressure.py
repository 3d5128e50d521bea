"""The time for which some program of this machine waited for a processor, as the kernel counts."""

from __future__ import annotations

import re
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Starved", "starved_s"]

PRESSURE = Path("/proc/pressure/cpu")
SOME = re.compile(r"^some .*\btotal=(\d+)", re.MULTILINE)


def starved_s() -> float | None:
    """Return the seconds, since the machine has been up, for which at least one program was ready
    and had no processor; None if the kernel does not count them.
    """
    try:
        found = SOME.search(PRESSURE.read_text(encoding="ascii"))
    except OSError:
        # It was built or started without pressure stall information.
        return None
    return int(found[1]) / 1e6 if found else None


class Starved:
    """The same from when it is entered until it is left.

    Attributes
    ----------
    s : float or None
        The seconds, once it is left.
    """

    s: float | None = None

    def __enter__(self) -> Self:
        self._before_s = starved_s()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        after_s = starved_s()
        if self._before_s is not None and after_s is not None:
            self.s = after_s - self._before_s
