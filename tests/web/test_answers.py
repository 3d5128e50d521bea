"""The events of a running server are those of their description.

Each key must be described, and each described key be there.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from tests.namespaces import why_missing
from tests.web.conftest import TestClient, application
from tests.web.serving import OWN, TORUS, events, follow

from linkwright.web.answers import ANSWERS, COMMON, EVENTS

WORK = {"name": "barrier", "settings": {}}
RESULT = "metric,value\ntime,1.5\n"
WATCH = '{"findings": [], "moves": []}'
PAIR = "topology: {kind: direct}\nparts: {catalogue: whitney-1998}\n"
REQUESTS: dict[str, list[dict[str, Any]]] = {
    "/api/follow": [
        {"engines": ["analytic", "flow", "packet"], "workloads": [WORK, {"name": "ping-pong"}]},
        {"text": "topology: {kind: torus, shape: [0]}"},
        {"tells_progress": True, "engines": []},
    ],
    "/api/compare": [
        {"designs": [{"name": "torus.yaml", "text": TORUS}], "engine": "analytic"},
        {"designs": [{"name": "x.yaml", "text": "x"}], "engine": "analytic"},
    ],
    "/api/open": [
        {"name": "rows.csv", "kind": "results", "design": ""},
        {"name": "found.json", "kind": "results", "design": "torus.yaml"},
    ],
    "/api/play": [{"workload": WORK}],
    "/api/take": [{"file": "drawing"}, {"file": "nothing"}],
    "/api/study": [{"text": "designs: [torus.yaml]\nworkloads: [barrier]\n", "name": "s"}],
    "/api/export": [{"targets": ["hosts", "netlab"]}],
    "/api/try": [{"texts": {"a": TORUS}}],
    "/api/by-hand": [{}],
    "/api/import": [
        {
            "files": [{"name": "g.csv", "text": "source,target\nn0:eth0,n1:eth0\n"}],
            "format": "",
            "catalogue": "ethernet-2026",
            "switches": [],
            "hubs": [],
            "routers": [],
        }
    ],
    "/api/rehearse": [
        {"text": PAIR, "workload": WORK, "verifies": is_plan, "faults": [], "dilation": 100.0}
        for is_plan in (False, True)
    ],
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One application, whose workers start once."""
    folder: Path = tmp_path_factory.mktemp("designs")
    for name, text in {"torus.yaml": TORUS, "rows.csv": RESULT, "found.json": WATCH}.items():
        (folder / name).write_text(text)
    with application(folder, can_emulate=True) as client:
        yield client


def differs(value: Any, described: Any, place: str = "") -> Iterator[str]:
    """Yield where a JSON value is not of its description."""
    origin, inner = get_origin(described), get_args(described)
    if described is Any:
        return
    if is_typeddict(described):
        yield from _differing_keys(value, described, place)
    elif origin is types.UnionType:
        if all(list(differs(value, one)) for one in inner):
            yield f"{place}: {value!r} is no {described}"
    elif origin is Literal:
        if value not in inner:
            yield f"{place}: {value!r} is none of {inner}"
    elif origin is list:
        assert isinstance(value, list), place
        for number, one in enumerate(value):
            yield from differs(one, inner[0], f"{place}[{number}]")
    elif origin is tuple:
        assert len(value) == len(inner), place
        for one, kind in zip(value, inner, strict=True):
            yield from differs(one, kind, place)
    elif origin is dict:
        for key, one in value.items():
            yield from differs(one, inner[1], f"{place}.{key}")
    elif not _is_plain(value, described):
        yield f"{place}: {value!r} is no {described}"


def _is_plain(value: Any, kind: Any) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return value is None if kind in (None, type(None)) else type(value) is kind


def _differing_keys(value: Any, described: type, place: str) -> Iterator[str]:
    hints = get_type_hints(described, include_extras=True)
    optional = {key for key, hint in hints.items() if get_origin(hint) is NotRequired}
    plain = get_type_hints(described)
    assert isinstance(value, dict), place
    yield from (f"{place}: {key} is missing" for key in hints.keys() - optional - value.keys())
    yield from (f"{place}: {key} is not described" for key in value.keys() - hints.keys())
    for key in value.keys() & hints.keys():
        yield from differs(value[key], plain[key], f"{place}.{key}")


@pytest.mark.parametrize("path", EVENTS)
def test_events_are_of_their_description(client: TestClient, path: str) -> None:
    if path == "/api/rehearse" and (missing := why_missing("tests/web")):
        pytest.skip(missing)
    seen = set()
    for fields in REQUESTS[path]:
        answer = client.post(path, headers=OWN, json=follow(**fields))
        assert answer.status_code == 200, answer.text
        for name, data in events(answer.text):
            seen.add(name)
            described = {**COMMON, **EVENTS[path]}[name]
            assert not list(differs(data, described, name))
    rare = {"failed", "study", "figure"}
    assert seen >= EVENTS[path].keys() - rare, "an event is described that no request gives"


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("files", None),
        ("design", {"name": "torus.yaml"}),
        ("workload", {"name": "broadcast"}),
        ("save", {"name": "new.yaml", "text": "x", "known": None, "is_forced": False}),
    ],
)
def test_answers_are_of_their_description(
    client: TestClient, path: str, fields: dict[str, Any] | None
) -> None:
    address = f"/api/{path}"
    made = client.get(address, headers=OWN) if fields is None else None
    answer = made or client.post(address, headers=OWN, json=fields)
    assert not list(differs(answer.json(), ANSWERS[address], path))


def test_a_value_that_is_not_described_is_found() -> None:
    [rows] = EVENTS["/api/compare"].values()
    whole = {"engine": "packet", "workloads": [], "rows": [], "left_out": []}
    assert not list(differs(whole, rows))
    for odd in ({"engine": 1}, {"more": 1}, {"rows": [{}]}, {"workloads": [None]}):
        assert list(differs(whole | odd, rows)), odd
    assert list(differs({"engine": "packet"}, rows))
