"""Only the page of this start may ask anything, and only for what lies in its folder.

Requests are those that other pages, names and programs on the same machine could make.
"""

from __future__ import annotations

import asyncio
import json
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from tests.web.conftest import TestClient
from tests.web.serving import ORIGIN, OWN, PORT, TOKEN, TORUS, events, follow
from uvicorn.server import ServerState

from linkwright.web import connections
from linkwright.web.guard import MOST_BODY, Guard

CATALOGUE = "catalogue: whitney-1998"


def followed(client: TestClient, number: int, sections: str, **changes: Any) -> dict[str, Any]:
    """Return the facts about a torus with further sections."""
    text = f"topology: {{kind: torus, shape: [4, 4]}}\n{sections}\n"
    fields = follow(number, text=text, **changes)
    return dict(events(client.post("/api/follow", headers=OWN, json=fields).text))


def test_the_page_needs_the_secret_of_its_address(client: TestClient) -> None:
    assert client.get("/").status_code == 403
    assert client.get("/?token=guess").status_code == 403
    assert client.get(f"/?token={TOKEN}").status_code == 200


@pytest.mark.parametrize("token", [None, "", "guess", TOKEN[:-1], f"{TOKEN}x", "ü"])
def test_no_request_is_answered_without_the_secret(client: TestClient, token: str | None) -> None:
    headers = {"origin": ORIGIN.encode()}
    if token is not None:
        headers["x-linkwright-token"] = token.encode()
    assert client.get("/api/files", headers=headers).status_code == 403
    assert client.post("/api/follow", headers=headers, json=follow()).status_code == 403
    # The secret in an address is for opening the page, not for requests.
    assert client.get(f"/api/files?token={TOKEN}").status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""]
)
def test_a_name_that_resolves_to_the_loopback_is_no_name_of_the_server(
    client: TestClient, host: str
) -> None:
    assert client.get("/api/files", headers={**OWN, "host": host}).status_code == 421
    assert client.get(f"/?token={TOKEN}", headers={"host": host}).status_code == 421


