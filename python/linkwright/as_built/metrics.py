"""The state of real machines as metrics of Prometheus, in its text format: a file for the collector
of text files of node_exporter.

Names follow the conventions of Prometheus: a prefix, base units, `_total` for counters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from linkwright.as_built.kinds import KINDS
from linkwright.as_built.verify import Verdict

__all__ = ["metrics_text"]

Sample = tuple[Mapping[str, str], float]
PREFIX = "linkwright_"


def metrics_text(
    verdict: Verdict, *, n_comparisons: int, took_s: float, time_s: float, interval_s: float
) -> str:
    """Return the text of a file of metrics.

    Parameters
    ----------
    verdict : Verdict
        The last comparison.
    n_comparisons : int
        Number of comparisons since the start.
    took_s : float
        Time that the last one took, in seconds.
    time_s : float
        Time of the last one, in seconds since 1970.
    interval_s : float
        Time between two of them.
    """
    families: tuple[tuple[str, str, str, list[Sample]], ...] = (
        ("comparisons_total", "counter", "Comparisons since the start.", [({}, n_comparisons)]),
        (
            "last_comparison_timestamp_seconds", "gauge", "Time of the last comparison.",
            [({}, time_s)],
        ),
        ("comparison_duration_seconds", "gauge", "Time that it took.", [({}, took_s)]),
        ("comparison_interval_seconds", "gauge", "Time between comparisons.", [({}, interval_s)]),
        ("machine_up", "gauge", "Whether the machine of a node answers.", list(_machines(verdict))),
        ("cable_up", "gauge", "Whether a cable is in its ports.", list(_cables(verdict))),
        ("findings", "gauge", "Present findings by their kind.", list(_kinds(verdict))),
        ("finding", "gauge", "A present finding.", list(_findings(verdict))),
    )  # fmt: skip
    return "".join(line for family in families for line in _lines(*family))


def _lines(name: str, kind: str, says: str, samples: Sequence[Sample]) -> Iterator[str]:
    yield f"# HELP {PREFIX}{name} {says}\n"
    yield f"# TYPE {PREFIX}{name} {kind}\n"
    for labels, value in samples:
        pairs = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
        yield f"{PREFIX}{name}{{{pairs}}} {value:g}\n" if pairs else f"{PREFIX}{name} {value!r}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _machines(verdict: Verdict) -> Iterator[Sample]:
    of_nodes = {one.node for one in verdict.findings if one.kind == "missing-machine"}
    yield from (({"node": name}, 1) for name in verdict.nodes if name not in of_nodes)
    yield from (({"node": str(name)}, 0) for name in sorted(map(str, of_nodes)))


def _cables(verdict: Verdict) -> Iterator[Sample]:
    """Yield cables between compared machines; those without evidence are not known."""
    for one in verdict.cabling.given:
        if one.planned is not None:
            a, b = (end.text for end in one.planned.ends)
            yield {"cable": one.planned.name, "a": a, "b": b}, float(one.is_in_place)


def _kinds(verdict: Verdict) -> Iterator[Sample]:
    """Yield the number of findings of every kind, also of those without any."""
    found = Counter(one.kind for one in verdict.findings)
    for name, kind in KINDS.items():
        yield {"kind": name, "severity": str(kind.severity)}, found[name]


def _findings(verdict: Verdict) -> Iterator[Sample]:
    """Yield each finding once: labels of a series are its name."""
    seen = set()
    for one in verdict.findings:
        labels = {
            "kind": one.kind,
            "severity": str(one.severity),
            "node": one.node or "",
            "nic": one.nic or "",
            "cable": one.cable or "",
        }
        if tuple(labels.values()) not in seen:
            seen.add(tuple(labels.values()))
            yield labels, 1
