"""The managers of a machine's network: which of them run, which files of others name a port, and
how each loads the files of a plan, touching the ports of the plan alone.

It runs by itself on the machine, in one program (`program.py`).
"""

from __future__ import annotations

import contextlib
import fnmatch
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linkwright.apply.present import NET, PATH, StepError, call, output, tried

UNITS = {
    "networkd": "systemd-networkd.service",
    "networkmanager": "NetworkManager.service",
    "ifupdown2": "networking.service",
}
"""Manager -> its unit."""
PROGRAMS = {"networkd": "networkctl", "networkmanager": "nmcli", "ifupdown2": "ifreload"}
GENERATORS = ("/usr/libexec/netplan/generate", "/usr/lib/netplan/generate")
ETC = Path("/etc")
INTERFACES = ETC / "network/interfaces"
GENERATED = Path("/run/systemd/network")
WAIT_S = "15"
FIRST_OF_PLAN = "10-linkwright-"


def has_systemd() -> bool:
    """Return whether systemd runs this machine."""
    return Path("/run/systemd/system").is_dir()


def managers() -> dict[str, Any]:
    """Return the managers of this machine: those that run, and why others cannot be used."""
    found: dict[str, Any] = {"has_systemd": has_systemd(), "running": [], "unready": {}}
    if not has_systemd():
        return found
    for name, unit in UNITS.items():
        is_running = call(["systemctl", "is-active", "--quiet", unit]).returncode == 0
        if is_running and shutil.which(PROGRAMS[name], path=PATH):
            found["running"].append(name)
        else:
            found["unready"][name] = f"{unit} does not run there, or {PROGRAMS[name]} is missing"
    if "ifupdown2" in found["running"] and not sources_parts():
        found["unready"]["ifupdown2"] = f"{INTERFACES} has no line `source {INTERFACES}.d/*`"
    if "networkd" not in found["running"] or generator() is None:
        found["unready"]["netplan"] = "netplan, or systemd-networkd as its renderer, is missing"
    elif any((ETC / "netplan").glob("*.yaml")):
        found["running"].insert(0, "netplan")
    return found


def managing(names: set[str]) -> list[str]:
    """Return the managers that manage interfaces."""
    found = []
    for name in names:
        states = (
            call(["nmcli", "-g", "GENERAL.STATE", "device", "show", name]).stdout
            if shutil.which("nmcli", path=PATH)
            else ""
        )
        found += ["networkmanager"] if states.startswith("100") else []
        number = (NET / name / "ifindex").read_text().strip()
        lines = lines_of(Path("/run/systemd/netif/links") / number)
        found += ["netplan", "networkd"] if any("NETWORK_FILE=" in one for one in lines) else []
    return found


def generator() -> str | None:
    """Return the program of netplan that writes files for managers."""
    return next((one for one in GENERATORS if Path(one).exists()), None)


def sources_parts() -> bool:
    """Return whether ifupdown2 reads the folder that files of plans are in."""
    lines = lines_of(INTERFACES)
    return any(re.match(r"\s*source(-directory)?\s+\S*interfaces\.d", one) for one in lines)


def lines_of(path: Path) -> list[str]:
    """Return the lines of a file that is text."""
    with contextlib.suppress(OSError):
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    return []


def claims(names: list[str]) -> list[list[str]]:
    """Return ports with the file of a user that sets each of them up."""
    return [
        [name, str(path)]
        for name in names
        for path, pattern in claimants(name)
        if any(re.search(pattern, line) for line in lines_of(path))
    ]


def claimants(name: str) -> Iterator[tuple[Path, str]]:
    """Yield files of users, each with the form of a line that names a port."""
    word = re.escape(name)
    parts = sorted((ETC / "network/interfaces.d").glob("*"))
    for path in [INTERFACES, *(one for one in parts if one.name != "linkwright")]:
        yield path, rf"^\s*(auto|allow-\S+|iface)\s+(.*\s)?{word}(\s|$)"
    for path in sorted((ETC / "netplan").glob("*.yaml")):
        if path.name != "60-linkwright.yaml":
            yield path, rf"^\s+[\"']?{word}[\"']?\s*:"
    for path in sorted((ETC / "NetworkManager/system-connections").glob("*")):
        if not path.name.startswith("linkwright-"):
            yield path, rf"^\s*interface-name\s*=\s*{word}\s*$"
    for folder in (ETC / "systemd/network", GENERATED, Path("/usr/lib/systemd/network")):
        for path in sorted(folder.glob("*.network")):
            # networkd reads the first file alone that matches a port.
            if path.name < FIRST_OF_PLAN and any(is_matched(name, one) for one in lines_of(path)):
                yield path, ""


