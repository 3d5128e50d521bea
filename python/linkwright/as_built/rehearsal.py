"""Files written by hand, loaded in the nodes of a cluster that is up, by their real managers.

A node takes the names of the machine's ports and loses what the plan gave it; then the manager of
its files loads them, and FRR its configuration. A node without files stays as planned. Only
namespaces of the cluster are touched: of the kernel's parameters, those of the network alone.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from linkwright.as_built.own_files import HINT, OwnFiles, own_files
from linkwright.as_built.planned import Planned
from linkwright.errors import CapabilityError, RunError, UsageError, shown, shown_path
from linkwright.files import write_atomically
from linkwright.files.folder import write_folder
from linkwright.machines import Machine
from linkwright.plan.exporters import EXPORTERS
from linkwright.plan.exporters.frr import FRR_START
from linkwright.plan.exporters.loading import Loaded, Loading, load
from linkwright.plan.exporters.node_plan import NodePlan
from linkwright.progress import Report

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["Rehearsal", "read_folders"]

LONGEST_S, LOOK_S, QUIET_LOOKS = 15.0, 0.3, 4
"""Time within which a manager is done, time between looks, and equal looks that show it."""
DAEMONS_S, QUIET_OF_DAEMONS = 60.0, 15
"""The same of routing daemons, which may wait for each other."""
TRY_DUMMY = "ip link add dev lw-dummy type dummy && ip link del dev lw-dummy"
DUMMY = re.compile(r"^(\s*(?:Kind|type|link-type)\s*[= ]\s*)dummy\b", re.MULTILINE)
"""An interface of type dummy in a file; one of type ifb takes addresses and routes as well."""
FAILED = "[fail]"
"""Word of ifupdown2 for a line of its file that is not in force."""
EMPTY = """
PATH=$PATH:/usr/sbin:/sbin
ip link del dev id0 2> /dev/null || true
for family in 4 6; do
    for priority in 1000 2000; do
        while ip -$family rule del priority $priority 2> /dev/null; do :; done
    done
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


@dataclass(frozen=True)
class Rehearsal:
    """Files of machines for the nodes of a network.

    Attributes
    ----------
    planned : Planned
        The plan, whose nodes name the folders.
    files : mapping of str to OwnFiles
        Files by node.
    strangers : tuple of str
        Folders that belong to no node.
    """

    planned: Planned
    files: Mapping[str, OwnFiles]
    strangers: tuple[str, ...]

    @property
    def lacking(self) -> tuple[str, ...]:
        """Nodes without a folder, which are not routed switches."""
        nodes = self.planned.nodes.items()
        return tuple(
            name for name, one in nodes if name not in self.files and not one.host.is_switch
        )

    @property
    def finds_routes(self) -> bool:
        """Whether routing daemons run on a node."""
        return any(one.finds_routes for one in self.files.values())

    @contextmanager
    def loaded(
        self,
        machine_of: Callable[[str], Machine],
        place: Path,
        report: Report = lambda *_: None,
    ) -> Iterator[list[Machine]]:
        """Load the files in nodes that are up, and yield the nodes when nothing changes any more;
        the managers stay until the end.

        Parameters
        ----------
        machine_of : callable
            Returns a node as a machine of the sandbox. Frames must move if routing daemons are
            started.
        place : Path
            An empty folder that the sandbox sees.
        report : callable
            Called with the number of machines that have loaded their files, of all.

        Raises
        ------
        CapabilityError
            If a manager is not installed.
        RunError
            If a manager refuses its files.
        """
        machines = [machine_of(name) for name in self.files]
        for machine in machines:
            _expect_managers(machine, self.files[machine.name])
        for machine in machines:
            _empty(machine, self.planned.nodes[machine.name])
        stands_in = _stands_in(machines[0])
        started: list[Loaded] = []
        try:
            for number, machine in enumerate(machines):
                report(number, len(machines), f"{machine.name} loads its files")
                own = self.files[machine.name]
                started += _load(machine, own, place / machine.name, stands_in=stands_in)
            _await_quiet(machines, has_daemons=self.finds_routes)
            yield machines
        finally:
            for one in started:
                if one.process is not None:
                    one.process.kill()
                    one.process.wait()

    def notes(self, place: Path) -> Mapping[str, list[str]]:
        """Return the complaints of managers, and what is not loaded, by node."""
        return {name: [*_said(place / name), *own.notes] for name, own in self.files.items()}


