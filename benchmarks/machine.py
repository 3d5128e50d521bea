"""The machine and the day of a measurement, as the header of a file of results states them."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["described"]


def described() -> str:
    """Return the date, the processors, the kernel and the load of this machine."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if line.startswith("model name")
    ]
    kernel = ".".join(platform.release().split(".")[:2])
    load = os.getloadavg()[0] / len(models)
    today = datetime.now(UTC).date()
    return f"{today}, {len(models)} x {models[0]}, Linux {kernel}, load {load:.1f} per processor."
