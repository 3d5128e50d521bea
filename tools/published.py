"""Write the pages that are made from the code, or check that they are current.

The JSON Schema of design files and the reference of the commands have one source each: the models
and the command line. `--check` compares and changes nothing; without it the files are written.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import click
import typer.main
from finding import ROOT, Finding, report

from linkwright.cli import app
from linkwright.design.schema import schema_text

INTRODUCTION = """# Commands

Made from the commands themselves by `make golden`; `linkwright COMMAND --help` prints the same.
"""
EXIT_CODES = """## Exit codes

| code | meaning |
|---|---|
| 0 | done |
| 1 | findings, or a failed check |
| 2 | an error in the usage or in the design |
| 3 | a capability that is missing |
| 4 | a run or an output that failed |
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
    """Return the reference of all commands as Markdown."""
    group = typer.main.get_command(app)
    context = click.Context(group, info_name="linkwright")
    assert isinstance(group, click.Group)
    names = group.list_commands(context)
    sections = [command_section(context, name, group.commands[name]) for name in names]
    return "\n".join([INTRODUCTION, *sections, EXIT_CODES])


def command_section(context: click.Context, name: str, command: click.Command) -> str:
    """Return one command: what it does, how it is called, and its options."""
    own = click.Context(command, parent=context, info_name=name)
    usage = " ".join(["linkwright", name, *command.collect_usage_pieces(own)])
    rows = [row for p in command.params if (row := parameter_row(own, p))]
    table = ["| | |", "|---|---|", *rows] if rows else []
    help_text = (command.help or "").replace("\f", "").strip()
    return "\n".join([f"## {name}", "", help_text, "", f"```\n{usage}\n```", "", *table, ""])


def parameter_row(context: click.Context, parameter: click.Parameter) -> str | None:
    """Return one row of the table of options; None for what is hidden."""
    if isinstance(parameter, click.Option):
        record = parameter.get_help_record(context)
        if record is None:
            return None
        name, text = record
    else:
        name, text = parameter.make_metavar(context), getattr(parameter, "help", None) or ""
    return f"| `{name.strip()}` | {' '.join(text.split())} |".replace("[", r"\[")


PAGES: dict[str, Callable[[], str]] = {
    "schema/design.schema.json": schema_text,
    "docs/reference/commands.md": command_reference,
}


if __name__ == "__main__":
    sys.exit(main())
