"""The conditions of a run: versions, command, seeds, times. Kept next to the rows.

The manifest holds all that differs from run to run, so that the rows of the same inputs are the
same bytes.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
import pydantic
from pydantic import AwareDatetime, BaseModel, ConfigDict

from linkwright.files import utf8
from linkwright.results.schema import SCHEMA_VERSION
from linkwright.version import VERSION

__all__ = ["Manifest"]


class Manifest(BaseModel):
    """The origin of some runs."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    schema_version: int = SCHEMA_VERSION
    """Version of the columns of the rows."""
    runs: tuple[str, ...]
    """The runs it describes; empty for all rows that it is kept with."""
    command: tuple[str, ...]
    """Arguments of the command line, the program's name first; empty for runs of a script."""
    seeds: tuple[int, ...]
    """Seeds of the runs."""
    started: AwareDatetime
    """Time at which the command began."""
    finished: AwareDatetime
    """Time at which the rows were complete."""
    version: str
    """Version of Linkwright."""
    python: str
    """Version of Python."""
    libraries: dict[str, str]
    """Versions of the libraries that compute figures."""
    platform: str
    """Operating system and processor."""
    hosts: dict[str, dict[str, dict[str, Any]]] = {}
    """Calibrations of the runs, by name: every constant with its origin, by section and name such
    as ``tcp.initial_window``."""
    designs: dict[str, dict[str, Any]] = {}
    """Designs of measured rows, by their hash: keys and values of the file, so that others can be
    predicted with it."""
    remarks: tuple[str, ...] = ()
    """Facts that a reader of the rows must know: properties of the hosts that the engine does not
    model, nodes without a rank, faults after the end, time-outs that dominate the result."""

    @classmethod
    def of(
        cls,
        *,
        started: datetime,
        finished: datetime,
        command: Sequence[str] = (),
        runs: Sequence[str] = (),
        seeds: Sequence[int] = (),
        hosts: Mapping[str, dict[str, dict[str, Any]]] | None = None,
        remarks: Sequence[str] = (),
    ) -> Manifest:
        """Return the manifest of runs that have just ended on this machine."""
        return cls(
            runs=tuple(runs),
            command=_texts(command),
            seeds=tuple(seeds),
            started=started,
            finished=finished,
            version=VERSION,
            python=platform.python_version(),
            libraries={"numpy": np.__version__, "pydantic": pydantic.VERSION},
            platform=f"{sys.platform} {platform.machine()}",
            hosts=dict(hosts or {}),
            remarks=tuple(remarks),
        )

    def made_by(self, command: Sequence[str]) -> Manifest:
        """Return the manifest with the command line of the runs."""
        return self.model_copy(update={"command": _texts(command)})


def _texts(command: Sequence[str]) -> tuple[str, ...]:
    """Return arguments as text that a file can hold, whatever bytes the shell passed."""
    return tuple(utf8(argument).decode() for argument in command)
