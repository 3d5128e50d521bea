"""Refuses requests that the page of this server did not make.

Other programs' pages in the same browser can send requests to the loopback, by its address or by a
name of their own that resolves to it. So every request must name this server (`Host`), those that
compute or change anything must come from its page (`Origin`), and all but the fixed assets must
know the secret of this start: in the address of the page, in a header afterwards. There is no
cookie, which every other server on the loopback would receive.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterable
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from linkwright.version import VERSION
from linkwright.views.frame import page

__all__ = ["MOST_BODY", "TOKEN_HEADER", "Guard"]

TOKEN_HEADER = "x-linkwright-token"
MOST_BODY = 4 << 20
"""Bytes of a request; a design has 1 MiB at most, a comparison has several."""
TOO_LARGE = "the request is too large"
BODY_S = 30.0
"""Time in which the body of a request must arrive."""
TOO_SLOW = f"the request was not complete after {BODY_S:g} s"
OPEN_PATHS = ("/assets/", "/page/")
"""Prefixes of what needs no secret: the scripts and styles of the package; pages of runs, whose
addresses are secrets of their own."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
}
"""Headers of every answer, unless it has a policy of its own."""
PAGE_OF_REFUSAL = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Content policy of a refusal for people."""


class Guard:
    """Stands before the application; `token` is the secret, `port` that of this server."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app, self._token = app, token.encode()
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        if port == 80:
            self._hosts |= {"127.0.0.1", "localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        guarded = _with_headers(send)
        refusal = self._refusal(scope)
        if scope["type"] != "http":
            return
        if refusal:
            await _refused(scope, *refusal)(scope, receive, guarded)
            return
        try:
            async with asyncio.timeout(BODY_S):
                body = await _body(receive)
        except TimeoutError:
            await _refused(scope, 408, TOO_SLOW)(scope, receive, guarded)
            return
        if body is None:
            await _refused(scope, 413, TOO_LARGE)(scope, receive, guarded)
            return
        await self._app(scope, _replayed(body, receive), guarded)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the code and the reason of a refusal."""
        if scope["type"] != "http":
            return None
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._hosts:
            return 421, "this server answers to localhost alone"
        if not self._is_own(scope["method"], headers):
            return 403, "the request comes from another page"
        if int(_digits(headers.get("content-length"))) > MOST_BODY:
            return 413, TOO_LARGE
        if not self._knows_token(scope, headers):
            return 403, "the address lacks the token: use the one that `linkwright serve` printed"
        return None

    def _is_own(self, method: str, headers: Headers) -> bool:
        """Return whether the page of this server made a request, or a person opened it."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
        if method in ("GET", "HEAD"):
            return origin in (None, f"http://{headers['host']}") and site in ("same-origin", "none")
        return origin == f"http://{headers['host']}" and site == "same-origin"

    def _knows_token(self, scope: Scope, headers: Headers) -> bool:
        path = scope["path"]
        if any(path.startswith(one) for one in OPEN_PATHS):
            return True
        given = headers.get(TOKEN_HEADER, "")
        if path == "/":
            query = parse_qs(scope["query_string"].decode("latin-1"))
            given = query.get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self._token)


def _refused(scope: Scope, code: int, reason: str) -> Response:
    """Return a refusal, as a page where a person opened an address."""
    headers = Headers(scope=scope)
    if scope["method"] != "GET" or "text/html" not in headers.get("accept", ""):
        return JSONResponse({"message": reason}, code)
    title = "Linkwright workbench"
    html = page("refused.html.j2", version=VERSION, title=title, facts=(), reason=reason)
    return HTMLResponse(html, code, {"content-security-policy": PAGE_OF_REFUSAL})


def _digits(text: str | None) -> str:
    return text if text and text.isascii() and text.isdigit() else "0"


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _missing(headers.keys()):
                headers[name] = value
        await send(message)

    return sending


def _missing(names: Iterable[str]) -> list[tuple[str, str]]:
    given = set(names)
    return [(name, value) for name, value in HEADERS.items() if name not in given]


async def _body(receive: Receive) -> bytes | None:
    """Return the body of a request; None if it is too large, whatever its head said."""
    body = b""
    while True:
        message = await receive()
        part: bytes = message.get("body", b"")
        body += part
        if len(body) > MOST_BODY:
            return None
        if not message.get("more_body"):
            return body


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return the reader of a body that has been read, which then tells when the client goes."""
    left = [body]

    async def receiving() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return receiving
