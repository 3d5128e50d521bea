"""Files that people wrote by hand, one folder per machine: which manager reads each of them.

Files are known by their names, wherever they are in the folder of a machine: those of netplan,
networkd, ifupdown2, NetworkManager and FRR, parameters of the kernel, and settings of jobs. They
may come from anywhere: links that lead out of the folder, names with slashes, and parameters of the
whole machine are refused or left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from linkwright.errors import UsageError, shown, shown_path
from linkwright.files import MEBIBYTE, read_text

__all__ = ["OwnFiles", "own_files"]

MOST_FILES, MOST_NOTES = 1000, 20
HINT = "give a folder with one folder per machine, named after its node: DIR/n0/etc/netplan/..."
INTERFACES = "etc/network/interfaces.d/linkwright"
"""Place in which ifupdown2's files are loaded, as one."""
_NAME_OF_KEYFILE = re.compile(r"^\s*interface-name\s*=\s*(\S+)", re.MULTILINE)
_PORT = re.compile(r"[^\s/\\]{1,15}")
_LOG = re.compile(r"\s*(no\s+)?(log|debug|banner)\s")
PROGRAMS = {
    "staticd": r"^\s*(ip|ipv6) route ",
    "ospfd": r"^router ospf(\s|$)",
    "ospf6d": r"^router ospf6(\s|$)",
    "fabricd": r"^router openfabric ",
    "isisd": r"^router isis ",
    "bgpd": r"^router bgp ",
    "ripd": r"^router rip(\s|$)",
    "bfdd": r"^bfd(\s|$)",
}
"""Daemons of FRR, and the lines of a configuration that need them."""
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
    daemons : dict of str to str
        Texts of the files of FRR, by their places below `/`; none without `frr.conf`.
    settings : dict of str to str
        Texts of other files, such as settings of jobs, by their names in the folder.
    notes : tuple of str
        Lines and files that are not loaded, a sentence each.
    """

    target: str
    files: dict[str, str]
    daemons: dict[str, str]
    settings: dict[str, str]
    notes: tuple[str, ...] = ()

    @property
    def finds_routes(self) -> bool:
        """Whether routing daemons are among its programs, which find routes and change them."""
        started = self.daemons.get("etc/frr/daemons", "").split()
        return any(one != "staticd=yes" for one in started)


def own_files(folder: Path) -> OwnFiles:
    """Return the files in the folder of a machine.

    Raises
    ------
    UsageError
        If there are files of two managers, too many files, or one that is no text.
    """
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    for path in paths:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise UsageError(
                f"{shown_path(path)} is a link to a file outside {shown_path(folder)}",
                "put a copy of the file there",
            )
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
    notes: list[str] = []
    kernel = {
        place: _of_network(text, place, notes) for place, text in by_target.pop("", {}).items()
    }
    daemons = _daemons(by_target.pop("frr", {}), notes)
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
    return OwnFiles(
        target, by_target.get(target, {}) | kernel, daemons, settings, tuple(notes[:MOST_NOTES])
    )


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
        if found is not None and not _PORT.fullmatch(found[1]):
            raise UsageError(
                f"{shown(name)}: {shown(found[1])} is no name of an interface",
                "correct interface-name= in its [connection]",
            )
        if found is None:
            raise UsageError(
                f"{shown(name)} names no interface", "give interface-name= in its [connection]"
            )
        place = f"etc/NetworkManager/system-connections/linkwright-{found[1]}.nmconnection"
        yield "networkmanager", place
    elif folder == "sysctl.d" or path.name == "sysctl.conf":
        yield "", f"etc/sysctl.d/{path.name}"
    elif path.name == "frr.conf" or (path.name == "daemons" and folder == "frr"):
        yield "frr", f"etc/frr/{path.name}"


def _of_network(text: str, place: str, notes: list[str]) -> str:
    """Return the parameters of the network: others are those of the whole machine."""
    kept = []
    for line in text.splitlines():
        key = line.partition("=")[0].strip().lstrip("-")
        is_comment = not key or key.startswith(("#", ";"))
        if is_comment or re.match(r"net[./]", key):
            kept.append(line)
        else:
            notes.append(f"{shown(key)} of {Path(place).name}: it is of the whole machine")
    return "\n".join([*kept, ""])


def _daemons(files: dict[str, str], notes: list[str]) -> dict[str, str]:
    """Return the configuration of FRR without its logs, and the programs that it needs."""
    text = files.get("etc/frr/frr.conf")
    if text is None:
        return {}
    lines = text.splitlines()
    logs = [line for line in lines if _LOG.match(line)]
    notes += [f"{shown(line.strip())} of frr.conf: nodes write no log" for line in logs]
    kept = "\n".join([*(line for line in lines if not _LOG.match(line)), ""])
    chosen = set(re.findall(r"^(\w+)=yes", files.get("etc/frr/daemons", ""), re.MULTILINE))
    needed = {
        program for program, words in PROGRAMS.items() if re.search(words, kept, re.MULTILINE)
    }
    started = "".join(f"{one}=yes\n" for one in PROGRAMS if one in (chosen or needed) | needed)
    return {"etc/frr/frr.conf": kept, "etc/frr/daemons": started}


def _one_file(files: dict[str, str]) -> str:
    """Return files of interfaces as one, without the loopback, which is up already."""
    text = "\n".join(files.values())
    return _LOOPBACK.sub("", _SOURCE.sub("", text))