def read_folders(network: Network, folder: Path) -> Rehearsal:
    """Return the files of a folder with a folder per machine.

    Raises
    ------
    UsageError
        If there is no folder of a node, or its files belong to two managers.
    CapabilityError
        If the machines have bonds.
    """
    planned = Planned(network)
    if not folder.is_dir():
        raise UsageError(f"{shown_path(folder)} is no folder", HINT)
    found, taken = {}, set()
    for name, plan in planned.nodes.items():
        of = next((folder / one for one in (name, plan.host.name) if (folder / one).is_dir()), None)
        if of is not None:
            found[name] = own_files(of)
            taken.add(of.name)
    if not found:
        raise UsageError(f"{shown_path(folder)} has no folder of a node of the design", HINT)
    if network.wiring.bonds.size:
        raise CapabilityError(
            "files of machines with bonds are not loaded here", "compare facts of the machines"
        )
    others = sorted(one.name for one in folder.iterdir() if one.is_dir() and one.name not in taken)
    return Rehearsal(planned, found, tuple(map(shown, others)))


def _expect_managers(machine: Machine, own: OwnFiles) -> None:
    """Refuse files whose programs are not installed, before anything is changed."""
    for loading in _loadings(own):
        for program in loading.programs:
            if machine.run(["test", "-x", program.place]).code:
                raise CapabilityError(
                    f"the files of {machine.name} need {program.place}, which is missing",
                    f"apt install {program.package}",
                )


def _loadings(own: OwnFiles) -> Iterator[Loading]:
    if own.target:
        loading = EXPORTERS[own.target].loading
        assert loading is not None, "managers that read files by hand can load them"
        yield loading
    if own.daemons:
        yield FRR_START


def _empty(machine: Machine, plan: NodePlan) -> None:
    """Take away what the node has, and give its ports the names of the machine."""
    script = EMPTY
    ports = [one for one in plan.interfaces if one.is_nic]
    renamed = [(f"lw-{index}", one) for index, one in enumerate(ports) if one.name != one.nic]
    for one in ports:
        script += PORT.format(nic=one.nic)
        if one.mac:
            script += f'ip link set dev "{one.nic}" address {one.mac}\n'
    # Two ports may have each other's names.
    script += "".join(f'ip link set dev "{one.nic}" name {name}\n' for name, one in renamed)
    script += "".join(f'ip link set dev {name} name "{one.name}"\n' for name, one in renamed)
    done = machine.run(["sh", "-euc", script])
    if done.code:
        raise RunError(f"{machine.name}: {done.errors.strip()}", "report it with the design")


def _stands_in(machine: Machine) -> bool:
    """Return whether the kernel lacks interfaces of type dummy, so that others stand for them."""
    made = machine.run(["sh", "-c", f"PATH=$PATH:/usr/sbin; {TRY_DUMMY}"])
    return made.code != 0


def _load(machine: Machine, own: OwnFiles, folder: Path, *, stands_in: bool) -> Iterator[Loaded]:
    """Let a machine load its files; a machine without files of a manager has none."""
    for loading in _loadings(own):
        is_frr = loading is FRR_START
        given = own.daemons if is_frr else own.files
        texts = {
            name: loading.adapted(name, DUMMY.sub(r"\1ifb", text) if stands_in else text)
            for name, text in given.items()
        }
        place = folder / ("frr" if is_frr else "manager")
        write_folder(texts, place)
        try:
            yield load(loading, machine, PurePosixPath(place))
        except RunError as error:
            # It has brought up all that it could; the comparison shows the rest.
            failed = [line for line in error.message.splitlines() if FAILED in line]
            if not failed:
                raise
            write_atomically(place / "log", "".join(f"{line}\n" for line in failed))


def _await_quiet(machines: list[Machine], *, has_daemons: bool) -> None:
    """Wait until the addresses and routes of all machines stay the same."""
    n_equal, before = 0, None
    enough = QUIET_OF_DAEMONS if has_daemons else QUIET_LOOKS
    deadline_s = time.monotonic() + (DAEMONS_S if has_daemons else LONGEST_S)
    while n_equal < enough and time.monotonic() < deadline_s:
        time.sleep(LOOK_S)
        now = [machine.run(["sh", "-c", STATE]).output for machine in machines]
        n_equal = n_equal + 1 if now == before else 0
        before = now


def _said(folder: Path) -> Iterator[str]:
    """Yield the complaints of the programs about their files."""
    for log in sorted(folder.glob("*/log")):
        text = log.read_text(errors="replace")
        for line in text.splitlines():
            if FAILED in line or ("ignoring" in line.lower() and ":" in line):
                yield line.strip()[:200]
