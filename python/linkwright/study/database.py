"""Questions to the folder of a study, in SQL: DuckDB over its Parquet files.

A question reads the folder and nothing else, and writes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkwright.errors import CapabilityError, UsageError, unknown_name
from linkwright.files import MEBIBYTE
from linkwright.frames import expect_library
from linkwright.notebook import Brief, Shown, counted
from linkwright.study.arrow_frames import ArrowTabular, with_categories
from linkwright.study.folder import StudyFolder
from linkwright.study.parts import damaged, expect_regular, pyarrow, row_schema, runs_table

__all__ = ["STATISTICS", "Answer", "Database", "quoted"]

MOST_ANSWER_BYTES = 512 * MEBIBYTE
"""Largest answer; a table of text needs several times as much to be printed."""
BATCH_ROWS = 100_000
MOST_NAMES = 3
"""Designs that a message names."""

STATISTICS: Mapping[str, str] = {
    "mean": "avg(value)",
    "median": "median(value)",
    "min": "min(value)",
    "max": "max(value)",
    "deviation": "stddev_samp(value)",
    "count": "count(value)",
}
"""Statistics of values, in SQL."""


@dataclass(frozen=True, repr=False)
class Answer(Shown, ArrowTabular):
    """The answer to a question: a table with named columns.

    Attributes
    ----------
    table : pyarrow.Table
    """

    table: Any

    @property
    def summary(self) -> str:
        """The numbers of rows and columns."""
        rows, columns = counted(self.table.num_rows, "row"), counted(len(self.names), "column")
        return f"of {rows} and {columns}"

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return list(self.table.column_names)

    def rows(self) -> list[tuple[Any, ...]]:
        """Return the rows as Python values."""
        columns = [one.to_pylist() for one in self.table.columns]
        return list(zip(*columns, strict=True))

    def column(self, name: str) -> list[Any]:
        """Return a column as Python values."""
        return list(self.table[name].to_pylist())

    def to_arrow(self) -> Any:
        """Return the answer as a table of PyArrow, in which text that repeats is a dictionary."""
        return with_categories(self.table)

    def to_xarray(self, dimensions: Sequence[str]) -> Any:
        """Return the answer as a data set of xarray, with some columns as its dimensions.

        Raises
        ------
        CapabilityError
            If xarray or pandas is missing.
        UsageError
            If two rows have the same place.
        """
        xarray = expect_library("xarray")
        expect_library("pandas")
        frame = self.table.to_pandas().set_index(list(dimensions))
        if not frame.index.is_unique:
            raise UsageError(
                f"several rows have the same {', '.join(dimensions)}",
                "group by these columns in the question, or name more dimensions",
            )
        return xarray.Dataset.from_dataframe(frame)


class Database(Brief):
    """The rows and runs of a study as tables of SQL.

    The table `rows` has the columns of results, of the axes, and `point` and `key`; the table
    `runs` has a row per run, with its time and its error.

    Parameters
    ----------
    folder : StudyFolder or path-like
        The folder of the study, which may still be running.
    measured : sequence of path-like
        Files of measurements, whose rows are in `rows` too. The table `beside` has each of their
        figures beside each of its predictions, with the `residual`.

    Raises
    ------
    UsageError
        If it is not the folder of a study, or a file has no measured row of one of its designs.
    CapabilityError
        If DuckDB or PyArrow is missing.

    Examples
    --------
    >>> import tempfile
    >>> from linkwright.study import Study, run
    >>> folder = run(Study.parse('''
    ... designs: [{design: {topology: {kind: ring}}, axes: {topology.shape: [[4], [8]]}}]
    ... workloads: [broadcast]
    ... engines: [analytic]
    ... '''), tempfile.mkdtemp(), jobs=1)
    >>> with Database(folder) as database:
    ...     database.query("select nodes, count(*) as n from rows group by all order by 1").rows()
    [(4, 4), (8, 4)]
    """

    def __init__(
        self,
        folder: StudyFolder | str | os.PathLike[str],
        measured: Sequence[str | os.PathLike[str]] = (),
    ) -> None:
        try:
            import duckdb
        except ImportError as error:
            raise CapabilityError(
                "studies need PyArrow and DuckDB", "install them: pip install 'linkwright[study]'"
            ) from error
        self._duckdb = duckdb
        self.folder = folder if isinstance(folder, StudyFolder) else StudyFolder(folder)
        self._connection = duckdb.connect(":memory:")
        try:
            self._make_tables()
        except duckdb.Error as error:
            raise damaged(self.folder.merged_rows, error) from None
        if measured:
            self._add_measured([Path(one) for one in measured])
        self._connection.execute("set lock_configuration = true")

    @property
    def summary(self) -> str:
        """The folder of the study."""
        return f"of {self.folder.summary}"

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def _make_tables(self) -> None:
        """Make the tables from the merged files and the parts, as views where they can be."""
        arrow, _ = pyarrow()
        folder, connection = self.folder, self._connection
        left, has_merged = folder.unmerged(), folder.merged_runs.exists()
        files = [str(file) for file in left.parts]
        both = [folder.merged_rows, folder.merged_runs] if has_merged else []
        for file in both:
            expect_regular(file)
        merged = list(map(str, both))
        connection.execute(f"set allowed_paths = [{', '.join(map(_text, [*files, *merged]))}]")
        schema = row_schema(folder.axes)
        nothing = arrow.table({name: [] for name in schema.names}, schema=schema)
        connection.register("no_rows", nothing)
        connection.register("part_runs", runs_table(left.runs))
        rows = ["select * from no_rows"]
        runs = ["select * from part_runs"]
        known = ""
        if has_merged:
            done = f"read_parquet({_text(merged[1])})"
            known = f" where key not in (select key from {done} where kind = '')"
            rows.append(f"select * from read_parquet({_text(merged[0])})")
            runs = [f"select * from {done}"]
        if has_merged and files:
            runs[0] += " where key not in (select key from part_runs)"
            runs.append(f"select * from part_runs{known}")
        if files:
            columns = ", ".join(map(quoted, schema.names))
            listed = ", ".join(map(_text, files))
            once = " qualify filename = min(filename) over (partition by key)"
            rows.append(
                f"select {columns} from read_parquet([{listed}], filename = true)"
                f"{known}{once if left.has_doubles else ''}"
            )
        every = " union all by name "
        connection.execute(f"create view rows as {every.join(rows)}")
        connection.execute(
            f"create view runs as select * exclude kind, kind as error from ({every.join(runs)})"
        )
        connection.execute("set enable_external_access = false")

    def _add_measured(self, files: Sequence[Path]) -> None:
        """Add the rows of measurements to those of the study, and the table of both."""
        from linkwright.study import measured

        rows, connection = measured.measured_rows(files), self._connection
        of_designs = self._axes_of_designs()
        if not {row.design_hash for row in rows} & of_designs.keys():
            raise UsageError(
                "no measured row is of a design of this study",
                f"measured is {', '.join(sorted({row.design for row in rows})[:MOST_NAMES])}; "
                "add it to the designs of the study",
            )
        table = measured.measured_table(rows, self.folder.axes, of_designs)
        connection.execute("alter view rows rename to predicted_rows")
        connection.register("measured_rows", table)
        connection.register("measured_figures", measured.measured_figures(rows))
        both = "select * from predicted_rows union all by name select * from measured_rows"
        connection.execute(f"create view rows as {both}")
        connection.execute(measured.BESIDE)

    def _axes_of_designs(self) -> dict[str, dict[str, Any]]:
        """Return the values of axes that all rows of a design have, by its hash."""
        names = list(self.folder.axes)
        only = ", ".join(f"if(count(distinct {one}) = 1, any_value({one}), null) as {one}"
                         for one in map(quoted, names))  # fmt: skip
        found = self.query(f"select design_hash{only and ', '}{only} from rows group by 1").rows()
        return {one: dict(zip(names, values, strict=True)) for one, *values in found}

    def query(self, sql: str, values: Sequence[Any] = ()) -> Answer:
        """Return the answer to a question.

        Parameters
        ----------
        sql : str
            One SELECT.
        values : sequence
            Values of its parameters, written `?`.

        Raises
        ------
        UsageError
            If it is no SELECT, or cannot be answered.
        """
        try:
            statements = self._connection.extract_statements(sql)
            kinds = {one.type for one in statements}
            if len(statements) != 1 or kinds != {self._duckdb.StatementType.SELECT}:
                raise UsageError(
                    "a question is one SELECT", "write one, such as: from rows limit 9"
                )
            return Answer(self._bounded(self._connection.sql(sql, params=list(values))))
        except (self._duckdb.Error, OSError) as error:  # Arrow has its own for later batches
            lines = [line for line in str(error).splitlines() if line.strip()]
            raise UsageError(
                f"the question cannot be answered: {' '.join(lines[:2])}",
                f"columns of rows: {', '.join(self.columns)}",
            ) from None

    def _bounded(self, question: Any) -> Any:
        """Return the table of an answer, taken in batch by batch."""
        arrow, _ = pyarrow()
        if question is None:
            raise UsageError("the question has no answer", "write one SELECT")
        reader = question.to_arrow_reader(BATCH_ROWS)
        batches, n_bytes = [], 0
        for batch in reader:
            batches.append(batch)
            n_bytes += batch.nbytes
            if n_bytes > MOST_ANSWER_BYTES:
                raise UsageError(
                    f"the answer has more than {MOST_ANSWER_BYTES // MEBIBYTE} MiB",
                    "ask for fewer rows: where, group by, or limit",
                )
        return arrow.Table.from_batches(batches, reader.schema)

    @property
    def columns(self) -> list[str]:
        """Columns of the table `rows`."""
        return list(row_schema(self.folder.axes).names)

    @property
    def metrics(self) -> list[str]:
        """Metrics of the rows."""
        return list(self.query("select distinct metric from rows order by 1").column("metric"))

    def expect(self, columns: Sequence[str], metric: str | None = None) -> None:
        """Check that columns and a metric exist.

        Raises
        ------
        UsageError
            If one does not.
        """
        for name in columns:
            if name not in self.columns:
                raise UsageError(f"there is no column '{name}'", unknown_name(name, self.columns))
        if metric is not None and metric not in self.metrics:
            raise UsageError(f"there is no metric '{metric}'", unknown_name(metric, self.metrics))

    def statistic(
        self, metric: str, by: Sequence[str], *, of: str = "mean", where: str = "true"
    ) -> Answer:
        """Return a statistic of a metric for all combinations of some columns.

        Parameters
        ----------
        metric : str
        by : sequence of str
            Columns that distinguish the groups.
        of : str
            One of `STATISTICS`.
        where : str
            Condition on the rows, in SQL.

        Returns
        -------
        Answer
            The columns of `by`, then `value`, `deviation` (None for one value), `n` and `unit`.

        Raises
        ------
        UsageError
            If a name is unknown.
        """
        self.expect(by, metric)
        if of not in STATISTICS:
            raise UsageError(f"there is no statistic '{of}'", unknown_name(of, STATISTICS))
        names = "".join(f"{quoted(name)}, " for name in by)
        return self.query(
            f"select {names}{STATISTICS[of]} as value, stddev_samp(value) as "
            "deviation, count(*) as n, any_value(unit) as unit from rows "
            f"where metric = ? and ({where}) group by {names}metric order by {names}metric",
            [metric],
        )


def quoted(name: str) -> str:
    """Return a name of a column as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def _text(value: str | Path) -> str:
    """Return a text as SQL writes it."""
    return "'" + str(value).replace("'", "''") + "'"
