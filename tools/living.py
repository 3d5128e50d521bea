"""Make the pages that the documentation embeds: a step of `make docs`.

Lessons, a played run, the check of a ring and a comparison: the pages that a reader's own commands
make, each in a frame of the page that explains it. They are in docs/_build/extra/living, and none
is kept in git. A page that is newer than the package and its design is left as it is.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from finding import ROOT
from linkwright.lessons import LESSONS

PAGES = ROOT / "docs/_build/extra/living"
PACKAGE = ROOT / "python/linkwright"
RING = "examples/home-ring.yaml"
P_MESH = "examples/whitney-16.yaml"
FORWARDED = ("-w", "ping-pong", "--set", "src=0", "--set", "dst=5", "--set", "size_bytes=1024")
CUT = ("-w", "shift", "--set", "size_bytes=2000000", "--fault", "cable:0 down at 0.5ms")
COMMANDS: dict[str, tuple[str, ...]] = {
    "check-a-ring": ("check", RING),
    "compare-sixteen": ("compare", "--nodes", "16", "--catalogue", "whitney-1998"),
    "forwarded-message": ("simulate", P_MESH, *FORWARDED),
    "pull-a-cable": ("simulate", RING, *CUT),
    **{name: ("lesson", name) for name in LESSONS},
}
"""The command that makes each page, without its file."""


def main() -> int:
    """Make every page that is not there or older than its sources."""
    PAGES.mkdir(parents=True, exist_ok=True)
    for name, words in COMMANDS.items():
        page = PAGES / f"{name}.html"
        if is_older(page, [ROOT / word for word in words if word.endswith(".yaml")]):
            make(page, words)
    return 0


def make(page: Path, words: tuple[str, ...]) -> None:
    """Run a command of Linkwright that writes a page."""
    program = "from linkwright.cli import main; main()"
    file = str(page.relative_to(ROOT))
    command = [sys.executable, "-c", program, *words, "-o", file, "--quiet"]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def is_older(page: Path, designs: list[Path]) -> bool:
    """Return whether a page has to be made."""
    if not page.exists():
        return True
    sources = [
        path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    return page.stat().st_mtime < max(path.stat().st_mtime for path in [*sources, *designs])


if __name__ == "__main__":
    sys.exit(main())
