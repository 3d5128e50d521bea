"""Machines that have loaded files written by hand, in namespaces: the facts of their kernels.

A node is a network namespace with the ports of the plan, under the names that they have on the
machine, without addresses, and with the kernel's defaults. The manager of the files loads them;
when nothing changes any more, the kernel is asked as a real machine is. Cables are not in files, so
that they count as planned.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.as_built.own_files import OwnFiles
from linkwright.as_built.planned import Planned
from linkwright.as_built.rehearsal import Rehearsal, read_folders
from linkwright.emulation.cluster import quiet_wires
from linkwright.emulation.kernels import Kernels
from linkwright.emulation.sandbox import Sandbox
from linkwright.facts import Cable, ClusterFacts, Interface, MachineFacts, Missing, Settings, gather
from linkwright.machines import Machine
from linkwright.progress import Report

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["facts_of_files", "facts_of_loaded"]

MOST_OF_SETTING = 1 << 16


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
    rehearsal = read_folders(network, folder)
    kernels = Kernels(network, has_routes=False, has_marks=False)
    with (
        tempfile.TemporaryDirectory(prefix="linkwright-") as place,
        Sandbox(kernels.nodes, network) as sandbox,
    ):
        kernels.plug(kernels.cabled, has_carrier=True)
        with (
            quiet_wires(kernels, network),
            rehearsal.loaded(sandbox.machine, Path(place), report) as up,
        ):
            return facts_of_loaded(rehearsal, up, Path(place))


def facts_of_loaded(rehearsal: Rehearsal, machines: Sequence[Machine], place: Path) -> ClusterFacts:
    """Return the facts of nodes that have loaded their files.

    Parameters
    ----------
    rehearsal : Rehearsal
        The files.
    machines : sequence of Machine
        The nodes, which are up.
    place : Path
        Folder in which they were loaded.
    """
    return _as_planned_elsewhere(rehearsal, gather(machines), rehearsal.notes(place))


def _as_planned_elsewhere(
    rehearsal: Rehearsal, found: ClusterFacts, notes: Mapping[str, list[str]]
) -> ClusterFacts:
    """Return facts in which all that files do not decide is unknown, or as planned."""
    planned, files = rehearsal.planned, rehearsal.files
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
        MachineFacts(name, failure="there is no folder for it") for name in rehearsal.lacking
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