def test_localhost_is_a_name_of_the_server(client: TestClient) -> None:
    host = f"localhost:{PORT}"
    headers = {**OWN, "host": host, "origin": f"http://{host}"}
    assert client.get("/api/files", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": f"https://127.0.0.1:{PORT}"},
        {"origin": f"http://127.0.0.1:{PORT + 1}"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_requests_of_other_pages_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    for path in ("follow", "compare", "open", "save", "design"):
        answer = client.post(f"/api/{path}", headers=OWN | headers, json=follow())
        assert answer.status_code == 403, path


def test_a_request_that_computes_needs_an_origin(client: TestClient) -> None:
    headers = {"x-linkwright-token": TOKEN}
    assert client.post("/api/follow", headers=headers, json=follow()).status_code == 403


@pytest.mark.parametrize("path", ["/", "/api/files", "/assets/workbench.css", "/nothing"])
def test_every_answer_has_the_headers_that_shut_others_out(client: TestClient, path: str) -> None:
    headers = client.get(path, headers=OWN, params={"token": TOKEN}).headers
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "access-control-allow-origin" not in headers
    assert "set-cookie" not in headers


def test_the_policy_of_the_page_allows_its_own_scripts_alone(client: TestClient) -> None:
    policy = client.get(f"/?token={TOKEN}").headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "connect-src 'self';" in policy
    assert "http" not in policy
    # Each opening has a nonce of its own.
    assert client.get(f"/?token={TOKEN}").headers["content-security-policy"] != policy


def test_a_body_over_the_limit_is_refused(client: TestClient) -> None:
    large = b"x" * (MOST_BODY + 1)
    assert client.post("/api/save", headers=OWN, content=large).status_code == 413
    pieces = (large[at : at + 65536] for at in range(0, len(large), 65536))
    assert client.post("/api/save", headers=OWN, content=pieces).status_code == 413


NESTED = [b"[" * 100_000, b'{"text":' * 100_000, b'{"text": [' + b"[" * 100_000]
STRANGE = [b'{"tab": "t", "number": %s}' % one for one in (b"1e999", b"NaN", b"9" * 5000)]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"text": 1}', b"\xff\xfe", *NESTED, *STRANGE])
def test_a_body_of_another_form_is_a_mistake(client: TestClient, body: bytes) -> None:
    for path in ("follow", "compare", "open", "save", "design", "workload", "play"):
        answer = client.post(f"/api/{path}", headers=OWN, content=body)
        assert answer.status_code == 400, path
        assert answer.json()["message"]


@pytest.mark.parametrize("value", [1, "\ud800", [{"name": 1}], {"name": None}])
def test_a_field_of_another_form_is_a_mistake(client: TestClient, value: Any) -> None:
    """Each field in turn has a value of each form; what is taken as it is gets an answer too."""
    run = {"text": TORUS, "name": "", "seed": 1, "placement": "row", "ranks_per_node": 1}
    barrier = {"name": "barrier"}
    requests: dict[str, dict[str, Any]] = {
        "follow": run | {"workloads": [barrier], "engines": []},
        "compare": {"workloads": [barrier], "engine": "flow", "seed": 1, "designs": []},
        "play": run | {"workload": barrier},
        "open": {"name": "torus.yaml", "kind": "results", "text": "", "design": "", "asked": None},
        "save": {"name": "x.yaml", "text": "", "is_forced": False, "known": None},
        "design": {"name": ""},
        "workload": {"name": ""},
    }
    number = count()
    for path, usual in requests.items():
        for name in usual:
            fields = usual | {name: value, "tab": "forms", "number": next(number)}
            content = json.dumps(fields)
            answer = client.post(f"/api/{path}", headers=OWN, content=content)
            assert answer.status_code in (200, 400, 409), (path, name)
            assert "event: died" not in answer.text, (path, name)


def test_a_person_who_is_refused_gets_a_page(client: TestClient) -> None:
    for address in ("/", "/?token=of-another-start", "/nothing"):
        answer = client.get(address, headers={"accept": "text/html,*/*;q=0.8"})
        assert answer.status_code == 403
        assert answer.headers["content-type"].startswith("text/html")
        assert "linkwright serve" in answer.text
        assert TOKEN not in answer.text
    assert client.get("/", headers={"accept": "application/json"}).json()["message"]


async def heads(address: tuple[str, int], letters: bytes) -> float:
    """Send letters of a head one by one; return the time until the server closes, in s."""
    begun = time.monotonic()
    reader, writer = await asyncio.open_connection(*address)
    ended = asyncio.ensure_future(reader.read())
    for at in range(len(letters)):
        writer.write(letters[at : at + 1])
        await asyncio.wait({ended}, timeout=0.02)
        if ended.done():
            break
    await ended
    writer.close()
    return time.monotonic() - begun


async def alive(scope: Any, receive: Any, send: Any) -> None:
    """Answer for longer than a head may take."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for number in range(4):
        await asyncio.sleep(0.1)
        await send({"type": "http.response.body", "body": b"beat", "more_body": number < 3})


def test_heads_that_are_not_finished_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a connection without a letter nor letters now and then hold one open; an answer that
    takes long is not cut.
    """
    monkeypatch.setattr(connections, "HEAD_S", 0.2)
    config = uvicorn.Config(alive, log_level="critical", lifespan="off")

    async def use() -> None:
        config.load()
        state, loop = ServerState(), asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: connections.PatientProtocol(config, state, {}), "127.0.0.1", 0
        )
        async with server:
            address = server.sockets[0].getsockname()
            for letters in (b"", b"GET / HTTP/1.1\r\n" + b"x-long: x\r\n" * 50):
                assert 0.15 < await heads(address, letters) < 2.0
            reader, writer = await asyncio.open_connection(*address)
            writer.write(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n")
            assert (await reader.read()).count(b"beat") == 4
            writer.close()

    asyncio.run(use())


def test_a_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwright.web.guard.BODY_S", 0.01)
    sent: list[Any] = []
    headers = {"host": ORIGIN.partition("//")[2], **OWN}
    scope = {"type": "http", "method": "POST", "path": "/api/save", "query_string": b""}
    scope |= {"headers": [(name.encode(), value.encode()) for name, value in headers.items()]}

    async def receive() -> Any:
        await asyncio.sleep(60)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(asyncio.wait_for(Guard(alive, TOKEN, PORT)(scope, receive, send), 5))
    assert sent[0]["status"] == 408


OUTSIDE = [
    "../secret.yaml",
    ".hidden.yaml",
    ".hidden/torus.yaml",
    "seen.yaml",
    "/etc/passwd",
    "..",
    "",
    "a\0b",
    "sub/../../secret.yaml",
    "link.yaml",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_path_leaves_the_folder_or_is_hidden(
    client: TestClient, folder: Path, name: str
) -> None:
    (folder / "link.yaml").symlink_to(folder.parent / "secret.yaml")
    (folder / ".hidden.yaml").write_text(TORUS)
    (folder / "seen.yaml").symlink_to(folder / ".hidden.yaml")
    requests: dict[str, dict[str, Any]] = {
        "design": {"name": name},
        "save": {"name": name, "text": TORUS, "is_forced": True, "known": None},
        "open": {
            "name": name,
            "kind": "results",
            "tab": "t",
            "number": 1,
            "text": "",
            "design": "",
        },
    }
    if name:  # a new design has no name yet
        requests["follow"] = follow(name=name)
    for path, fields in requests.items():
        answer = client.post(f"/api/{path}", headers=OWN, json=fields)
        assert answer.status_code == 400, path
    assert (folder.parent / "secret.yaml").read_text() == "name: secret"


def test_assets_are_those_of_the_page_alone(client: TestClient) -> None:
    assert client.get("/assets/workbench.css").status_code == 200
    for name in ("base.py", "..%2f__init__.py", "%2e%2e/__init__.py", "check.js"):
        assert client.get(f"/assets/{name}").status_code == 404, name


PRICES = "[prices.category-5]\nprice = 3.0\ndate = 2026-01-31\n"


def test_files_that_a_design_names_lie_in_the_folder(client: TestClient, folder: Path) -> None:
    outside = folder.parent / "prices.toml"
    for path in (outside, folder / "prices.toml"):
        path.write_text(PRICES)
    (folder / "link.toml").symlink_to(outside)
    assert "price" in followed(client, 0, f"parts: {{{CATALOGUE}, prices: prices.toml}}")
    sections = [
        f"parts: {{{CATALOGUE}, prices: ../prices.toml}}",
        f"parts: {{{CATALOGUE}, prices: link.toml}}",
        f"parts: {{{CATALOGUE}, prices: '{outside}'}}",
        f"parts: {{{CATALOGUE}}}\nrouting: {{scheme: explicit, table: '{outside}'}}",
    ]
    for number, section in enumerate(sections, start=1):
        (refused,) = followed(client, number, section)["refused"]
        assert "lies outside of" in refused["message"]
        assert "copy the file into the folder" in refused["hint"]


def test_files_that_a_workload_names_lie_in_the_folder(client: TestClient, folder: Path) -> None:
    trace = "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n"
    for path, is_read in ((folder / "pair.goal", True), (folder.parent / "pair.goal", False)):
        path.write_text(trace)
        goal = {"name": "goal", "settings": {"file": str(path)}}
        found = followed(client, int(not is_read), f"parts: {{{CATALOGUE}}}", workloads=[goal])
        assert bool(found["analytic"]["figures"]) is is_read
        assert [("lies outside of" in one) for one in found["analytic"]["refused"]] == (
            [] if is_read else [True]
        )
