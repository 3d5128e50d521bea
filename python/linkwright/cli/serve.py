"""`linkwright serve`: the workbench, a page in the browser in which a design is changed and
everything follows at once.
"""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli.options import QuietOption
from linkwright.cli.streams import outlive_readers
from linkwright.cli.terminal import say

__all__ = ["serve"]


def serve(
    design: Annotated[
        Path | None,
        typer.Argument(
            help="Design file to open, in this folder or below.",
            show_default=False,
            metavar="DESIGN",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            help="Port; 0 takes a free one (default: the same one for a folder).",
            show_default=False,
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address and open nothing.")
    ] = False,
    allow_emulate: Annotated[
        bool,
        typer.Option("--allow-emulate", help="Let the page rehearse designs on real kernels."),
    ] = False,
    quiet: QuietOption = False,
) -> None:
    """Draw and change a design in the browser: price, proof and prediction follow at once.

    The server listens on this machine alone and knows its page by the secret in the address. It
    lists the designs, results and studies in this folder, and writes nothing but the designs that
    you save and the studies that you run. With --allow-emulate it brings kernels up, as `emulate`
    does. Ctrl-C ends it.
    """
    from linkwright.web.server import serve as serve_here

    def started(address: str) -> None:
        typer.echo(address)
        say("Ctrl-C ends the workbench.", quiet=quiet)
        if not no_browser:
            webbrowser.open(address)

    outlive_readers()
    serve_here(Path.cwd(), design, port=port, can_emulate=allow_emulate, started=started)
