"""The folder of a study: inputs, manifest, the parts that workers write, and their merged rows.

    study.id           by which workers know the folder
    manifest.json      versions, hosts, axes
    inputs/            the study as it was given, and whole; copies of the files that it names
    parts/             a Parquet file per chunk of runs
    jobs/              scripts and logs of the jobs of a cluster, while they run
    merged/            the rows of all parts in order, and the runs with their times and errors

Every file named *.parquet has rows, and all have the same columns and types, so that other tools
read the folder by one pattern; the file of the runs, which has other columns, ends in .pq.

A program killed at any time leaves parts that are whole, and `merged` before or after a merge. The
merge notes the parts that it took; such a part counts no more, whether it is deleted or not.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from linkwright import calibrations
from linkwright.errors import OutputError, UsageError, shown_path
from linkwright.files import MEBIBYTE, read_text, write_atomically
from linkwright.files.folder import write_folder
from linkwright.files.owned import STUDY_ID
from linkwright.files.writing import lock, remove_leftovers
from linkwright.notebook import Shown
from linkwright.results import Manifest
from linkwright.results.parquet import table_bytes
from linkwright.study.arrow_frames import ArrowTabular, with_categories
from linkwright.study.code import code_digest
from linkwright.study.columns import axis_columns
from linkwright.study.inputs import Inputs
from linkwright.study.parts import (
    Done,
    Part,
    damaged,
    metadata_in,
    part_name,
    pyarrow,
    row_schema,
    runs_of,
    runs_table,
    table_in,
)
from linkwright.study.points import plan
from linkwright.study.study_file import SeedsUntil, Study
from linkwright.study.worker import Shared
from linkwright.text.json_text import JsonError, read_json

__all__ = ["Progressed", "StudyFolder"]

MANIFEST, INPUTS, PARTS, MERGED = "manifest.json", "inputs", "parts", "merged"
JOBS = "jobs"
WHOLE = "inputs/whole.json"
ROWS, RUNS = "merged/rows.parquet", "merged/runs.pq"
TAKEN = b"linkwright.parts"
"""Metadata of the merged runs: the names of the parts that were merged."""
REMARKS = b"linkwright.remarks"
FORMAT = 2
"""Version of the folder."""
_MOST_BYTES = 4096 * MEBIBYTE
_HINT = "give the folder of a study, which `linkwright study FILE -o FOLDER` makes"


@dataclass(frozen=True)
class Unmerged:
    """Parts that are not merged.

    Attributes
    ----------
    parts, broken : sequence of Path
        The parts, and files among them that are none.
    runs : sequence of Done
        Their runs, each once.
    remarks : sequence of str
        Remarks about them, each once.
    has_doubles : bool
        Whether two parts have rows of the same run.
    """

    parts: Sequence[Path]
    broken: Sequence[Path]
    runs: Sequence[Done]
    remarks: Sequence[str]
    has_doubles: bool


@dataclass(frozen=True)
class Progressed:
    """The content of a folder.

    Attributes
    ----------
    done : sequence of Done
        Runs that have ended, in the order of points and seeds.
    remarks : sequence of str
        Remarks about them, each once.
    unmerged : Unmerged
        Parts that are not merged.
    """

    done: Sequence[Done]
    remarks: Sequence[str]
    unmerged: Unmerged


class StudyFolder(Shown, ArrowTabular):
    """The folder of a study on disk.

    Parameters
    ----------
    path : path-like
        The folder, which `create` or an earlier study has made.

    Raises
    ------
    UsageError
        If it is not the folder of a study, or of another version of its format.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.realpath(path))
        text = read_text(self.path / MANIFEST, "manifest", most_bytes=_MOST_BYTES, hint=_HINT)
        try:
            self.manifest: dict[str, Any] = read_json(text)
            found = self.manifest["format"]
            self._made = {name: self.manifest[name] for name in ("code", "version")}
            self._started = str(self.manifest["manifest"]["started"])
        except (JsonError, KeyError, TypeError):
            raise UsageError(f"{shown_path(path)} is not the folder of a study", _HINT) from None
        if found != FORMAT:
            raise UsageError(
                f"{shown_path(path)} has format {found} of studies, this version reads {FORMAT}",
                "read it with the version of Linkwright that wrote it",
            )

    @property
    def summary(self) -> str:
        """The study and its folder."""
        return f"{self.study.name} in {shown_path(self.path)}"

    @classmethod
    def create(cls, path: str | os.PathLike[str], study: Study) -> StudyFolder:
        """Return the folder of a study, made if it does not exist.

        Raises
        ------
        OutputError
            If the folder holds something else, such as another study.
        """
        target, inputs = Path(os.path.realpath(path)), Inputs.of(study)
        if (target / MANIFEST).exists():
            return cls._of_same(target, inputs)
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise OutputError(
                f"folder {shown_path(path)} holds something other than a study",
                "choose another folder with -o",
            )
        whole = json.dumps(inputs.study.document(), indent=1, ensure_ascii=False) + "\n"
        files: dict[str, str | bytes] = {
            STUDY_ID: secrets.token_hex(16),
            MANIFEST: _manifest(inputs.study),
            f"{INPUTS}/study.yaml": study.text or whole,
            WHOLE: whole,
            f"{PARTS}/README": "Rows of single chunks of runs, until they are merged.\n",
            **{f"{INPUTS}/{name}": content for name, content in inputs.files.items()},
        }
        try:
            write_folder(files, target)
        except OutputError:
            # Another program may have made it in the meantime.
            if (target / MANIFEST).exists():
                return cls._of_same(target, inputs)
            raise
        return cls(target)

    @classmethod
    def _of_same(cls, target: Path, inputs: Inputs) -> StudyFolder:
        folder = cls(target)
        folder._expect_same(inputs)
        return folder

    def _expect_same(self, inputs: Inputs) -> None:
        where, found = shown_path(self.path), self._made
        if self._fields != json.loads(json.dumps(inputs.study.document())):
            raise OutputError(
                f"folder {where} holds another study", "choose another folder with -o"
            )
        if found["code"] != code_digest():
            raise OutputError(
                f"folder {where} was made by another build of Linkwright ({found['version']})",
                "choose another folder with -o; `linkwright study --again FOLDER` compares the two",
            )

    @cached_property
    def _fields(self) -> dict[str, Any]:
        """Keys and values of the study."""
        file = self.path / WHOLE
        text = read_text(file, "study", most_bytes=_MOST_BYTES, hint=_HINT)
        try:
            return dict(read_json(text))
        except (ValueError, TypeError) as error:
            raise damaged(file, error) from None

    @cached_property
    def study(self) -> Study:
        """The study, whose files are copies in the folder."""
        return Study.from_fields(self._fields, self.path / INPUTS)

    @property
    def axes(self) -> dict[str, str]:
        """Type of the column of each axis: bool, int, float or text."""
        return dict(axis_columns(self.study).values())

    def axis_values(self, column: str) -> set[Any]:
        """Return the values of the column of an axis in all points, also in those without rows.

        The set is empty for another column.
        """
        names = list(self.axes)
        if column not in names:
            return set()
        place = names.index(column)
        found = {point.cells[place] for point in plan(self.study)}
        return found - {None}

    @property
    def setting(self) -> Shared:
        """The facts of the study that a worker needs."""
        study, background = self.study, self.study.background
        seeds = study.seeds
        return Shared(
            name=study.name,
            token=read_text(self.path / STUDY_ID, "", hint=_HINT),
            folder=str(self.path),
            axes=self.axes,
            background=None if background is None else (background.name, background.settings),
            options=study.options,
            metrics=study.metrics,
            plan=tuple(study.plan),
            until=seeds.metric if isinstance(seeds, SeedsUntil) else "",
        )

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other programs from running the same study.

        Raises
        ------
        OutputError
            If one does.
        """
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            if not lock(descriptor):
                raise OutputError(
                    f"another program runs the study in {shown_path(self.path)}",
                    "wait for its end, or choose another folder with -o",
                )
            yield
        finally:
            os.close(descriptor)

    def progressed(self) -> Progressed:
        """Return the runs that have ended, and the files that have their rows."""
        merged, remarks = self._merged()
        found: dict[str, Done] = {run.key: run for run in merged}
        left = self.unmerged()
        remarks.update(dict.fromkeys(left.remarks))
        for run in left.runs:
            # A run that failed may have been repeated.
            if run.key not in found or found[run.key].has_failed:
                found[run.key] = run
        done = sorted(found.values(), key=lambda run: (run.point, run.repeat))
        return Progressed(done, list(remarks), left)

    def unmerged(self) -> Unmerged:
        """Return the parts that are not merged, without a look at the merged runs."""
        taken = self._taken()
        runs: dict[str, Done] = {}
        remarks: dict[str, None] = {}
        parts: list[Path] = []
        broken: list[Path] = []
        has_doubles = False
        for file in sorted((self.path / PARTS).glob("*.parquet")):
            if file.name in taken:
                continue
            try:
                new, more = _part_runs(file)
            except ValueError:
                broken.append(file)
                continue
            parts.append(file)
            remarks.update(dict.fromkeys(more))
            for run in new:
                if run.key not in runs or runs[run.key].has_failed:
                    runs[run.key] = run
                elif not run.has_failed:
                    has_doubles = True
        return Unmerged(parts, broken, list(runs.values()), list(remarks), has_doubles)

    def _taken(self) -> set[str]:
        """Return the names of the parts that are merged."""
        if not self.merged_runs.exists():
            return set()
        return set(metadata_in(self.merged_runs, TAKEN))

    def _merged(self) -> tuple[list[Done], dict[str, None]]:
        """Return the merged runs and their remarks."""
        if not self.merged_runs.exists():
            return [], {}
        table_in(self.merged_rows, [])  # damaged rows are no reason to call their runs done
        columns = table_in(self.merged_runs, [one.name for one in fields(Done)])
        runs = [Done(*row) for row in zip(*(one.to_pylist() for one in columns), strict=True)]
        return runs, dict.fromkeys(metadata_in(self.merged_runs, REMARKS))

    @property
    def pool_files(self) -> Path:
        """Folder for files of the workers' pool, which exists only while it needs it."""
        return self.path / JOBS

    @property
    def merged_rows(self) -> Path:
        """File of the merged rows, which may not exist."""
        return self.path / ROWS

    @property
    def merged_runs(self) -> Path:
        """File of the merged runs, which may not exist."""
        return self.path / RUNS

    def to_arrow(self) -> Any:
        """Return the rows as a table of PyArrow, in which text that repeats is a dictionary.

        The columns are those of results, of the axes, and `point` and `key`. Rows of a study that
        still runs are in the order in which they were written.
        """
        arrow, _ = pyarrow()
        schema = row_schema(self.axes)
        merged = [table_in(self.merged_rows)] if self.merged_rows.exists() else []
        tables = [schema.empty_table(), *merged, *self._unmerged_tables(self.unmerged().parts)]
        bare = [table.replace_schema_metadata(None).cast(schema) for table in tables]
        return with_categories(arrow.concat_tables(bare))

    def values(self, metric: str) -> dict[str, tuple[float, ...]]:
        """Return the values of a metric by the key of their run."""
        found: dict[str, list[float]] = {}
        for file in self.row_files():
            table = table_in(file, ["key", "metric", "value"])
            for key, name, value in zip(*(one.to_pylist() for one in table.columns), strict=True):
                if name == metric:
                    found.setdefault(key, []).append(value)
        return {key: tuple(values) for key, values in found.items()}

    def write_part(self, name: str, content: bytes) -> None:
        """Write a part that a worker could not write."""
        write_atomically(self.path / PARTS / name, content)

    def write_failures(self, failed: Sequence[Done]) -> None:
        """Write a part of runs without rows, which ended their workers."""
        schema = row_schema(self.axes)
        part = Part({name: [] for name in schema.names}, failed)
        self.write_part(part_name(failed), part.to_bytes(self.axes))

    def row_files(self) -> list[Path]:
        """Return the files that have all rows, each once."""
        merged = self.merged_rows
        return [*([merged] if merged.exists() else []), *self.unmerged().parts]

    def tidy(self) -> None:
        """Delete parts that are merged or broken, and the leftovers of killed programs. Needs the
        lock.
        """
        shutil.rmtree(self.pool_files, ignore_errors=True)
        for folder in (self.path, self.path / PARTS):
            remove_leftovers(folder)
        for name in self._taken():
            (self.path / PARTS / name).unlink(missing_ok=True)
        for file in self.unmerged().broken:
            file.unlink()

    def merge(self) -> None:
        """Merge all parts into one file of rows in the order of points and seeds. Needs the lock.

        The bytes of the rows do not depend on the workers or on the division into parts.
        """
        arrow, _ = pyarrow()
        found = self.progressed()
        parts = found.unmerged.parts
        if not parts:
            return
        tables = [table_in(self.merged_rows)] if self.merged_rows.exists() else []
        tables += self._unmerged_tables(parts)
        schema = row_schema(self.axes)
        rows = arrow.concat_tables(
            [table.replace_schema_metadata(None).cast(schema) for table in tables]
        )
        order = [("point", "ascending"), ("repeat", "ascending")]
        rows = rows.take(arrow.compute.sort_indices(rows, sort_keys=order)).combine_chunks()
        notes = {TAKEN: [file.name for file in parts], REMARKS: list(found.remarks)}
        runs_ended = runs_table(found.done).replace_schema_metadata(
            {name: json.dumps(note) for name, note in notes.items()}
        )
        names = (Path(ROWS).name, Path(RUNS).name)
        files = dict(zip(names, map(table_bytes, (rows, runs_ended)), strict=True))
        write_folder(files, self.path / MERGED, force=True)
        for file in parts:
            file.unlink(missing_ok=True)

    def _unmerged_tables(self, parts: Iterable[Path]) -> Iterator[Any]:
        """Yield the rows of parts, without those of runs that an earlier file has."""
        arrow, _ = pyarrow()
        seen = {run.key for run in self._merged()[0] if not run.has_failed}
        for file in parts:
            table, (runs, _) = table_in(file), _part_runs(file)
            new = {run.key for run in runs if not run.has_failed} - seen
            seen |= new
            mask = arrow.compute.is_in(table["key"], arrow.array(sorted(new), arrow.string()))
            yield table.filter(mask)

    def finished(self, command: Sequence[str]) -> None:
        """Note the command and the time of the end in the manifest."""
        text = _manifest(self.study, command, self._started)
        write_atomically(self.path / MANIFEST, text)


