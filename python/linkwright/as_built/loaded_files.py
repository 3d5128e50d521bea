"""Machines that have loaded files written by hand, in namespaces: the facts of their kernels.

A node is a network namespace with the ports of the plan, under the names that they have on the
machine, without addresses, and with the kernel's defaults. The manager of the files loads them;
when nothing changes any more, the kernel is asked as a real machine is. Cables are not in files, so
that they count as planned.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from linkwright.as_built.own_files import HINT, OwnFiles, own_files
from linkwright.as_built.planned import Planned
from linkwright.emulation.kernels import Kernels
from linkwright.emulation.sandbox import Sandbox
from linkwright.errors import CapabilityError, RunError, UsageError, shown_path
from linkwright.facts import Cable, ClusterFacts, Interface, MachineFacts, Missing, Settings, gather
from linkwright.files.folder import write_folder
from linkwright.machines import Machine
from linkwright.plan.exporters import EXPORTERS
from linkwright.plan.exporters.loading import Loaded, load
from linkwright.plan.exporters.node_plan import NodePlan
from linkwright.progress import Report

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["facts_of_files"]

LONGEST_S, LOOK_S, QUIET_LOOKS = 15.0, 0.3, 4
"""Time within which a manager is done, time between looks, and equal looks that show it."""
MOST_OF_SETTING = 1 << 16
TRY_DUMMY = "ip link add dev lw-dummy type dummy && ip link del dev lw-dummy"
DUMMY = re.compile(r"^(\s*(?:Kind|type|link-type)\s*[= ]\s*)dummy\b", re.MULTILINE)
"""An interface of type dummy in a file; one of type ifb takes addresses and routes as well."""
EMPTY = """
PATH=$PATH:/usr/sbin:/sbin
ip link del dev id0 2> /dev/null || true
for family in 4 6; do
    while ip -$family rule del priority 1000 2> /dev/null; do :; done
    for conf in /proc/sys/net/ipv$family/conf/*; do
        echo 0 > $conf/forwarding
        [ ! -e $conf/ignore_routes_with_linkdown ] || echo 0 > $conf/ignore_routes_with_linkdown
    done
done
for conf in /proc/sys/net/ipv4/conf/*; do
    for name in rp_filter accept_local arp_ignore arp_announce; do echo 0 > $conf/$name; done
    echo 1 > $conf/send_redirects
done
"""
"""Script that takes back what an emulation sets up, before its ports are emptied."""
PORT = """
ip address flush dev "{nic}"
ip link set dev "{nic}" down mtu 1500
"""
STATE = "PATH=$PATH:/usr/sbin; ip -o address; ip route show table all; ip -6 route show table all"


def facts_of_files(
    network: Network, folder: Path, report: Report = lambda *_: None
) -> ClusterFacts:
    """Return the facts of machines that have loaded the files of a folder.

    Parameters
    ----------
    network : Network
        The plan, whose nodes name the folders.
    folder : Path
        A folder per machine.
    report : callable
        Called with the number of machines that have loaded their files, of all.

    Raises
    ------
    UsageError
        If there is no folder of a node, or its files belong to two managers.
    CapabilityError
        If this machine cannot bring nodes up, or lacks a manager.
    RunError
        If a manager refuses its files.
    """
    planned = Planned(network)
    files = _read(planned, folder)
    if network.wiring.bonds.size:
        raise CapabilityError(
            "files of machines with bonds are not loaded here", "compare facts of the machines"
        )
    kernels = Kernels(network, has_routes=False, has_marks=False)
    with tempfile.TemporaryDirectory(prefix="linkwright-") as place:
        with Sandbox(kernels.nodes, network) as sandbox:
            kernels.plug(kernels.cabled, has_carrier=True)
            machines: list[Machine] = [sandbox.machine(name) for name in files]
            for machine in machines:
                _empty(machine, planned.nodes[machine.name])
            stands_in = _stands_in(machines[0])
            loaded: list[Loaded] = []
            for number, machine in enumerate(machines):
                report(number, len(machines), f"{machine.name} loads its files")
                own = files[machine.name]
                loaded += _load(machine, own, Path(place) / machine.name, stands_in)
            _await_quiet(machines)
            found = gather(machines)
            notes = {
                name: [*_said(Path(place) / name), *_not_loaded(own)] for name, own in files.items()
            }
        for one in loaded:
            if one.process is not None:
                one.process.wait()
    return _as_planned_elsewhere(planned, found, files, notes)


def _read(planned: Planned, folder: Path) -> dict[str, OwnFiles]:
    if not folder.is_dir():
        raise UsageError(f"{shown_path(folder)} is no folder", HINT)
    found = {}
    for name, plan in planned.nodes.items():
        of = next((folder / one for one in (name, plan.host.name) if (folder / one).is_dir()), None)
        if of is not None:
            found[name] = own_files(of)
    if not found:
        raise UsageError(f"{shown_path(folder)} has no folder of a node of the design", HINT)
    return found


def _empty(machine: Machine, plan: NodePlan) -> None:
    """Take away what the node has, and give its ports the names of the machine."""
    script = EMPTY
    for one in plan.interfaces:
        if one.is_nic:
            script += PORT.format(nic=one.nic)
            if one.mac:
                script += f'ip link set dev "{one.nic}" address {one.mac}\n'
            if one.name != one.nic:
                script += f'ip link set dev "{one.nic}" name "{one.name}"\n'
    done = machine.run(["sh", "-euc", script])
    if done.code:
        raise RunError(f"{machine.name}: {done.errors.strip()}", "report it with the design")


def _stands_in(machine: Machine) -> bool:
    """Return whether the kernel lacks interfaces of type dummy, so that others stand for them."""
    made = machine.run(["sh", "-c", f"PATH=$PATH:/usr/sbin; {TRY_DUMMY}"])
    return made.code != 0


def _load(machine: Machine, own: OwnFiles, folder: Path, stands_in: bool) -> Iterator[Loaded]:
    """Let a machine load its files; a machine without files of a manager has none."""
    if not own.target:
        return
    loading = EXPORTERS[own.target].loading
    assert loading is not None, "managers that read files by hand can load them"
    texts = {
        place: loading.adapted(place, DUMMY.sub(r"\1ifb", text) if stands_in else text)
        for place, text in own.files.items()
    }
    write_folder(texts, folder)
    yield load(loading, machine, PurePosixPath(folder))


def _await_quiet(machines: list[Machine]) -> None:
    """Wait until the addresses and routes of all machines stay the same."""
    n_equal, before = 0, None
    deadline_s = time.monotonic() + LONGEST_S
    while n_equal < QUIET_LOOKS and time.monotonic() < deadline_s:
        time.sleep(LOOK_S)
        now = [machine.run(["sh", "-c", STATE]).output for machine in machines]
        n_equal = n_equal + 1 if now == before else 0
        before = now


def _said(folder: Path) -> Iterator[str]:
    """Yield the complaints of a manager about its files."""
    log = folder / "log"
    text = log.read_text(errors="replace") if log.is_file() else ""
    for line in text.splitlines():
        if "ignoring" in line.lower() and ":" in line:
            yield line.strip()[:200]


def _not_loaded(own: OwnFiles) -> Iterator[str]:
    """Yield the files of daemons, which are not started."""
    for name in own.settings:
        if PurePosixPath(name).name == "frr.conf":
            yield f"{name}: daemons are not started here"


def _as_planned_elsewhere(
    planned: Planned,
    found: ClusterFacts,
    files: Mapping[str, OwnFiles],
    notes: Mapping[str, list[str]],
) -> ClusterFacts:
    """Return facts in which all that files do not decide is unknown, or as planned."""
    machines = [
        replace(
            machine,
            interfaces=tuple(map(_of_file, machine.interfaces)),
            hostname=None,
            serial=None,
            settings=Settings(files=_settings(files[machine.name])),
            missing=tuple(
                Missing("a part of the files", "it is not loaded", needs=note)
                for note in notes[machine.name]
            ),
            names={},
            neighbours=(),
            lldp=(),
        )
        for machine in found.machines
    ]
    lacking = [
        MachineFacts(name, failure="there is no folder for it")
        for name in planned.nodes
        if name not in files and not planned.nodes[name].host.is_switch
    ]
    return replace(found, machines=(*machines, *lacking), cables=tuple(_cables(planned)))


def _of_file(one: Interface) -> Interface:
    kind = "dummy" if one.kind == "ifb" else one.kind
    return replace(one, kind=kind, offloads={}, speed_mbps=None, duplex=None, pci=None)


def _settings(own: OwnFiles) -> dict[str, str]:
    return {name: text for name, text in own.settings.items() if len(text) < MOST_OF_SETTING}


def _cables(planned: Planned) -> Iterator[Cable]:
    """Yield the cables of the plan, as a probe would find them."""
    segments: dict[str, list[tuple[str, str]]] = {}
    for cable in planned.cables:
        ports = [(end.node, end.port) for end in cable.ends if not end.place]
        place = next((end.place for end in cable.ends if end.place), "")
        if place:
            segments.setdefault(place, []).extend(ports)
        else:
            yield Cable(tuple(ports), "plan", "sure")
    yield from (Cable(tuple(each), "plan", "shared") for each in segments.values() if len(each) > 1)
