"""Refusals: all combinations of inputs and observations that an engine or the hosts do not have.

An engine that ignored such an input would answer another question.
"""

from __future__ import annotations

from dataclasses import fields

from linkwright.calibrations import Calibration
from linkwright.engines.engine import ENGINES, Engine
from linkwright.engines.inputs import Run
from linkwright.errors import CapabilityError, UsageError, shown, unknown_name
from linkwright.observations.observation import ROWS_ALONE, Observation
from linkwright.placement import IN_ORDER
from linkwright.workloads import PATTERNS, Background, Pattern, Workload

__all__ = ["refuse_beyond", "refuse_links"]

EVERY_FRAME = "packet"
"""The engine to choose if single frames matter."""


def refuse_beyond(engine: Engine, run: Run, wanted: Observation = ROWS_ALONE) -> None:
    """Check that an engine and the hosts of a run support everything in the run.

    Raises
    ------
    CapabilityError
        If the engine lacks an input's feature, or something that is wanted of the run.
    UsageError
        If inputs exclude each other, no engine has one of them, or the workload uses disks that the
        hosts do not have.
    """
    _refuse_unseen(engine, run, wanted)
    if engine.counts_loads:
        _refuse_beyond_patterns(run)
        return
    for option in run.options:
        if option not in engine.options:
            _refuse_option(engine, option)
    if run.draw is not None and engine.origin != "predicted":
        raise CapabilityError(
            f"the {engine.name} engine measures, and has no constants of hosts to draw",
            "leave out --draws, or repeat the measurement with --repeat",
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
    if engine.moves_frames:
        _refuse_cold_routed_switches(run)
    for one in (run.workload,) if run.background is None else (run.workload, run.background):
        if not engine.moves_frames:
            _refuse_frames(engine, one, run)
        _require_disks(one, run)


def _refuse_unseen(engine: Engine, run: Run, wanted: Observation) -> None:
    """Refuse to observe several runs, or anything that the engine does not have."""
    if wanted.page and (wanted.has_frames or wanted.timeline):
        raise UsageError("a page plays a run without a file of it", "write it by a second command")
    if wanted and (run.repeats != 1 or run.draw is not None):
        watched = "--trace, --traffic and --timeline watch one run"
        raise UsageError(
            "a page plays one run" if wanted.page else watched,
            f"leave out {'--repeat' if run.draw is None else '--draws'}",
        )
    if wanted.page and not engine.has_pages:
        raise CapabilityError(
            f"the {engine.name} engine does not run in a page, the {EVERY_FRAME} engine does",
            "leave out --engine and --precision, or write .json, .csv or .parquet",
        )
    if wanted.has_frames and not engine.has_traffic:
        raise CapabilityError(
            f"the {engine.name} engine has no frames to capture or count, the {EVERY_FRAME} engine "
            "has",
            "leave out --trace and --traffic, or --engine and --precision",
        )
    if wanted.timeline and (engine.origin != "predicted" or engine.counts_loads):
        raise CapabilityError(
            f"the {engine.name} engine has no time line, the predictive engines have",
            "leave out --timeline, or name another --engine",
        )


def _refuse_option(engine: Engine, option: str) -> None:
    owner = next((name for name, other in ENGINES.items() if option in other.options), None)
    if owner is None:
        known = [*(one.name for one in fields(Run)), *engine.options]
        raise UsageError(f"a run has no input {shown(option)}", unknown_name(option, known))
    raise CapabilityError(
        f"the {engine.name} engine has no {option}",
        f"leave out --{option}, or use the {owner} engine",
    )


def _refuse_beyond_patterns(run: Run) -> None:
    """Refuse inputs on which the loads of a pattern do not depend."""
    if not isinstance(run.workload, Pattern):
        raise UsageError(
            f"saturation needs a pattern, workload {run.workload.name} is none",
            unknown_name(run.workload.name, PATTERNS),
        )
    given = {
        "placements": run.placement != IN_ORDER,
        "faults": run.faults,
        "background": run.background,
        "draws": run.draw,
        **run.options,
    }
    for name, value in given.items():
        if value:
            raise UsageError(
                f"saturation does not depend on {name}", f"leave out '{name}', or saturation"
            )


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
