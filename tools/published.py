"""Write the pages that are made from the code, or check that they are current.

The JSON Schemas of the files of users and the references of the commands, the calibrations and
the workloads are made from the models and the command line, the pages on the agreement of the
engines, on emulations and on the accuracy in short from their data. `--check` compares and changes
nothing; without it the files are written.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

from agreement import agreement_page
from calibration_page import calibration_reference
from emulated import emulated_page
from finding import ROOT, Finding, report
from how_right import how_right_page
from linkwright.design.schema import schema_text
from linkwright.facts.cluster import facts_schema_text
from linkwright.machines.inventory import hosts_schema_text
from linkwright.study.study_file import schema_text as study_schema_text
from workload_page import workload_reference

INTRODUCTION = """# Commands

Made from the commands themselves by `make golden`; `linkwright COMMAND --help` says the same.

"""
EXIT_CODES = """
## Exit codes

| code | meaning |
|---|---|
| 0 | done |
| 1 | findings, or a failed check |
| 2 | an error in the usage or in the design |
| 3 | a capability that is missing |
| 4 | a run or an output that failed |
| 130 | interrupted by Ctrl-C (`watch`: 0 or 1, as its last comparison) |
| 143 | ended by SIGTERM (any other signal: 128 and its number) |
"""


def main() -> int:
    """Write or check every page that is made from the code."""
    if "--check" in sys.argv[1:]:
        return report("published", stale())
    for name, make in PAGES.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(make(), encoding="utf-8")
    return 0


def stale() -> Iterator[Finding]:
    """Yield pages that differ from what the code says."""
    for name, make in PAGES.items():
        path = ROOT / name
        if not path.is_file() or path.read_text(encoding="utf-8") != make():
            yield Finding(name, 1, "is not current: run `make golden`")


def command_reference() -> str:
    """Return the reference of all commands as Markdown, as typer writes it."""
    command = [sys.executable, "-m", "typer", "linkwright.cli.whole", "utils", "docs"]
    done = subprocess.run(
        [*command, "--name", "linkwright"], check=True, capture_output=True, text=True
    )
    body = done.stdout.partition("\n## ")[2].rstrip()
    return f"{INTRODUCTION}## {body}\n{EXIT_CODES}"


PAGES: dict[str, Callable[[], str]] = {
    "schema/design.schema.json": schema_text,
    "schema/study.schema.json": study_schema_text,
    "schema/facts.schema.json": facts_schema_text,
    "schema/hosts.schema.json": hosts_schema_text,
    "docs/reference/commands.md": command_reference,
    "docs/reference/calibrations.md": calibration_reference,
    "docs/reference/workloads.md": workload_reference,
    "docs/reference/agreement.md": agreement_page,
    "docs/reference/emulated.md": emulated_page,
    "docs/reference/how-right-is-it.md": how_right_page,
}


if __name__ == "__main__":
    sys.exit(main())
