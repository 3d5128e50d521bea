"""Files that people wrote by hand, one folder per machine: which manager reads each of them.

Files are known by their names, wherever they are in the folder of a machine: those of netplan,
networkd, ifupdown2 and NetworkManager, parameters of the kernel, and settings of jobs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from linkwright.errors import UsageError, shown, shown_path
from linkwright.files import MEBIBYTE, read_text

__all__ = ["OwnFiles", "own_files"]

MOST_FILES = 1000
HINT = "give a folder with one folder per machine, named after its node: DIR/n0/etc/netplan/..."
INTERFACES = "etc/network/interfaces.d/linkwright"
"""Place in which ifupdown2's files are loaded, as one."""
_NAME_OF_KEYFILE = re.compile(r"^\s*interface-name\s*=\s*(\S+)", re.MULTILINE)
_SOURCE = re.compile(r"^\s*source(-directory)?\s.*$", re.MULTILINE)
_LOOPBACK = re.compile(r"^\s*(auto lo|iface lo inet loopback)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class OwnFiles:
    """The files of one machine.

    Attributes
    ----------
    target : str
        The manager that reads them, as exporters call it; empty if none of its files is there.
    files : dict of str to str
        Texts of files for the manager and the kernel, by their places below `/`.
    settings : dict of str to str
        Texts of other files, such as settings of jobs, by their names in the folder.
    """

    target: str
    files: dict[str, str]
    settings: dict[str, str]


def own_files(folder: Path) -> OwnFiles:
    """Return the files in the folder of a machine.

    Raises
    ------
    UsageError
        If there are files of two managers, too many files, or one that is no text.
    """
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    if len(paths) > MOST_FILES:
        raise UsageError(f"{shown_path(folder)} has {len(paths)} files", HINT)
    by_target: dict[str, dict[str, str]] = {}
    settings: dict[str, str] = {}
    for path in paths:
        text = read_text(path, "", most_bytes=MEBIBYTE, hint=HINT)
        name = path.relative_to(folder).as_posix()
        placed = list(_placed(name, text))
        for target, place in placed:
            known = by_target.setdefault(target, {})
            known[place] = f"{known[place]}\n{text}" if place in known else text
        if not placed:
            settings[name] = text
    kernel = by_target.pop("", {})
    if "netplan" in by_target:  # netplan's own files become networkd's
        by_target["netplan"] |= by_target.pop("networkd", {})
    if len(by_target) > 1:
        raise UsageError(
            f"{shown_path(folder)} has files of {' and '.join(by_target)}: two managers would "
            "set up the same machine",
            "keep the files of the one that runs there",
        )
    if "ifupdown2" in by_target:
        by_target["ifupdown2"] = {INTERFACES: _one_file(by_target["ifupdown2"])}
    target = next(iter(by_target), "")
    return OwnFiles(target, by_target.get(target, {}) | kernel, settings)


def _placed(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield the manager that reads a file, and the place in which it does."""
    path = Path(name)
    folder = path.parent.name
    if path.suffix in (".network", ".netdev", ".link"):
        yield "networkd", f"etc/systemd/network/{path.name}"
    elif path.suffix in (".yaml", ".yml") and ("network:" in text or folder == "netplan"):
        yield "netplan", f"etc/netplan/{path.stem}.yaml"
    elif path.name == "interfaces" or folder == "interfaces.d":
        yield "ifupdown2", INTERFACES
    elif path.suffix == ".nmconnection" or folder == "system-connections":
        found = _NAME_OF_KEYFILE.search(text)
        if found is None:
            raise UsageError(
                f"{shown(name)} names no interface", "give interface-name= in its [connection]"
            )
        place = f"etc/NetworkManager/system-connections/linkwright-{found[1]}.nmconnection"
        yield "networkmanager", place
    elif folder == "sysctl.d" or path.name == "sysctl.conf":
        yield "", f"etc/sysctl.d/{path.name}"


def _one_file(files: dict[str, str]) -> str:
    """Return files of interfaces as one, without the loopback, which is up already."""
    text = "\n".join(files.values())
    return _LOOPBACK.sub("", _SOURCE.sub("", text))
