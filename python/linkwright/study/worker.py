"""A worker: makes the runs of a chunk one after the other, and writes their rows as one part.

It may be in another process or on another machine. It writes into the folder of the study if it
sees it, and otherwise sends the part back.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from linkwright import calibrations, engines
from linkwright.design.cluster import Cluster
from linkwright.errors import LinkwrightError
from linkwright.files import write_atomically
from linkwright.files.owned import STUDY_ID
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.results import Result
from linkwright.results.figures import UNREPEATABLE_FIGURES
from linkwright.results.schema import COLUMNS, MAPPINGS
from linkwright.study.design_figures import DesignFigure, design_figures, with_figures
from linkwright.study.inputs import kind_named
from linkwright.study.parts import Done, Part, part_name
from linkwright.study.points import Planned
from linkwright.study.study_file import PlanFigure
from linkwright.workloads import Workload

__all__ = ["Chunk", "Ended", "Shared", "duration_s", "ended", "run_chunk"]


@dataclass(frozen=True)
class Shared:
    """All that the runs of a study share.

    Attributes
    ----------
    name : str
        Name of the study.
    token : str
        Content of the file by which a worker knows the folder.
    folder : str
        Absolute path of the folder of the study.
    axes : mapping of str to str
        Type of each axis column.
    background : tuple of str and mapping, optional
        Name and settings of the background traffic.
    options : mapping of str to float
        Inputs that the engine alone has.
    metrics : sequence of str, optional
        Metrics to keep.
    plan : tuple of str
        Figures of each design.
    until : str
        Metric whose values decide about more seeds; empty if none do.
    """

    name: str
    token: str
    folder: str
    axes: Mapping[str, str]
    background: tuple[str, Mapping[str, Any]] | None = None
    options: Mapping[str, float] = field(default_factory=dict)
    metrics: Sequence[str] | None = None
    plan: tuple[PlanFigure, ...] = ()
    until: str = ""

    @property
    def inputs(self) -> Path:
        """Folder that paths in designs and workloads are relative to."""
        return Path(self.folder) / "inputs"


@dataclass(frozen=True)
class Chunk:
    """Runs for one worker.

    Attributes
    ----------
    runs : sequence of Planned
    most_s : float
        Time after which the worker stops and returns the rest.
    """

    setting: Shared
    runs: Sequence[Planned]
    most_s: float


@dataclass(frozen=True)
class Ended:
    """The end of a chunk.

    Attributes
    ----------
    runs : sequence of Done
        Runs that have ended, in order; the rest of the chunk has not begun.
    values : mapping of str to tuple of float
        Values of the metric that decides about more seeds, by key.
    part : tuple of str and bytes, optional
        Name and content of the part, if the worker could not write it.
    """

    runs: Sequence[Done]
    values: Mapping[str, tuple[float, ...]]
    part: tuple[str, bytes] | None


def run_chunk(chunk: Chunk) -> Ended:
    """Make the runs of a chunk and write their rows.

    An error of a run ends only that run.
    """
    setting, rows, end_s = chunk.setting, _Rows(chunk.setting), time.monotonic() + chunk.most_s
    for planned in chunk.runs:
        rows.add(planned)
        if time.monotonic() > end_s:
            break
    part = Part(rows.columns, rows.runs, list(rows.remarks))
    name, content = part_name(rows.runs), part.to_bytes(setting.axes)
    folder = Path(setting.folder)
    if _is_here(folder, setting.token):
        write_atomically(folder / "parts" / name, content)
        return Ended(rows.runs, rows.values, None)
    return Ended(rows.runs, rows.values, (name, content))


def duration_s(setting: Shared, planned: Planned) -> float:
    """Make a run without keeping its rows, and return the time that it took, in seconds."""
    rows = _Rows(setting)
    rows.add(planned)
    return rows.runs[0].wall_s


def ended(
    planned: Planned, axes: Iterable[str], wall_s: float, error: tuple[str, str, str]
) -> Done:
    """Return the end of a run: its time, and class, message and hint of its error or empty texts.

    Only a failed run is described in words.
    """
    point = planned.point
    place = point.described(axes) if error[0] else ""
    return Done(
        point.number, planned.repeat, planned.seed, planned.key, wall_s, *error, place=place
    )


@dataclass
class _Rows:
    """Rows of the runs so far."""

    setting: Shared
    columns: dict[str, list[Any]] = field(default_factory=dict)
    runs: list[Done] = field(default_factory=list)
    values: dict[str, tuple[float, ...]] = field(default_factory=dict)
    remarks: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = {name: [] for name in ("point", "key", *self.setting.axes, *COLUMNS)}

    def add(self, planned: Planned) -> None:
        """Make a run and add its rows."""
        kind = message = hint = ""
        begin_s = time.monotonic()
        try:
            result = _result(planned, self.setting)
        except LinkwrightError as error:
            kind, message, hint = type(error).__name__, error.message, error.hint
        except Exception as error:
            # A bug ends one run of thousands; the study says so and goes on.
            kind, message = type(error).__name__, str(error)
        wall_s = time.monotonic() - begin_s
        self.runs.append(ended(planned, self.setting.axes, wall_s, (kind, message, hint)))
        if kind:
            return
        self.remarks.update(dict.fromkeys(result.remarks))
        self._add_rows(planned, result)

    def _add_rows(self, planned: Planned, result: Result) -> None:
        wanted = self.setting.metrics
        places = [
            place
            for place, metric in enumerate(result.column("metric"))
            if metric not in UNREPEATABLE_FIGURES
            and (wanted is None or metric in wanted or metric in self.setting.plan)
        ]
        own: dict[str, Any] = {
            "point": planned.point.number,
            "key": planned.key,
            "study": self.setting.name,
            "engine": planned.point.engine,
            "repeat": planned.repeat,
            "seed": planned.seed,
            **dict(zip(self.setting.axes, planned.point.cells, strict=True)),
        }
        for name, column in self.columns.items():
            if name in own:
                column.extend([own[name]] * len(places))
            else:
                cells = result.json_column(name) if name in MAPPINGS else result.column(name)
                column.extend(cells[place] for place in places)
        self._unplace(len(places), planned.key)
        if self.setting.until:
            values = zip(result.column("metric"), result.column("value"), strict=True)
            self.values[planned.key] = tuple(
                value for metric, value in values if metric == self.setting.until
            )

    def _unplace(self, n_new: int, key: str) -> None:
        """Take the folder of the study out of the paths in new rows, and of the name of their run:
        rows do not depend on its place.
        """
        folder = json.dumps(f"{self.setting.inputs}/", ensure_ascii=False)[1:-1]
        texts, runs = self.columns["parameters"], self.columns["run"]
        for row in range(len(texts) - n_new, len(texts)):
            if folder in texts[row]:
                texts[row] = texts[row].replace(folder, "")
                runs[row] = key[:12]


def _result(planned: Planned, setting: Shared) -> Result:
    """Return the rows of a run, and the figures of its design."""
    point = planned.point
    figures = _figures(point.design, point.without, setting.inputs, setting.plan)
    network = _network(point.design, point.without, setting.inputs)
    hosts = _hosts(point.calibration or network.calibration, point.constants, setting.inputs)
    background, placement = setting.background, point.placement
    if placement.startswith("@"):
        placement = f"@{setting.inputs / placement[1:]}"
    run = engines.Run.of(
        network,
        _workload(point.workload, json.loads(point.settings), setting.inputs),
        engine=point.engine,
        calibration=hosts,
        seed=planned.seed,
        study=setting.name,
        placement=placement,
        background=None if background is None else _workload(*background, setting.inputs),
        faults=point.faults,
    )
    run = replace(run, options=setting.options)
    return with_figures(engines.observe(run).result, figures)


@lru_cache(maxsize=16)
def _network(design: str, without: tuple[str, ...], folder: Path) -> Network:
    cluster = Cluster.from_fields(json.loads(design), folder)
    return compile_network(cluster, without=without)


@lru_cache(maxsize=16)
def _figures(
    design: str, without: tuple[str, ...], folder: Path, names: tuple[PlanFigure, ...]
) -> Mapping[PlanFigure, DesignFigure]:
    if not names:
        return {}
    return design_figures(_network(design, (), folder), _network(design, without, folder), names)


@lru_cache(maxsize=64)
def _hosts(name: str, constants: str, folder: Path) -> calibrations.Calibration:
    hosts = calibrations.load(str(folder / name) if name.endswith(".toml") else name)
    changes = json.loads(constants)
    return hosts.changed(changes) if changes else hosts


def _workload(name: str, settings: Mapping[str, Any], folder: Path) -> Workload:
    chosen = kind_named(name)
    placed = {key: str(folder / settings[key]) for key in chosen.files if key in settings}
    return chosen(**{**settings, **placed})


def _is_here(folder: Path, token: str) -> bool:
    """Return whether this machine sees the folder of the study."""
    try:
        return (folder / STUDY_ID).read_text(encoding="utf-8") == token
    except OSError:
        return False
