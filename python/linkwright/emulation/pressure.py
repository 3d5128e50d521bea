"""The time for which some program of this machine waited for a processor, as the kernel counts."""

from __future__ import annotations

import math
import re
from pathlib import Path

__all__ = ["starved_s"]

PRESSURE = Path("/proc/pressure/cpu")
SOME = re.compile(r"^some .*\btotal=(\d+)", re.MULTILINE)


def starved_s() -> float:
    """Return the seconds, since the machine has been up, for which at least one program was ready
    and had no processor; NaN if the kernel does not count them.
    """
    try:
        found = SOME.search(PRESSURE.read_text(encoding="ascii"))
    except OSError:
        # It was built or started without pressure stall information.
        return math.nan
    return int(found[1]) / 1e6 if found else math.nan
