"""The program: its commands in the order of work, of which one or all are loaded.

process.py runs it and turns errors into text and exit codes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any

import typer

import linkwright
from linkwright.cli.arguments import refuse_endless
from linkwright.registry import Registry

__all__ = ["COMMANDS", "application"]

COMMANDS: Registry[Callable[..., None]] = Registry(
    "linkwright.cli",
    {
        "compare": "compare:compare",
        "plan": "plan:plan",
        "import": "import_:import_",
        "check": "check:check",
        "simulate": "simulate:simulate",
        "saturate": "saturate:saturate",
        "study": "study:study",
        "query": "query:query",
        "pivot": "pivot:pivot",
        "plot": "plot:plot",
        "sensitivity": "sensitivity:sensitivity",
        "emulate": "emulate:emulate",
        "goal": "goal:goal",
        "reproduce": "reproduce:reproduce",
        "lesson": "lesson:lesson",
        "calibrate": "calibrate:calibrate",
        "serve": "serve:serve",
        "list": "list:list_",
    },
)
"""Every command by name, in the order of work."""


def application(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the program, with all commands or only with the first word of the arguments."""
    app = typer.Typer(
        name="linkwright",
        help="Designs, proves, predicts, plans and tries networks of commodity parts.",
        invoke_without_command=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(program)
    names = arguments[:1] if arguments and arguments[0] in COMMANDS else list(COMMANDS)
    for name in names:
        app.command(name)(_guarded(COMMANDS[name]))
    return app


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that refuses numbers without an end, whichever option has them."""

    @wraps(command)
    def guarded(**options: Any) -> None:
        refuse_endless(options)
        command(**options)

    return guarded


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"linkwright {linkwright.__version__}")
        raise typer.Exit


def program(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Designs, proves, predicts, plans and tries networks of commodity parts."""
    del version
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
