"""Only the page of this start may ask anything, and only for what lies in its folder.

Requests are those that other pages, names and programs on the same machine could make.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import TestClient
from tests.web.serving import ORIGIN, OWN, PORT, TOKEN, TORUS, events, follow

from linkwright.web.guard import MOST_BODY

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


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"text": 1}', b"\xff\xfe"])
def test_a_body_of_another_form_is_a_mistake(client: TestClient, body: bytes) -> None:
    for path in ("follow", "compare", "open", "save", "design"):
        answer = client.post(f"/api/{path}", headers=OWN, content=body)
        assert answer.status_code == 400, path
        assert answer.json()["message"]


OUTSIDE = ["../secret.yaml", "/etc/passwd", "..", "", "a\0b", "sub/../../secret.yaml", "link.yaml"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_path_leaves_the_folder(client: TestClient, folder: Path, name: str) -> None:
    (folder / "link.yaml").symlink_to(folder.parent / "secret.yaml")
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
