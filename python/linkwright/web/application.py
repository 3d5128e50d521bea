"""The addresses of the workbench: its page, and the requests of that page.

Long answers are server-sent events, in the answer to the request itself: the page ends a
computation by closing it. Each names its tab and a number that grows with every request, so that
tabs do not end each other's work and a late request ends nothing.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Lifespan

from linkwright.errors import LinkwrightError, UsageError
from linkwright.views.frame import asset as stored_asset
from linkwright.web.crew import Crew
from linkwright.web.page import STYLES
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
MOST_TAB = 40
"""Letters of the name of a tab."""

Page = Callable[[], tuple[str, str]]
"""Returns the page's HTML and its content security policy."""


def application(
    workspace: Workspace, crew: Crew, page: Page, lifespan: Lifespan[Starlette]
) -> Starlette:
    """Return the server's application, without its guard."""
    here = _Addresses(workspace, crew, page)
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
            Route("/api/try", _answered(here.try_texts), methods=["POST"]),
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

    def __init__(self, workspace: Workspace, crew: Crew, page: Page) -> None:
        self._workspace, self._crew, self._page = workspace, crew, page
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
        asked = await _fields(request, {"name": str, "text": str, "is_forced": bool})
        known = asked.get("known")
        return JSONResponse(
            self._workspace.save(asked["name"], asked["text"], known, is_forced=asked["is_forced"])
        )

    async def follow(self, request: Request) -> Response:
        """Answer with all that follows from a design, as it is ready."""
        asked = await _fields(
            request, {"text": str, "name": str, "workloads": list, "engines": list} | RUN
        )
        return self._work("follow", asked | {"folder": self._folder_of(asked["name"])})

    async def by_hand(self, request: Request) -> Response:
        """Answer with the changes that make a design a drawing by hand."""
        asked = await _fields(request, {"text": str, "name": str})
        return self._work("by hand", asked | {"folder": self._folder_of(asked["name"])})

    async def try_texts(self, request: Request) -> Response:
        """Answer for each text whether a network can be built from it."""
        asked = await _fields(request, {"texts": dict, "name": str})
        return self._work("try", asked | {"folder": self._folder_of(asked["name"])})

    async def compare(self, request: Request) -> Response:
        """Answer with several designs side by side."""
        asked = await _fields(request, {"workloads": list, "engine": str, "seed": int})
        designs = [
            dict(one) | {"folder": self._folder_of(one["name"])} for one in asked.get("designs", ())
        ]
        return self._work("compare", asked | {"designs": designs})

    async def open(self, request: Request) -> Response:
        """Answer with the content of a result or a study."""
        asked = await _fields(request, {"name": str, "kind": str, "text": str, "design": str})
        path = self._workspace.path(asked["name"])
        folder = self._folder_of(asked["design"])
        return self._work("open", asked | {"path": str(path), "folder": folder})

    async def play(self, request: Request) -> Response:
        """Answer with the address of a page in which a run is played."""
        asked = await _fields(request, {"text": str, "name": str, "workload": dict} | RUN)
        place, fields = self._place("play", asked | {"folder": self._folder_of(asked["name"])})
        async for name, data in self._crew.work(place, fields):
            if name == "page":
                return JSONResponse({"address": f"/page/{self._pages.keep(json.loads(data))}"})
            if name == "refused":
                return JSONResponse(json.loads(data)[0], 400)
        return JSONResponse({"message": "the computation ended unexpectedly"}, 500)

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

    def _folder_of(self, name: str) -> str:
        """Return the folder that the paths in a design are relative to."""
        return str(self._workspace.path(name or "design.yaml").parent)

    def _work(self, task: str, asked: dict[str, Any]) -> Response:
        return _events(_as_events(self._crew, *self._place(task, asked)))

    def _place(self, task: str, asked: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the tab with its purpose, and the request of a worker."""
        tab, number = asked.get("tab"), asked.get("number")
        if not isinstance(tab, str) or len(tab) > MOST_TAB or not isinstance(number, int):
            raise UsageError("the request names no tab", "open the page again")
        place = f"{tab} {task}"
        if self._crew.is_late(place, number):
            raise LateError("a later request was made", "")
        return place, {**asked, "task": task}


async def _fields(request: Request, kinds: Mapping[str, type]) -> dict[str, Any]:
    """Return the fields of a request.

    Raises
    ------
    UsageError
        If the body is no JSON object with these fields.
    """
    try:
        found = await request.json()
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise UsageError("the request is no JSON object", "open the page again")
    for name, kind in kinds.items():
        if not isinstance(found.get(name), kind):
            raise UsageError(f"the request lacks '{name}'", "open the page again")
    return found


Handler = Callable[[Request], Awaitable[Response]]


def _answered(handler: Handler) -> Handler:
    """Turn errors of the user into answers."""

    async def answering(request: Request) -> Response:
        try:
            return await handler(request)
        except LinkwrightError as error:
            code = 409 if isinstance(error, ChangedOnDiskError | LateError) else 400
            return JSONResponse({"message": error.message, "hint": error.hint}, code)

    return answering


def _events(lines: AsyncIterator[bytes]) -> Response:
    return StreamingResponse(lines, media_type="text/event-stream")


async def _as_events(crew: Crew, tab: str, request: Mapping[str, Any]) -> AsyncIterator[bytes]:
    async for name, data in crew.work(tab, request):
        yield b"event: %s\ndata: %s\n\n" % (name.encode(), data)
    yield b"event: done\ndata: null\n\n"


async def _beats() -> AsyncIterator[bytes]:
    while True:
        yield b"event: alive\ndata: null\n\n"
        await asyncio.sleep(BEAT_S)
