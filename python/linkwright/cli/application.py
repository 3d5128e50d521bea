"""The program: its commands in the order of work, of which one or all are loaded.

process.py runs it and turns errors into text and exit codes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any

import typer

import linkwright
from linkwright.cli.arguments import refuse_endless
from linkwright.cli.defaults import Defaults
from linkwright.cli.given import Given, noted
from linkwright.cli.groups import filled, parameters_of
from linkwright.cli.logs import begin_log, log_options
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
        "facts": "facts:facts",
        "verify": "verify:verify",
        "adopt": "adopt:adopt",
        "doctor": "doctor:doctor",
        "watch": "watch:watch",
        "measure": "measure:measure",
        "apply": "apply:apply",
        "undo": "apply:undo",
        "calibrate": "calibrate:calibrate",
        "serve": "serve:serve",
        "list": "list:list_",
    },
)
"""Every command by name, in the order of work."""


def application(arguments: Sequence[str] = (), defaults: Defaults | None = None) -> typer.Typer:
    """Return the program, with all commands or only with the first word of the arguments."""
    app = typer.Typer(
        name="linkwright",
        help="Designs, proves, predicts, plans and tries networks of commodity parts.",
        invoke_without_command=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(program)
    names = arguments[:1] if arguments and arguments[0] in COMMANDS else list(COMMANDS)
    for name in names:
        settings = {"default_map": defaults.of(name)} if defaults else {}
        app.command(name, context_settings=settings)(_guarded(COMMANDS[name]))
    return app


VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Say on stderr what is chosen, and why.")
]
DebugOption = Annotated[
    bool, typer.Option("--debug", help="The same in detail; faults show their trace.")
]


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options of all, around it the work that all have in common.

    Numbers without an end are refused, whichever option has them, and the given options noted.
    """

    @wraps(command)
    def guarded(context: typer.Context, verbose: bool, debug: bool, **options: Any) -> None:
        begin_log(verbose=verbose, debug=debug)
        refuse_endless(options)
        given = _given(context)
        if "output" in given.typed and "shown" not in given.typed and "shown" in options:
            options["shown"] = None  # a format of the file of defaults is for stdout alone
        log_options(options, given)
        with noted(given):
            command(**filled(command, options))

    own = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
        for name, kind, default in (
            ("verbose", VerboseOption, False),
            ("debug", DebugOption, False),
            ("context", typer.Context, inspect.Parameter.empty),
        )
    ]
    of_command = list(parameters_of(command))
    guarded.__signature__ = inspect.Signature([*of_command, *own])  # type: ignore[attr-defined]
    guarded.__annotations__ = {one.name: one.annotation for one in (*of_command, *own)}
    return guarded


def _given(context: typer.Context) -> Given:
    """Return the sources of the options of a command."""
    typed, filed = {}, {}
    for parameter in context.command.params:
        name, is_argument = str(parameter.name), parameter.param_type_name == "argument"
        shown = (parameter.metavar if is_argument else None) or max(parameter.opts, key=len)
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            typed[name] = shown
        elif source is not None and source.name == "DEFAULT_MAP" and name != "shown":
            filed[name] = shown
    return Given(typed, filed, context.params)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"linkwright {linkwright.__version__}")
        raise typer.Exit


def program(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_show_version, is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    """Designs, proves, predicts, plans and tries networks of commodity parts."""
    del version
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
