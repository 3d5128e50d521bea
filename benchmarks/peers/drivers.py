"""The other simulators on this machine: whether they are there, how they get there, and our drivers
for them, which are compiled once per change.

Nothing is installed unless asked for. The packages are those of Debian and its kin.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["DRIVERS", "FLOWS", "MESSAGES", "NS3", "Driver", "build", "install", "missing"]

SOURCES = Path(__file__).parent
BUILT = SOURCES.parents[1] / "target" / "peers"

_OPTIMISED = ("-O3", "-DNDEBUG")
_NS3_LIBRARIES = ("core", "network", "internet", "point-to-point", "csma", "bridge")


@dataclass(frozen=True)
class Driver:
    """A program of ours that has another simulator run a workload."""

    name: str
    package: str
    """Packages to install."""
    evidence: str
    """A file of the package, or a command."""
    sources: tuple[str, ...]
    compiler: tuple[str, ...]
    libraries: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The compiled program."""
        return BUILT / self.name

    @property
    def is_installed(self) -> bool:
        """Whether the simulator is installed."""
        return bool(Path(self.evidence).exists() or shutil.which(self.evidence))


NS3 = Driver(
    name="ns3",
    package="libns3-dev",
    evidence="/usr/include/ns3/core-module.h",
    sources=("ns3/main.cc", "ns3/networks.cc", "ns3/traffic.cc"),
    compiler=("g++", "-std=c++17"),
    libraries=tuple(f"-lns3-{name}" for name in _NS3_LIBRARIES),
)
FLOWS = Driver(
    name="simgrid-flows",
    package="libsimgrid-dev",
    evidence="/usr/include/simgrid/s4u.hpp",
    sources=("simgrid/flows.cc",),
    compiler=("g++", "-std=c++17"),
    libraries=("-lsimgrid",),
)
MESSAGES = Driver(
    name="simgrid-messages",
    package="libsimgrid-dev",
    evidence="smpicc",
    sources=("simgrid/messages.c",),
    compiler=("smpicc",),
)
DRIVERS = (NS3, FLOWS, MESSAGES)


def install() -> None:
    """Install what is missing, by the system's package manager."""
    packages = sorted({driver.package for driver in DRIVERS if not driver.is_installed})
    if packages:
        as_root = [] if os.geteuid() == 0 else ["sudo"]
        subprocess.run([*as_root, "apt-get", "update"], check=True)
        command = ["apt-get", "install", "--yes", "--no-install-recommends", "g++", *packages]
        subprocess.run([*as_root, *command], check=True)


def missing(driver: Driver) -> str | None:
    """Return why a driver cannot be used and what would help; None when it can."""
    compiler = driver.compiler[0]
    absent = [] if driver.is_installed else [driver.package]
    if driver.is_installed and not shutil.which(compiler):
        absent = [compiler]
    if not absent:
        return None
    return f"{driver.name} is skipped: {absent[0]} is missing (apt-get install {absent[0]})"


def build(drivers: Sequence[Driver]) -> None:
    """Compile the drivers that are older than their sources."""
    BUILT.mkdir(parents=True, exist_ok=True)
    newest = max(path.stat().st_mtime for path in SOURCES.rglob("*.[ch]*"))
    for driver in drivers:
        if driver.path.exists() and driver.path.stat().st_mtime > newest:
            continue
        sources = [str(SOURCES / name) for name in driver.sources]
        output = ["-o", str(driver.path)]
        command = [*driver.compiler, *_OPTIMISED, *sources, *output, *driver.libraries]
        subprocess.run(command, check=True)
