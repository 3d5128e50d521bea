"""Write the man pages from the texts of --help: linkwright(1), and one page for each command.

`python tools/man_pages.py FOLDER` writes them; `make docs` does, into docs/_build/man/man1, where
`man -M docs/_build/man linkwright-plan` reads them. No page has a date: the same version gives the
same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from linkwright.cli.application import application
from linkwright.version import VERSION

NAME = "linkwright"
CODES = (
    ("0", "done"),
    ("1", "findings, or a failed check"),
    ("2", "an error in the usage or in the design"),
    ("3", "a capability that is missing"),
    ("4", "a run or an output that failed"),
    ("128+N", "ended by signal N: 130 after Ctrl-C"),
)


def main() -> int:
    """Write all pages into a folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    program: Any = typer.main.get_command(application())
    context = program.make_context(NAME, [], resilient_parsing=True)
    yield f"{NAME}.1", page(NAME, program, context, program.commands)
    for name, command in program.commands.items():
        whole = f"{NAME}-{name}"
        inner = type(context)(command, info_name=f"{NAME} {name}", parent=None)
        inner.help_option_names = context.help_option_names
        yield f"{whole}.1", page(whole, command, inner, {})


def page(name: str, command: Any, context: Any, commands: dict[str, Any]) -> str:
    """Return the page of a command in roff."""
    help_text = command.help or ""
    summary, _, rest = help_text.partition("\n")
    usage = " ".join(command.collect_usage_pieces(context))
    options = [
        one for each in command.get_params(context) if (one := each.get_help_record(context))
    ]
    lines = [
        f'.TH "{name.upper()}" 1 "" "{NAME} {VERSION}" "User commands"',
        *(".SH NAME", f"{escaped(name)} \\- {escaped(summary.strip().rstrip('.'))}"),
        *(".SH SYNOPSIS", f".B {escaped(context.info_name)}", escaped(usage)),
    ]
    if rest.strip():
        lines += [".SH DESCRIPTION", *paragraphs(rest)]
    if commands:
        listed = (
            (f"{NAME}-{one}(1)", each.get_short_help_str(200)) for one, each in commands.items()
        )
        lines += [".SH COMMANDS", *entries(listed)]
    lines += [".SH OPTIONS", *entries(options), ".SH EXIT STATUS", *entries(CODES)]
    lines += [
        ".SH FILES",
        *entries([("~/.config/linkwright.toml", "values for options not given")]),
    ]
    return "\n".join(lines) + "\n"


def entries(pairs: Any) -> Iterator[str]:
    """Yield the lines of a list of terms."""
    for term, text in pairs:
        yield from (".TP", f".B {escaped(term)}", escaped(" ".join(text.split())) or "\\&")


def paragraphs(text: str) -> Iterator[str]:
    """Yield the lines of paragraphs that empty lines separate."""
    for paragraph in text.strip().split("\n\n"):
        yield from (".PP", escaped(" ".join(paragraph.split())))


def escaped(text: str) -> str:
    """Return text in which roff finds no requests and no escapes."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain


if __name__ == "__main__":
    sys.exit(main())