def is_matched(name: str, line: str) -> bool:
    """Return whether a line of networkd has a pattern that a port matches."""
    key, _, patterns = line.partition("=")
    return key.strip() == "Name" and any(fnmatch.fnmatchcase(name, one) for one in patterns.split())


def before_files(target: str, names: list[str]) -> None:
    """Let a manager give up the ports of a plan, before its files are taken away."""
    if target == "networkmanager":
        call(["nmcli", "--wait", WAIT_S, "connection", "down", *connections_of(names)])
    elif target == "ifupdown2":
        call(["ifdown", *(one for one in names if (NET / one).exists())])
    elif target == "ip":
        call(["systemctl", "stop", "linkwright.service"])


def connections_of(names: list[str]) -> list[str]:
    """Return the names of a plan's connections."""
    return [f"linkwright-{one}" for one in names]


def load_files(target: str, names: list[str]) -> None:
    """Let a manager read the files of a plan; without them, it forgets the plan."""
    output("systemctl", "daemon-reload")
    LOADERS[target](names)


def of_networkd(names: list[str]) -> None:
    """Reload: networkd sets up the ports again whose files have changed, and no others."""
    del names
    output("networkctl", "reload")


def of_generator(scope: dict[str, Any]) -> list[str]:
    """Return the places that netplan writes for the ports of a scope that no file of a user has."""
    claimed = {name for name, _ in claims(scope["interfaces"])}
    names = [one for one in scope["interfaces"] if one not in claimed]
    forms = {f"{GENERATED}/10-netplan-{one}" for one in names}
    return [one for one in scope.get("generated", []) if one.rpartition(".")[0] in forms]


def of_netplan(names: list[str]) -> None:
    """Generate the files of networkd for this plan alone: others keep theirs, and their ports."""
    source = ETC / "netplan/60-linkwright.yaml"
    if source.exists():
        program = generator()
        if program is None:
            raise StepError("netplan is missing")
        with tempfile.TemporaryDirectory(dir="/run", prefix="linkwright-") as folder:
            place = Path(folder) / source.relative_to("/")
            place.parent.mkdir(parents=True)
            shutil.copy(source, place)
            output(program, "--root-dir", folder)
            GENERATED.mkdir(parents=True, exist_ok=True)
            for one in sorted((Path(folder) / GENERATED.relative_to("/")).glob("10-netplan-*")):
                shutil.copy(one, GENERATED)
    of_networkd(names)


def of_networkmanager(names: list[str]) -> None:
    """Load the connections of the plan, and bring them up; forget those without a file."""
    output("nmcli", "general", "reload", "conf")
    folder = ETC / "NetworkManager/system-connections"
    places = {one: folder / f"{one}.nmconnection" for one in connections_of(names)}
    known = [one for one, place in places.items() if place.exists()]
    if len(known) < len(places):
        output("nmcli", "connection", "reload")
    if known:
        output("nmcli", "connection", "load", *(str(places[one]) for one in known))
    problems: list[str] = []
    for one in known:
        up = ("nmcli", "--wait", WAIT_S, "connection", "up", "id", one)
        tried(problems.append, output, *up)
    if problems:
        raise StepError("; ".join(problems))


def of_ifupdown2(names: list[str]) -> None:
    """Bring the interfaces of the plan up, in the order of its file."""
    path = ETC / "network/interfaces.d/linkwright"
    found = [line.split()[1] for line in lines_of(path) if line.startswith("auto ")]
    known = [one for one in found if one in names]
    if known:
        output("ifup", *known)


def of_script(names: list[str]) -> None:
    """Do nothing: the script of the plan runs at the next start."""
    del names


LOADERS = {
    "networkd": of_networkd,
    "netplan": of_netplan,
    "networkmanager": of_networkmanager,
    "ifupdown2": of_ifupdown2,
    "ip": of_script,
}
"""Target -> how its files are loaded."""
