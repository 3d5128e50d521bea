"""The addresses of the workbench: its page, and the requests of that page.

Long answers are server-sent events, in the answer to the request itself: the page ends a
computation by closing it. Each names its tab and a number that grows with every request, so that
tabs do not end each other's work and a late request ends nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import traceback
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Lifespan

from linkwright.errors import LinkwrightError, UsageError
from linkwright.views.frame import asset as stored_asset
from linkwright.web.asked import Cell, Design, Work, fields, tab_of
from linkwright.web.beats import with_beats
from linkwright.web.crew import Crew, Line
from linkwright.web.page import STYLES
from linkwright.web.words import MISTAKE, REHEARSE
from linkwright.web.workspace import ChangedOnDiskError, Workspace
from linkwright.workloads.described import settings

__all__ = ["application"]

ASSETS = {"workbench.js": "text/javascript", **dict.fromkeys(STYLES, "text/css")}
BEAT_S = 2.0
"""Time between two signs of life."""
MOST_PAGES = 8
"""Pages of runs that are kept."""
APART = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; "
    "worker-src blob:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Policy of a page that stands for itself: it has no part in the workbench's address."""
RUN = {"seed": int, "placement": str, "ranks_per_node": int}
"""Fields of requests that run workloads on one design."""

Lines = AsyncGenerator[Line, None]
"""Events of a worker."""
TAKEN = {
    "targets": list[str] | None,
    "table": str | None,
    "format": str | None,
    "title": str | None,
    "connector": str | None,
    "beside": Design | None,
    "headings": list[str] | None,
    "rows": list[list[Cell]] | None,
    "workload": Work | None,
    "workloads": list[Work] | None,
    "engines": list[str] | None,
    "seed": int | None,
    "placement": str | None,
    "ranks_per_node": int | None,
}
"""Fields of a request for a file, of which each kind of file needs some."""

Page = Callable[[], tuple[str, str]]
"""Returns the page's HTML and its content security policy."""


def application(
    workspace: Workspace,
    crew: Crew,
    page: Page,
    lifespan: Lifespan[Starlette],
    *,
    can_emulate: bool = False,
) -> Starlette:
    """Return the server's application, without its guard."""
    here = _Addresses(workspace, crew, page, can_emulate=can_emulate)
    return Starlette(
        lifespan=lifespan,
        routes=[
            Route("/", here.index),
            Route("/assets/{name}", asset),
            Route("/api/alive", here.alive),
            Route("/api/files", _answered(here.files)),
            Route("/api/design", _answered(here.design), methods=["POST"]),
            Route("/api/workload", _answered(here.workload), methods=["POST"]),
            Route("/api/save", _answered(here.save), methods=["POST"]),
            Route("/api/follow", _answered(here.follow), methods=["POST"]),
            Route("/api/compare", _answered(here.compare), methods=["POST"]),
            Route("/api/play", _answered(here.play), methods=["POST"]),
            Route("/api/by-hand", _answered(here.by_hand), methods=["POST"]),
            Route("/api/import", _answered(here.import_graph), methods=["POST"]),
            Route("/api/try", _answered(here.try_texts), methods=["POST"]),
            Route("/api/study", _answered(here.study), methods=["POST"]),
            Route("/api/rehearse", _answered(here.rehearse), methods=["POST"]),
            Route("/api/take", _answered(here.take), methods=["POST"]),
            Route("/api/export", _answered(here.export), methods=["POST"]),
            Route("/page/{key}", here.page),
            Route("/api/open", _answered(here.open), methods=["POST"]),
        ],
    )


async def asset(request: Request) -> Response:
    """Answer with a script or a style sheet of the package."""
    name = request.path_params["name"]
    if name not in ASSETS:
        return Response(status_code=404)
    return Response(stored_asset(name), media_type=ASSETS[name])


class LateError(UsageError):
    """A request that a later one of the same tab has overtaken."""


