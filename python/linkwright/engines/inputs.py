"""A run as a value: all inputs of a run, the engine among them, and the columns of its rows.

Every caller hands this value to `engines.observe`, with an `Observation` of what it wants of the
run. An input is added here: a field, and a keyword of `Run.of`; an input of one engine alone is a
name in `Engine.options`. Nothing is executed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import index
from typing import TYPE_CHECKING, Self

from linkwright import choices
from linkwright import faults as fault_texts
from linkwright.errors import UsageError, expect_kind, shown
from linkwright.network import Network
from linkwright.nodes.hosts import hosts_of
from linkwright.placement import IN_ORDER
from linkwright.records.plain_numbers import plain
from linkwright.results.design_columns import design_columns
from linkwright.workloads import BACKGROUNDS, Background, Workload

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.faults import Fault
    from linkwright.hardware.fleet import Fleet
    from linkwright.results.schema import Origin

__all__ = ["Run"]

MOST_REPEATS = 100_000
"""Largest number of repeats of one run, whose rows are all held in memory."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Run:
    """The inputs of one run of any engine, and of its repeats; see `Run.of`."""

    network: Network
    workload: Workload
    hosts: Calibration
    """Constants of the nodes."""
    engine: str = "packet"
    seed: int | None = 0
    """Determines every random choice; None if there is none."""
    repeats: int | None = 1
    """Number of runs that differ in their seeds; None for as many as chance needs."""
    study: str = ""
    """The question that the run belongs to."""
    placement: str = IN_ORDER
    """Node of each rank, by `placement.GRAMMAR`."""
    background: Background | None = None
    """Traffic of the front end during the run."""
    faults: tuple[Fault, ...] = ()
    options: Mapping[str, float] = field(default_factory=dict)
    """Inputs that the engine alone has, by the names in `Engine.options`."""
    draw: int | None = None
    """Number of the draw of the hosts' fitted constants; None for the constants as they are."""
    repeat: int = 0
    """Index among the repeats."""
    machines: Fleet | None = None
    """Machines of the nodes, for the engine that runs on them."""

    def __post_init__(self) -> None:
        for name in ("seed", "repeats", "options", "draw", "repeat"):
            object.__setattr__(self, name, plain(getattr(self, name)))

    @classmethod
    def of(
        cls,
        network: Network,
        workload: Workload,
        *,
        engine: str = "packet",
        calibration: str | Calibration | None = None,
        seed: int = 0,
        repeats: int | None = 1,
        draws: int | None = None,
        study: str = "",
        placement: str = IN_ORDER,
        background: Workload | None = None,
        faults: Sequence[str] = (),
        machines: Fleet | None = None,
        **options: float | None,
    ) -> Self:
        """Return the inputs of a run as one value, each with its type.

        Parameters
        ----------
        network, workload
            The compiled network and the workload.
        engine : str
            One of `ENGINES`.
        calibration : str or Calibration, optional
            Hosts: a name, a TOML file, or ``load(NAME).changed({...})``; else the catalogue's.
        seed, repeats : int
            Seed of the first repeat (repeat r has seed + r), and the number of independent runs;
            None for ``workload.n_seeds`` where chance matters, else 1.
        draws : int, optional
            Number of runs, each with its own seed and draw of the hosts' fitted constants, for the
            uncertainty of the prediction (`results.interval_of`); every row has its `draw`.
        study, placement : str
            The question, and the node of each rank by ``placement.GRAMMAR``; both in every row.
        background, faults : Workload, sequence of str
            Traffic of the front end (``keep-alive``, ``file-server``), and faults during the run by
            ``faults.GRAMMAR``; in every row.
        machines, **options
            Inputs of one engine, the numbers in every row if set: ``machines`` of hardware,
            ``precision`` of flow, its bound on late rates, ``exact_flows``, its messages with exact
            shares, ``dilation`` of the emulation, real seconds for one.

        Raises
        ------
        UsageError
            If an input has the wrong type or is out of range, or the hosts have fewer draws.
        """
        for name, value in (("engine", engine), ("placement", placement)):
            if not isinstance(value, str):
                raise UsageError(f"{name} {shown(value)} is not a text", f"give {name} by its name")
        choices.detail("engine %s", engine)
        expect_kind("run", network, Network)
        expect_kind("run", workload, Workload)
        hosts = hosts_of(network, calibration)
        return cls(
            network=network,
            workload=workload,
            hosts=hosts,
            engine=engine,
            seed=_seed(seed),
            repeats=_repeats(repeats) if draws is None else _drawn(hosts, repeats, draws),
            study=study,
            placement=placement,
            background=None if background is None else _background(background),
            faults=_faults(faults, network),
            options={name: value for name, value in options.items() if value is not None},
            draw=None if draws is None else 1,
            machines=machines,
        )

    def repeated(self, repeat: int) -> Self:
        """Return a repeat: with the next seed, and the next draw if constants are drawn."""
        run = replace(self, seed=(self.seed or 0) + repeat, repeat=repeat)
        if self.draw is None:
            return run
        draw = self.draw + repeat
        return replace(run, draw=draw, hosts=self.hosts.drawn(draw))

    @property
    def conditions(self) -> dict[str, object]:
        """Unusual circumstances of the workload, as JSON values; they are in every row."""
        found: dict[str, object] = {}
        if self.faults:
            found["faults"] = [fault.text for fault in self.faults]
        found |= {name: value for name, value in self.options.items() if value}
        if self.placement != IN_ORDER:
            found["placement"] = self.placement
        if self.background is not None:
            found["background"] = self.background.condition
        if self.draw is not None:
            found["draw"] = self.draw
        return found

    def columns(self, origin: Origin) -> dict[str, object]:
        """Return the columns that all rows of the run share, except its name and parameters."""
        return {
            "study": self.study,
            **design_columns(self.network),
            "engine": self.engine,
            "calibration": self.hosts.name,
            "workload": self.workload.name,
            "repeat": self.repeat,
            "seed": self.seed,
            "origin": origin,
        }


