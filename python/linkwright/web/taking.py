"""Files that a user takes away from the page: the plan as a zip archive, the sheet of cables, the
drawing, each table, the page of the check, the page of a played run, and a capture of its frames.

Each is what a command writes; nothing is written on this machine.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from linkwright import engines, plan, results
from linkwright.design.cluster import Cluster
from linkwright.errors import LinkwrightError, UsageError, shown, unknown_name
from linkwright.files.archive import zip_of
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import Facts, Finding
from linkwright.plan.exporters import Exported, target_named
from linkwright.progress import Report
from linkwright.results import Manifest, Result
from linkwright.results.typed_tables import typed_table
from linkwright.text.csv_text import csv_rows, csv_text
from linkwright.views.cables_page import cables_page
from linkwright.views.check_page import check_page
from linkwright.views.drawing_file import drawing_file
from linkwright.web.answers import Exported as Files
from linkwright.web.answers import Taken
from linkwright.web.playing import asked_run, played
from linkwright.web.predicting import measured_by

__all__ = ["exported", "taken"]

PREDICTIONS = "predictions"
MOST_NAME = 80
RUN = ("seed", "placement", "ranks_per_node")
"""Fields of every request for a run."""
Event = tuple[str, Any]


@dataclass(frozen=True)
class _Asked:
    """A request with its network."""

    fields: Mapping[str, Any]
    cluster: Cluster
    network: Network
    report: Report

    @property
    def name(self) -> str:
        """Name of the design in letters that every file system takes."""
        return _plain(self.network.name)


def taken(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield a file, its content in base64.

    Parameters
    ----------
    request : mapping
        The `text` of the design; the `folder` that its paths are relative to; the `file` wanted:
        plan, cables, drawing, page, run, capture, table or rows. Some have more: `targets` of a
        plan, `table` and `format` of a table, the `workload` or the `workloads` and `engines` of
        runs, the `connector` of a capture;
        for rows, which the page has itself, `headings`, `rows` and `format`.
    report : callable
        Called now and then; an exception that it raises ends the task.
    """
    wanted = request["file"]
    if wanted == "rows":
        headings, rows = _given_rows(request)
        name, content = str(request.get("title") or "table"), _table(headings, rows, request)
        yield _file(f"{_plain(name)}.{request['format']}", content)
        return
    if wanted not in _FILES:
        raise UsageError(f"there is no file {shown(wanted)}", unknown_name(wanted, [*_FILES]))
    name, content = _FILES[wanted](_asked(request, report))
    yield _file(name, content)


