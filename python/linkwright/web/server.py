"""Starts the server of the workbench on the loopback and ends it with all its processes.

There is no option for another address: the server is for the user who started it. From another
machine, that user forwards the port by SSH.
"""

from __future__ import annotations

import contextlib
import hashlib
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwright.errors import CapabilityError, UsageError, shown_path

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from linkwright.web.workspace import Workspace

__all__ = ["serve"]

LOOPBACK = "127.0.0.1"
FIRST_PORT, MOST_PORT = 49152, 65535
"""The ports for which no service is registered."""


def serve(
    folder: Path,
    design: Path | None = None,
    *,
    port: int | None = None,
    can_emulate: bool = False,
    started: Callable[[str], object],
) -> None:
    """Serve the workbench until Ctrl-C.

    Parameters
    ----------
    folder : Path
        Folder of the designs, results and studies that the page lists.
    design : Path, optional
        A design in it to open first.
    port : int, optional
        Port on the loopback; 0 for a free one. Default: the same one for a folder at every start,
        since a browser keeps unsaved texts by address, or a free one while that is taken.
    can_emulate : bool
        Whether the page may bring kernels up on this machine.
    started : callable
        Called with the page's address, which holds the secret of the folder.

    Raises
    ------
    CapabilityError
        If Starlette or uvicorn is missing.
    UsageError
        If the port is taken, or the design lies outside of the folder.
    """
    uvicorn = _uvicorn()
    from linkwright.web.connections import PatientProtocol
    from linkwright.web.secret import secret
    from linkwright.web.workspace import Workspace

    workspace = Workspace(folder)
    opened = None if design is None else _name_in(workspace, design)
    with _listening(workspace.folder, port) as sock:
        own_port = sock.getsockname()[1]
        token = secret(workspace.folder, own_port)
        app = guarded(workspace, opened, token, own_port, can_emulate=can_emulate)
        # Open streams are no reason to wait at the end.
        config = uvicorn.Config(
            app,
            http=PatientProtocol,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=0,
        )
        started(f"http://{LOOPBACK}:{own_port}/?token={token}")
        uvicorn.Server(config).run(sockets=[sock])


def guarded(
    workspace: Workspace, design: str | None, token: str, port: int, *, can_emulate: bool = False
) -> ASGIApp:
    """Return the application behind its guard, with its workers."""
    from starlette.applications import Starlette

    from linkwright.web.application import application
    from linkwright.web.crew import Crew
    from linkwright.web.guard import Guard
    from linkwright.web.page import workbench_page

    crew = Crew(workspace.folder)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        del app
        await crew.start()
        try:
            yield
        finally:
            await crew.close()

    page = partial(workbench_page, workspace, design, can_emulate=can_emulate)
    app = application(workspace, crew, page, lifespan, can_emulate=can_emulate)
    return Guard(app, token, port)


def _uvicorn() -> Any:
    try:
        import starlette  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise CapabilityError(
            "the workbench needs Starlette and uvicorn, which are not installed",
            "install them with `pip install linkwright[web]`",
        ) from error
    return uvicorn


def _name_in(workspace: Workspace, design: Path) -> str:
    """Return the name of a design in the folder."""
    real = design.resolve()
    if not real.is_relative_to(workspace.folder):
        raise UsageError(
            f"{shown_path(design)} lies outside of {shown_path(workspace.folder)}",
            "start the server in the folder of the design",
        )
    return real.relative_to(workspace.folder).as_posix()


@contextlib.contextmanager
def _listening(folder: Path, port: int | None) -> Iterator[socket.socket]:
    """Open a socket on the loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
        # A server that has just ended leaves connections behind that are no reason to refuse.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((LOOPBACK, _usual_port(folder) if port is None else port))
        except OSError as error:
            if port is not None:
                raise UsageError(
                    f"port {port} cannot be used: {error.strerror}",
                    "leave out --port for a free one",
                ) from None
            sock.bind((LOOPBACK, 0))
        sock.listen()
        yield sock


def _usual_port(folder: Path) -> int:
    """Return the port of a folder, one of the dynamic ones."""
    digest = hashlib.sha256(bytes(folder)).digest()
    return FIRST_PORT + int.from_bytes(digest[:4], "big") % (MOST_PORT - FIRST_PORT + 1)