def _part_runs(file: Path) -> tuple[list[Done], list[str]]:
    """Return the runs and remarks of a part.

    Raises
    ------
    ValueError
        If the file is no part, or not a whole one.
    """
    arrow, parquet = pyarrow()
    if not file.is_file():
        raise ValueError("is no regular file")
    try:
        return runs_of(parquet.read_schema(file).metadata)
    except (arrow.ArrowException, OSError, TypeError) as error:
        raise ValueError(str(error)) from None


def _manifest(study: Study, command: Sequence[str] = (), started: str | None = None) -> str:
    now = datetime.now(UTC)
    begun = datetime.fromisoformat(started) if started else now
    made = Manifest.of(started=begun, finished=now, command=command, hosts=dict(_hosts(study)))
    return (
        json.dumps(
            {
                "format": FORMAT,
                "study": study.name,
                "version": made.version,
                "code": code_digest(),
                "axes": dict(axis_columns(study).values()),
                "manifest": made.model_dump(mode="json"),
            },
            indent=1,
            ensure_ascii=False,
        )
        + "\n"
    )


def _hosts(study: Study) -> Iterable[tuple[str, dict[str, dict[str, Any]]]]:
    """Yield the constants of the hosts that the study names."""
    for entry in study.hosts:
        if entry.calibration is not None and not entry.calibration.endswith(".toml"):
            hosts = calibrations.load(entry.calibration)
            yield hosts.name, hosts.published()
