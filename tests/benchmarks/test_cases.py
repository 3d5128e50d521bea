"""The page on W1 to W5 describes the cases that are run."""

from __future__ import annotations

from pathlib import Path

from cases import CALIBRATIONS, CASES

PAGE = Path(__file__).parents[2] / "docs/reference/benchmarks.md"


def test_the_page_lists_every_case_and_both_kinds_of_hosts() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [f"| `{name}` | {case.title} |" for name, case in CASES.items()]
    assert [line for line in text.splitlines() if line.startswith("| `w")] == rows
    assert all(f"`{calibration}`" in text for calibration in CALIBRATIONS.values())
