"""NAS-97-017: the printed rates against operation counts, and the misprints they show."""

from __future__ import annotations

import pytest

from linkwright.papers import Verdict, entries
from linkwright.workloads.npb.classes import operations

# Millions of operations as the benchmark's own reports print them.
COUNTS = [
    ("bt", "S", 228.3),
    ("bt", "A", 168284.5),
    ("sp", "B", 355011.9),
    ("lu", "C", 2038997.3),
    ("ft", "A", 7136.4),
    ("mg", "B", 19461.6),
    ("is", "A", 83.9),
    ("ep", "A", 536.9),
]


@pytest.mark.parametrize(("benchmark", "problem_class", "millions"), COUNTS)
def test_operation_counts(benchmark: str, problem_class: str, millions: float) -> None:
    assert round(operations(benchmark, problem_class) / 1e6, 1) == millions


def test_every_rate_fits_its_time_or_is_corrected() -> None:
    found = entries("NAS-97-017/appendix-rates")
    assert len(found) == 123
    assert [entry for entry in found if entry.verdict is Verdict.DIFFERS] == []


@pytest.mark.parametrize(
    ("erratum", "printed", "right"),
    [
        ("npb-bt-rate", 88.84e6, 89.84e6),
        ("npb-mg-time", 9.44, 29.44),
        ("npb-ft-rate-per-node", 9.94e6, 4.97e6),
    ],
)
def test_misprints(erratum: str, printed: float, right: float) -> None:
    (entry,) = [one for one in entries("NAS-97-017") if one.erratum == erratum]
    assert entry.verdict is Verdict.CORRECTED
    assert entry.printed == pytest.approx(printed)
    assert entry.ours == pytest.approx(right, rel=2e-3)
    as_printed = type(entry)(**{**vars(entry), "corrected": None})
    assert as_printed.verdict is Verdict.DIFFERS, "the printed value does not fit"


def test_nodes_are_as_far_as_the_numbering_says() -> None:
    found = entries("NAS-97-017/text")
    assert [entry.ours for entry in found] == [4, 6, 4, 1]
    assert {entry.verdict for entry in found} == {Verdict.AGREES}
