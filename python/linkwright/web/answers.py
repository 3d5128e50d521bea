"""The answers of the server, by task and event: their one description, in Python and in TypeScript.

`tools/answers.py` writes frontend/src/workbench/answers.ts from this file; tests hold the events of
a running server against it. Times are in seconds, rates in bytes per second unless a name says
otherwise. The tables of a proof, and charts, are described where the pages of commands make them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

__all__ = [
    "ANSWERS",
    "COMMON",
    "EVENTS",
    "Changes",
    "Checked",
    "Compared",
    "Connectivity",
    "Drawn",
    "Exported",
    "Failed",
    "Imported",
    "Listed",
    "Machines",
    "Opened",
    "Predicted",
    "Price",
    "Rehearsed",
    "RehearsedLane",
    "RehearsedRow",
    "Rerouting",
    "Row",
    "Saved",
    "Studied",
    "Study",
    "Table",
    "Taken",
    "Tried",
    "Verified",
]

Cell = str | int | float | bool | None


class Mistake(TypedDict):
    """A mistake of the user, with its remedy."""

    message: str
    hint: str


class Died(TypedDict):
    """A computation that ended without an answer, by no mistake of the user."""

    message: str
    hint: NotRequired[str]


class Failed(Mistake):
    """A stage that has no answer, while others have."""

    stage: str


class Progress(TypedDict):
    """The share of a computation that is done."""

    done: int
    all: int
    label: str


class Age(TypedDict):
    """The time since the last event of a computation that goes on."""

    seconds: float


class Finding(TypedDict):
    """A fact about a valid design."""

    severity: str
    place: str
    rule: str
    reason: str
    fix: str


class Checked(TypedDict):
    """A design that can be built, and the findings about it."""

    name: str
    kind: str
    shape: list[int]
    nodes: int
    parts: str
    addressing: str
    routing: str
    findings: list[Finding]


class Drawn(TypedDict):
    """The drawing of a network."""

    svg: str


class Line(TypedDict):
    """A line of the bill."""

    item: str
    part: str
    name: str
    quantity: float
    unit_price: float
    total: float
    date: str
    source: str
    confidence: str


class Price(TypedDict):
    """The bill of a network, per node by the ports in use and by whole units."""

    currency: str
    nodes: int
    ports_used_per_node: float
    units_bought_per_node: float
    total: float
    lines: list[Line]


class Connected(TypedDict):
    """Failures of one kind of part, and how many of them cut no node off."""

    n_failures: int
    n_survived: int


class Connectivity(TypedDict):
    """Nodes that stay joined after single failures; lengths of routes, and bisection."""

    kinds: dict[str, Connected]
    diameter_hops: int
    forwards_mean: float
    bisection_Bps_per_node: float


class Outcomes(TypedDict):
    """Single failures of a cable, NIC, hub or switch by their outcome; null where it is unknown."""

    tried: int
    heal: int | None
    need_new_tables: int | None
    cut_off: int


class KindOfFailure(TypedDict):
    """The cost of the failures of one kind of part."""

    kind: str
    n_failures: int
    n_by_itself: int
    n_recomputed: int
    n_daemon: int
    n_disconnected: int
    n_out_of_reach: int
    worst_extra_hops: int
    most_forwarded: int
    n_strict: int | None
    n_loose: int | None


class Rerouting(TypedDict):
    """The cost of every single failure."""

    kinds: list[KindOfFailure]
    outcomes: Outcomes


class Curve(TypedDict):
    """A metric of a ping-pong over the bytes of its messages."""

    metric: Literal["latency", "throughput"]
    unit: str
    pair: str
    nodes: list[str]
    points: list[tuple[int, float]]


class Figure(TypedDict):
    """One figure of a workload."""

    workload: str
    metric: str
    value: float
    unit: str
    size_bytes: int | None


class Predicted(TypedDict):
    """The predictions of one engine, and the workloads that it cannot run."""

    engine: str
    calibration: str
    refused: list[str]
    curves: list[Curve]
    figures: list[Figure]


class Range(TypedDict):
    """A figure for the best and for the worst pair of nodes."""

    best: float | None
    worst: float | None


class Row(TypedDict):
    """One network of a comparison."""

    architecture: str
    nodes: int
    cost_per_node: float | None
    cost_per_node_units_bought: float | None
    currency: str
    latency_us: Range
    bandwidth_MBps: Range
    bisection_MBps_per_node: float | None
    failures: Outcomes
    figures: dict[str, dict[str, float]]
    svg: str


class LeftOut(TypedDict):
    """A network that a comparison leaves out."""

    name: str
    reason: str


class Compared(TypedDict):
    """Networks side by side."""

    engine: str
    workloads: list[str]
    rows: list[Row]
    left_out: list[LeftOut]


class Table(TypedDict):
    """A table, of which only the first rows may be here."""

    headings: list[str]
    rows: list[list[Cell]]
    n_rows: int
    caption: NotRequired[str]


class Marks(TypedDict):
    """Numbers of cables and nodes with findings about real machines, with their marks."""

    cables: dict[str, str]
    nodes: dict[str, str]


class Machines(TypedDict):
    """Real machines beside the design; null if nothing writes their file again."""

    html: str
    marks: Marks
    next_s: float | None


class Question(TypedDict):
    """A question to a study."""

    metric: str
    x: str
    by: str


class Study(TypedDict):
    """The questions that a study can answer, and the one to begin with."""

    columns: list[str]
    metrics: list[str]
    figures: list[str]
    usual: Question


class Charts(TypedDict):
    """A figure of a study."""

    charts: list[Any]


class Opened(TypedDict):
    """A design with the digest of its file; null where there is none yet."""

    name: str
    text: str
    digest: str | None


class Saved(TypedDict):
    """A design that was written."""

    name: str
    digest: str | None


class Listed(TypedDict):
    """The files of the folder, as paths below it."""

    designs: list[str]
    results: list[str]
    studies: list[str]


class Setting(TypedDict):
    """A setting of a workload, with the words that it takes if it takes only those."""

    name: str
    about: str
    default: str
    words: list[str]


class Described(TypedDict):
    """The settings of a workload."""

    settings: list[Setting]


class Kept(TypedDict):
    """The address of a page that was made."""

    address: str


class Studied(TypedDict):
    """A study whose runs are made: their number, those that failed, and the reasons of some."""

    name: str
    n_runs: int
    n_failed: int
    reasons: list[str]
    remarks: list[str]


class Taken(TypedDict):
    """A file to keep, its content in base64."""

    name: str
    content: str


class FileText(TypedDict):
    """A file for machines."""

    path: str
    text: str


class RefusedTarget(Mistake):
    """A target that cannot express the design."""

    target: str


class Exported(TypedDict):
    """Files for machines, and the number of facts about the machines that the design lacks."""

    files: list[FileText]
    n_missing: int
    refused: list[RefusedTarget]


class Imported(TypedDict):
    """A design that is made of a graph, and what is changed or left out."""

    text: str
    remarks: list[str]


class RehearsedRow(TypedDict):
    """A figure as it was measured, beside the prediction of frames."""

    metric: str
    words: str
    measured: str
    predicted: str


class RehearsedLane(TypedDict):
    """The bytes that the node of a rank sent and received in each span."""

    name: str
    sent: list[int]
    received: list[int]


class Rehearsed(TypedDict):
    """A workload that real processes ran, with the verdict on its times."""

    word: str
    verdict: str
    remarks: list[str]
    dilation: float
    rows: list[RehearsedRow]
    lanes: list[RehearsedLane]
    span_s: float


class Verified(TypedDict):
    """Kernels beside the proofs."""

    text: str
    agrees: bool
    disagreements: list[str]


class Tried(TypedDict):
    """The mistakes of a text; none if a network can be built from it."""

    name: str
    reasons: list[str]


class Change(TypedDict):
    """A value of a text at the keys that lead to it."""

    path: list[str]
    value: Any


class Changes(TypedDict):
    """Changes of a text, and the keys that go."""

    changes: list[Change]
    gone: list[list[str]]


EVENTS: Mapping[str, Mapping[str, Any]] = {
    "/api/follow": {
        "check": Checked,
        "drawing": Drawn,
        "price": Price,
        "connectivity": Connectivity,
        "proof": dict[str, Any],
        "analytic": Predicted,
        "flow": Predicted,
        "packet": Predicted,
        "rerouting": Rerouting,
        "failed": Failed,
    },
    "/api/compare": {"rows": Compared},
    "/api/open": {"table": Table, "machines": Machines, "study": Study, "figure": Charts},
    "/api/play": {"page": Kept},
    "/api/study": {"studied": Studied},
    "/api/take": {"file": Taken},
    "/api/export": {"exported": Exported},
    "/api/try": {"tried": Tried},
    "/api/by-hand": {"changes": Changes},
    "/api/import": {"imported": Imported},
    "/api/rehearse": {"rehearsed": Rehearsed, "verified": Verified},
}
"""The events of each address that answers with events, besides `COMMON`."""

COMMON: Mapping[str, Any] = {
    "refused": list[Mistake],
    "died": Died,
    "progress": Progress,
    "waiting": Age,
    "done": None,
}
"""The events that every task can have."""

ANSWERS: Mapping[str, Any] = {
    "/api/files": Listed,
    "/api/design": Opened,
    "/api/save": Saved,
    "/api/workload": Described,
}
"""The answers of the addresses that answer at once."""
