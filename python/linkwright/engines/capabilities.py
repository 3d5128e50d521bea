"""Refusals: inputs of a run that its engine does not model or its hosts do not have.

An engine that ignored such an input would answer another question.
"""

from __future__ import annotations

from linkwright.calibrations import Calibration
from linkwright.engines.engine import ENGINES, Engine
from linkwright.errors import CapabilityError, UsageError, shown, unknown_name
from linkwright.results import Run
from linkwright.workloads import Background, Workload

__all__ = ["engine_named", "refuse_beyond", "refuse_links"]

EVERY_FRAME = "packet"
"""The engine to choose if single frames matter."""


def engine_named(name: str) -> Engine:
    """Return an engine by its name.

    Raises
    ------
    UsageError
        If there is none.
    """
    if name not in ENGINES:
        raise UsageError(f"unknown engine {shown(name)}", unknown_name(name, ENGINES))
    return ENGINES[name]


def refuse_beyond(engine: Engine, run: Run) -> None:
    """Check that an engine and the hosts of a run support everything in the run.

    Raises
    ------
    CapabilityError
        If the engine lacks an input's feature.
    UsageError
        If the workload uses disks that the hosts do not have.
    """
    if run.dilation is not None and engine.origin == "predicted":
        raise CapabilityError(
            f"the {engine.name} engine has no dilation", "leave out --dilation, or emulate"
        )
    if run.draw is not None and engine.origin != "predicted":
        raise CapabilityError(
            f"the {engine.name} engine measures, and has no constants of hosts to draw",
            "leave out --draws, or repeat the measurement with --repeat",
        )
    if run.precision is not None and not engine.has_precision:
        raise CapabilityError(
            f"the {engine.name} engine has no precision",
            "leave out --precision, or use the flow engine",
        )
    if run.faults and not engine.has_faults:
        raise CapabilityError(
            f"parts cannot fail in the {engine.name} engine", "use the packet engine"
        )
    if run.background is not None and not engine.shares_links:
        raise CapabilityError(
            f"background {run.background.name}: ranks share nothing in the {engine.name} engine, "
            "so a background changes nothing",
            "use the packet engine, or flow",
        )
    if engine.name == EVERY_FRAME:
        _refuse_cold_routed_switches(run)
    for one in (run.workload,) if run.background is None else (run.workload, run.background):
        if not engine.moves_frames:
            _refuse_frames(engine, one, run)
        _require_disks(one, run)


def _refuse_cold_routed_switches(run: Run) -> None:
    """Refuse the resolution of hardware addresses by routed switches."""
    is_routed = run.network.wiring.is_routed_switch
    if run.hosts.links.arp.value == "cold" and is_routed.any():
        name = run.network.device_names[int(is_routed.argmax())]
        raise CapabilityError(
            f"links.arp is cold, and the routed switch {name} does not resolve addresses in the "
            f"{EVERY_FRAME} engine",
            "set links.arp to warm, or emulate",
        )


def _refuse_frames(engine: Engine, workload: Workload, run: Run) -> None:
    """Refuse inputs whose effect only an engine of single frames models."""
    refuse_links(engine.name, run.hosts, resolves_addresses=engine.origin == "measured")
    if workload.sends_datagrams:
        other = ", or protocol=tcp" if isinstance(workload, Background) else ""
        raise _unmodelled(f"workload {workload.name} sends datagrams", engine.name, other)


def refuse_links(engine: str, hosts: Calibration, *, resolves_addresses: bool = False) -> None:
    """Check that an engine without frames of the model models the links of hosts.

    Parameters
    ----------
    engine : str
        Its name.
    hosts : Calibration
        The hosts.
    resolves_addresses : bool
        Whether its nodes ask for hardware addresses that they do not know, as kernels do.

    Raises
    ------
    CapabilityError
        If it does not.
    """
    asked = {
        "links.arp is cold": hosts.links.arp.value == "cold" and not resolves_addresses,
        "links.flow_control is pause": hosts.links.flow_control.value == "pause",
    }
    for what, is_asked in asked.items():
        if is_asked:
            raise _unmodelled(what, engine)


def _unmodelled(what: str, engine: str, other: str = "") -> CapabilityError:
    return CapabilityError(
        f"{what}, which engine {engine} does not model", f"choose --engine {EVERY_FRAME}{other}"
    )


def _require_disks(workload: Workload, run: Run) -> None:
    """Refuse a workload that uses disks if the calibration has no constants of disks."""
    if workload.uses_disks and run.hosts.disk is None:
        raise UsageError(
            f"workload {workload.name} uses disks, and calibration {run.hosts.name} has no "
            "constants of disks",
            "give it a section [disk] with access, read, write and gather_bytes",
        )