class _Pages:
    """The last pages that were made, each by a key that is not guessed."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, str] = OrderedDict()

    def keep(self, html: str) -> str:
        """Keep a page, and return its key."""
        key = secrets.token_urlsafe(24)
        self._pages[key] = html
        if len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)
        return key

    def get(self, key: str) -> str | None:
        """Return the page of a key."""
        return self._pages.get(key)


class _Addresses:
    """The answer of each address."""

    def __init__(self, workspace: Workspace, crew: Crew, page: Page, *, can_emulate: bool) -> None:
        self._workspace, self._crew, self._page = workspace, crew, page
        self._can_emulate = can_emulate
        self._pages = _Pages()

    async def index(self, request: Request) -> Response:
        """Answer with the page."""
        del request
        html, policy = self._page()
        return HTMLResponse(html, headers={"content-security-policy": policy})

    async def alive(self, request: Request) -> Response:
        """Answer with signs of life until the server ends."""
        del request
        return _events(_beats())

    async def files(self, request: Request) -> Response:
        """Answer with the designs, results and studies in the folder."""
        del request
        return JSONResponse(await asyncio.to_thread(self._workspace.listed))

    async def design(self, request: Request) -> Response:
        """Answer with the text of a design in the folder."""
        asked = await _fields(request, {"name": str})
        return JSONResponse(self._workspace.design(asked["name"]))

    async def workload(self, request: Request) -> Response:
        """Answer with the settings of a workload."""
        asked = await _fields(request, {"name": str})
        found = await asyncio.to_thread(settings, asked["name"])
        return JSONResponse({"settings": [asdict(one) for one in found]})

    async def save(self, request: Request) -> Response:
        """Write a design."""
        asked = await _fields(
            request, {"name": str, "text": str, "is_forced": bool} | {"known": str | None}
        )
        name, text, known = asked["name"], asked["text"], asked["known"]
        return JSONResponse(self._workspace.save(name, text, known, is_forced=asked["is_forced"]))

    async def follow(self, request: Request) -> Response:
        """Answer with all that follows from a design, as it is ready."""
        asked = await _fields(
            request, {"text": str, "name": str, "workloads": list[Work], "engines": list[str]} | RUN
        )
        return self._work("follow", asked | {"folder": self._folder_of(asked["name"])})

    async def by_hand(self, request: Request) -> Response:
        """Answer with the changes that make a design a drawing by hand."""
        asked = await _fields(request, {"text": str, "name": str})
        return self._work("by hand", asked | {"folder": self._folder_of(asked["name"])})

    async def import_graph(self, request: Request) -> Response:
        """Answer with a design that is made of a graph of another tool."""
        words = dict.fromkeys(("switches", "hubs", "routers"), list[str])
        kinds = {"files": list[Design], "format": str, "catalogue": str} | words
        return self._work("import", await _fields(request, kinds))

    async def try_texts(self, request: Request) -> Response:
        """Answer for each text whether a network can be built from it."""
        asked = await _fields(request, {"texts": dict, "name": str})
        return self._work("try", asked | {"folder": self._folder_of(asked["name"])})

    async def compare(self, request: Request) -> Response:
        """Answer with several designs side by side."""
        kinds = {"workloads": list[Work], "engine": str} | RUN
        asked = await _fields(request, kinds | {"designs": list[Design] | None})
        designs = [
            {**one, "folder": self._folder_of(one["name"])} for one in asked["designs"] or ()
        ]
        return self._work("compare", asked | {"designs": designs})

    async def open(self, request: Request) -> Response:
        """Answer with the content of a result or a study."""
        asked = await _fields(
            request,
            {"name": str, "kind": str, "text": str, "design": str}
            | {"asked": dict[str, str] | None},
        )
        path = self._workspace.path(asked["name"])
        folder = self._folder_of(asked["design"])
        return self._work("open", asked | {"path": str(path), "folder": folder})

    async def play(self, request: Request) -> Response:
        """Answer with the address of a page in which a run is played, or two."""
        kinds = {"text": str, "name": str, "workload": Work, "beside": Design | None} | RUN
        return self._work("play", self._placed(await _fields(request, kinds)))

    async def study(self, request: Request) -> Response:
        """Make the runs of a study, in a folder of its name."""
        asked = await _fields(request, {"text": str, "name": str})
        path = self._workspace.study_folder(asked["name"])
        fields = {"path": str(path), "folder": str(self._workspace.folder)}
        return self._work("study", asked | fields)

    async def rehearse(self, request: Request) -> Response:
        """Answer with the outcome of a rehearsal on kernels of this machine."""
        if not self._can_emulate:
            raise UsageError(
                "this server starts no kernels", "start it with `linkwright serve --allow-emulate`"
            )
        kinds = {"text": str, "name": str, "verifies": bool, "workload": Work | None} | RUN
        kinds |= {"faults": list[str], "dilation": float | None}
        asked = await _fields(request, kinds)
        return self._work(REHEARSE, asked | {"folder": self._folder_of(asked["name"])})

    async def take(self, request: Request) -> Response:
        """Answer with a file for the user to keep."""
        kinds = {"file": str, "text": str, "name": str} | TAKEN
        return self._work("take", self._placed(await _fields(request, kinds)))

    async def export(self, request: Request) -> Response:
        """Answer with the files for machines."""
        asked = await _fields(request, {"text": str, "name": str, "targets": list[str]})
        return self._work("export", asked | {"folder": self._folder_of(asked["name"])})

    async def page(self, request: Request) -> Response:
        """Answer with a page that was made before; it is shut off from the workbench."""
        html = self._pages.get(request.path_params["key"])
        if html is None:
            return Response(status_code=404)
        headers = {
            "content-security-policy": APART,
            "cross-origin-opener-policy": "unsafe-none",
        }
        return HTMLResponse(html, headers=headers)

    def _placed(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return a request with the folders of its design and of the one beside it."""
        placed = asked | {"folder": self._folder_of(asked["name"])}
        if beside := asked.get("beside"):
            placed["beside"] = {**beside, "folder": self._folder_of(beside["name"])}
        return placed

    def _folder_of(self, name: str) -> str:
        """Return the folder that the paths in a design are relative to."""
        return str(self._workspace.path(name or "design.yaml").parent)

    def _work(self, task: str, asked: dict[str, Any]) -> Response:
        lines = self._with_pages(self._crew.work(*self._place(task, asked)))
        return _events(_as_events(lines))

    async def _with_pages(self, lines: Lines) -> Lines:
        """Yield events; the address of a page that is kept stands for the page."""
        async with contextlib.aclosing(lines):
            async for name, data in lines:
                yield name, self._kept(data) if name == "page" else data

    def _kept(self, page: bytes) -> bytes:
        """Keep a page, and return its address."""
        return json.dumps({"address": f"/page/{self._pages.keep(json.loads(page))}"}).encode()

    def _place(self, task: str, asked: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the tab with its purpose, and the request of a worker."""
        tab, number = tab_of(asked)
        place = f"{tab} {task}"
        if self._crew.is_late(place, number):
            raise LateError("a later request was made", "")
        return place, {**asked, "task": task}


async def _fields(request: Request, kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request, as the body gives them."""
    return fields(await request.body(), kinds)


Handler = Callable[[Request], Awaitable[Response]]


def _answered(handler: Handler) -> Handler:
    """Turn errors of the user into answers."""

    async def answering(request: Request) -> Response:
        try:
            return await handler(request)
        except LinkwrightError as error:
            code = 409 if isinstance(error, ChangedOnDiskError | LateError) else 400
            return JSONResponse({"message": error.message, "hint": error.hint}, code)
        except Exception:
            return JSONResponse({"message": MISTAKE, "hint": traceback.format_exc()}, 500)

    return answering


def _events(lines: AsyncIterator[bytes]) -> Response:
    return StreamingResponse(lines, media_type="text/event-stream")


async def _as_events(lines: Lines) -> AsyncIterator[bytes]:
    async with contextlib.aclosing(with_beats(lines)) as living:
        async for name, data in living:
            yield b"event: %s\ndata: %s\n\n" % (name.encode(), data)
    yield b"event: done\ndata: null\n\n"


async def _beats() -> AsyncIterator[bytes]:
    while True:
        yield b"event: alive\ndata: null\n\n"
        await asyncio.sleep(BEAT_S)