def exported(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the files for machines, to look at.

    Parameters
    ----------
    request : mapping
        The `text` of the design, the `folder` that its paths are relative to, and the `targets`.
    report : callable
        Called now and then.
    """
    asked = _asked(request, report)
    refused: dict[str, LinkwrightError] = {}
    made = _exported(asked, refused)
    found: Files = {
        "files": [{"path": path, "text": text} for path, text in sorted(made.files.items())],
        "n_missing": made.n_missing,
        "refused": [
            {"target": target, "message": error.message, "hint": error.hint}
            for target, error in refused.items()
        ],
    }
    yield "exported", found


def _asked(request: Mapping[str, Any], report: Report) -> _Asked:
    cluster = Cluster.parse(request["text"], Path(request["folder"]))
    return _Asked(request, cluster, compile_network(cluster, report=report), report)


def _file(name: str, content: str | bytes) -> Event:
    data = content.encode() if isinstance(content, str) else content
    taken: Taken = {"name": name, "content": b64encode(data).decode()}
    return "file", taken


def _exported(asked: _Asked, refused: dict[str, LinkwrightError]) -> Exported:
    targets = [target_named(str(one)) for one in asked.fields.get("targets") or ()]
    if not targets:
        return Exported({}, 0)
    return plan.export(asked.network, targets, refused=refused)


def _plan(asked: _Asked) -> tuple[str, bytes]:
    made = plan.planned(asked.network)
    cables = cables_page(asked.network)
    files = {**made.files, **({"cables.html": cables} if cables else {})}
    files |= _exported(asked, {}).files
    return f"{asked.name}.zip", zip_of(files, asked.name)


def _cables(asked: _Asked) -> tuple[str, str]:
    page = cables_page(asked.network)
    if not page:
        raise UsageError(
            f"{asked.network.name} has too many cables for a sheet", "take the table of cables"
        )
    return f"{asked.name}-cables.html", page


def _drawing(asked: _Asked) -> tuple[str, str]:
    return f"{asked.name}.svg", drawing_file(asked.network)


def _page(asked: _Asked) -> tuple[str, str]:
    network, report = asked.network, asked.report
    started = datetime.now(UTC)
    findings = plan.check(network, report=report)
    left_out = plan.why_not_proved(network)
    proof = None if left_out else plan.rerouting(network, "single")
    command = ["linkwright", "check", asked.fields["name"] or "design.yaml"]
    manifest = Manifest.of(command=command, started=started, finished=datetime.now(UTC))
    return f"{asked.name}-check.html", check_page(network, findings, proof, manifest)


def _run(asked: _Asked) -> tuple[str, str]:
    _expect(asked.fields, "workload", *RUN)
    [(_, html)] = played(asked.fields, asked.report)
    workload = _plain(str(asked.fields["workload"]["name"]))
    beside = asked.fields.get("beside")
    other = f"-and-{_plain(beside['name'].removesuffix('.yaml'))}" if beside else ""
    return f"{asked.name}{other}-{workload}.html", html


def _capture(asked: _Asked) -> tuple[str, bytes]:
    """Return the frames of a run at one port, for Wireshark."""
    _expect(asked.fields, "workload", "connector", *RUN)
    run, connector = (
        asked_run(asked.network, asked.cluster, asked.fields),
        asked.fields["connector"],
    )
    seen = engines.observe(run, engines.Observation(capture=True), progress=asked.report)
    assert seen.watched is not None
    content = seen.watched.capture_at(connector)
    return f"{asked.name}-{run.workload.name}-{_plain(connector)}.pcapng", content


def _named_table(asked: _Asked) -> tuple[str, str | bytes]:
    wanted, form = str(asked.fields.get("table")), _form(asked.fields)
    if wanted == PREDICTIONS:
        found = _predictions(asked)
        content = results.to_parquet(found) if form == "parquet" else found.to_csv()
        return f"{asked.name}-{wanted}.{form}", content
    tables = {name.removesuffix(".csv"): text for name, text in Facts(asked.network).tables.items()}
    tables["findings"] = _findings(asked)
    if wanted not in tables:
        raise UsageError(f"there is no table {shown(wanted)}", unknown_name(wanted, [*tables]))
    text = str(tables[wanted])
    name = f"{asked.name}-{wanted}.{form}"
    if form == "csv":
        return name, text
    headings, *rows = csv_rows(text)
    return name, typed_table(headings, rows)


def _findings(asked: _Asked) -> str:
    found: Sequence[Finding] = plan.check(asked.network, report=asked.report)
    records = [one.to_json() for one in found]
    headings = [column.name for column in fields(Finding)]
    return csv_text(headings, [[*one.values()] for one in records])


def _predictions(asked: _Asked) -> Result:
    """Return the rows of all runs that the page shows."""
    _expect(asked.fields, "workloads", "engines", *RUN)
    runs = [
        one.result
        for engine in asked.fields["engines"]
        for one in measured_by(asked.network, asked.cluster, asked.fields, engine, asked.report)[0]
    ]
    if not runs:
        raise UsageError("nothing is predicted", "choose a workload and an engine")
    return Result.concatenate(runs)


_FILES: Mapping[str, Callable[[_Asked], tuple[str, str | bytes]]] = {
    "plan": _plan,
    "cables": _cables,
    "drawing": _drawing,
    "page": _page,
    "run": _run,
    "capture": _capture,
    "table": _named_table,
}


def _given_rows(request: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """Return the table that the page has, after a look at its form."""
    headings, rows = request.get("headings"), request.get("rows")
    if not headings or rows is None or any(len(row) != len(headings) for row in rows):
        raise UsageError("the request has no table", "open the page again")
    return headings, rows


def _table(headings: list[str], rows: list[list[Any]], request: Mapping[str, Any]) -> str | bytes:
    if _form(request) == "csv":
        return csv_text(headings, rows)
    return typed_table(headings, rows)


def _expect(fields: Mapping[str, Any], *names: str) -> None:
    """Refuse a request that lacks a field."""
    for name in names:
        if fields.get(name) is None:
            raise UsageError(f"the request lacks '{name}'", "open the page again")


def _form(request: Mapping[str, Any]) -> str:
    """Return the format of a table, which is also its suffix."""
    form = request.get("format")
    if form not in ("csv", "parquet"):
        raise UsageError(f"there is no format {shown(str(form))}", "choose csv or parquet")
    return str(form)


def _plain(name: str) -> str:
    """Return a name in letters that every file system takes."""
    return re.sub(r"[^\w.-]+", "-", name, flags=re.ASCII).strip(".-")[:MOST_NAME] or "file"