def _seed(seed: int) -> int:
    if not 0 <= index(seed) < 1 << 64:
        raise UsageError(f"seed {shown(seed)} is out of range", "choose one from 0 to 2^64 - 1")
    return index(seed)


def _faults(texts: Sequence[str], network: Network) -> tuple[Fault, ...]:
    if isinstance(texts, str):
        raise UsageError("faults are a list of texts, not one text", f"write [{shown(texts)}]")
    return fault_texts.parse(texts, network)


def _repeats(repeats: int | None) -> int | None:
    if repeats is None:
        return None
    if repeats < 1:
        raise UsageError(f"{repeats} repeats are too few", "ask for one or more")
    if repeats > MOST_REPEATS:
        raise UsageError(
            f"{repeats} repeats are too many, {MOST_REPEATS} are allowed",
            "ask for fewer, and start another run with another seed",
        )
    return repeats


def _drawn(hosts: Calibration, repeats: int | None, draws: int) -> int:
    """Return the number of runs that draw constants of their hosts."""
    if repeats not in (None, 1):
        raise UsageError("draws are runs with a seed each", "give repeats or draws, not both")
    if draws < 1:
        raise UsageError(f"{draws} draws are too few", "ask for one or more")
    hosts.drawn(draws)
    return draws


def _background(workload: Workload) -> Background:
    """Return a workload that can run in the background of another."""
    expect_kind("background", workload, Workload)
    if not isinstance(workload, Background):
        raise UsageError(
            f"workload {workload.name} cannot run in the background",
            f"choose {' or '.join(BACKGROUNDS)}",
        )
    if "count" in workload.model_fields_set:
        raise UsageError(
            f"background {workload.name} runs until the workload ends, whatever its count",
            "leave out count",
        )
    return workload
