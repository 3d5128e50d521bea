"""Classes of NICs: the constants of a host that depend on its NIC, a TOML file per class.

A calibration with ``nics = true`` has the constants of a computer, and those of the class that the
design's NIC names replace its own: queues, waits of interrupts, costs of the driver. Each class
says whether its latency is published, an estimate or not known (docs/design/nic-classes.md).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

from pydantic import Field

from linkwright.calibrations.kinds import Frozen
from linkwright.errors import DesignError, shown, unknown_name

__all__ = ["NicClass", "NicConstants", "load", "names"]

Confidence = Literal["published", "estimate", "not known"]


class NicConstants(Frozen):
    """Constants that replace those of a calibration, by name; the calibration validates them."""

    host: dict[str, dict[str, Any]] = Field(default_factory=dict)
    queues: dict[str, dict[str, Any]] = Field(default_factory=dict)

    def sections(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the constants by section."""
        return {"host": self.host, "queues": self.queues}


class NicClass(NicConstants):
    """NICs whose drivers behave alike."""

    name: str
    title: str
    confidence: Confidence
    """Whether the latency follows from published figures, is an estimate, or is not known."""
    reason: str = ""
    """Why it is not published, as the end of a sentence."""
    rdma: bool = False
    """Whether programs use RDMA on such NICs, past the kernel and its TCP."""
    forwarding: NicConstants = NicConstants()
    """Constants of hosts that forward packets for others."""

    @property
    def doubt(self) -> str:
        """A sentence on the doubt about the latency; empty if figures are published."""
        if self.confidence == "published":
            return ""
        is_what = "is an estimate" if self.confidence == "estimate" else "is not known"
        return f"the latency of NICs of the class {self.name} {is_what}: {self.reason}"

    def constants(self, *, forwards: bool) -> Mapping[str, dict[str, dict[str, Any]]]:
        """Return the constants by section, of hosts that forward or of others."""
        mine, over = self.sections(), self.forwarding.sections() if forwards else {}
        return {name: section | over.get(name, {}) for name, section in mine.items()}


@cache
def names() -> tuple[str, ...]:
    """Return the names of the classes."""
    files = resources.files(__package__).joinpath("nics").iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml")))


@cache
def load(name: str) -> NicClass:
    """Return a class by its name.

    Raises
    ------
    DesignError
        If there is none.

    Examples
    --------
    >>> load("usb4").confidence
    'published'
    """
    if name not in names():
        raise DesignError(f"there is no class of NICs {shown(name)}", unknown_name(name, names()))
    path = resources.files(__package__).joinpath("nics", f"{name}.toml")
    return NicClass(name=name, **tomllib.loads(path.read_text(encoding="utf-8")))
