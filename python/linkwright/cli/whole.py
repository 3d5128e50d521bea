"""The program with all its commands, for tools that document it: `typer linkwright.cli.whole`."""

from linkwright.cli.application import application

__all__ = ["app"]

app = application()
