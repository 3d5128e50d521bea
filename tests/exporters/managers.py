"""The programs of the system that tests of files for machines need, and the targets whose files
are loaded, as the exporters know how.

A program that is not installed is named with the command that installs it.
"""

from __future__ import annotations

from pathlib import Path

from linkwright.plan.exporters import EXPORTERS
from linkwright.plan.exporters.loading import Loading, Program

DNSMASQ = Program("/usr/sbin/dnsmasq", "dnsmasq-base")
IPTABLES = Program("/usr/sbin/iptables", "iptables")
NMCLI = Program("/usr/bin/nmcli", "network-manager")
UDEVADM = Program("/usr/bin/udevadm", "udev")
VTYSH = Program("/usr/bin/vtysh", "frr")

LOADINGS: dict[str, Loading] = {
    name: exporter.loading for name, exporter in EXPORTERS.items() if exporter.loading is not None
}
"""How machines load the files of each target that sets up addresses and routes."""


def why_not_run(*programs: Program) -> str:
    """Return why programs cannot be run; empty if they can."""
    missing = [one for one in programs if not Path(one.place).exists()]
    return next((f"{one.place}: apt install {one.package}" for one in missing), "")


def why_not_loaded(target: str) -> str:
    """Return why the files of a target cannot be loaded; empty if they can."""
    return why_not_run(*LOADINGS[target].programs)
