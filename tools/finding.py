"""Findings of the checks of conventions: a place, and the rule that is broken there.

The checks only read. Each prints its findings one per line, the way compilers do, and ends with 1
if there are any.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, order=True)
class Finding:
    """One broken rule at one place."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def report(check: str, findings: Iterable[Finding]) -> int:
    """Print the findings in order and return the exit code."""
    ordered = sorted(set(findings))
    for finding in ordered:
        print(finding, file=sys.stderr)
    print(f"{check}: {len(ordered)} findings" if ordered else f"{check}: in order")
    return 1 if ordered else 0


def source_files(root: Path) -> list[Path]:
    """Return the files that belong to the project: tracked, or new and not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = (root / name for name in sorted(set(listed.stdout.splitlines())))
    return [path for path in paths if path.is_file()]
