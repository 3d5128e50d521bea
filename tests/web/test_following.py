"""The facts about a design come in their order; newer requests and tabs that go end the work.

Real servers are started where processes and signals matter.
"""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.web.conftest import TestClient, application
from tests.web.serving import OWN, TORUS, Served, events, follow

from linkwright import plan
from linkwright.design.cluster import Cluster
from linkwright.engines import run
from linkwright.network import compile as compile_network
from linkwright.web.page import FIRST_DESIGN
from linkwright.workloads import Barrier

LONG = {
    "text": TORUS.replace("[4, 4]", "[16, 16]"),
    "workloads": [{"name": "all-to-all", "settings": {"size_bytes": "100000"}}],
    "engines": ["packet"],
}
"""A request that computes for minutes."""
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of this file's tests."""
    return tmp_path_factory.mktemp("designs")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    """One application, whose workers start once."""
    with application(folder) as client:
        yield client


def ask(client: TestClient, number: int = 1, **changes: object) -> dict[str, object]:
    answer = client.post("/api/follow", headers=OWN, json=follow(number, **changes))
    assert answer.status_code == 200
    return dict(events(answer.text))


def test_facts_come_in_the_order_of_their_cost(client: TestClient) -> None:
    engines = ["analytic", "flow", "packet"]
    answer = client.post("/api/follow", headers=OWN, json=follow(engines=engines))
    names = [name for name, _ in events(answer.text)]
    facts = ["check", "drawing", "price", "connectivity", "proof"]
    assert names == [*facts, *engines, "rerouting", "done"]


def test_the_page_gets_the_figures_of_the_commands(client: TestClient) -> None:
    found = ask(client, engines=["packet"])
    cluster = Cluster.parse(TORUS)
    network = compile_network(cluster)
    cost = plan.price(network)
    assert found["price"]["units_bought_per_node"] == cost.units_bought_per_node
    findings = [finding.to_json() for finding in plan.check(network)]
    assert found["check"]["findings"] == findings
    rows = run(network, Barrier(), engine="packet", calibration=cluster.calibration, seed=1)
    times = {row.metric: row.value for row in rows}
    assert [times[one["metric"]] for one in found["packet"]["figures"]] == [
        one["value"] for one in found["packet"]["figures"]
    ]
    assert found["rerouting"]["kinds"][0]["n_failures"] == 32


def test_mistakes_of_the_text_are_told_one_by_one(client: TestClient) -> None:
    found = ask(client, text="topology: {kind: torus, shape: [0, 4]}\nparts: {catalog: x}")
    messages = [one["message"] for one in found["refused"]]
    assert len(messages) == 2
    assert any("shape" in message for message in messages)
    assert any("catalog" in message for message in messages)
    assert "check" not in found


def test_a_workload_that_does_not_fit_leaves_the_others(client: TestClient) -> None:
    workloads = [{"name": "goal"}, {"name": "no-such"}, {"name": "barrier"}]
    found = ask(client, workloads=workloads)
    refused = found["analytic"]["refused"]
    assert [one.partition(":")[0] for one in refused] == ["goal", "no-such"]
    assert {one["workload"] for one in found["analytic"]["figures"]} == {"barrier"}


def test_ranks_are_placed(client: TestClient) -> None:
    network = compile_network(Cluster.parse(TORUS))
    for placement, per_node, whole in (("random", 1, "random"), ("0,5", 2, "0:2,5:2")):
        asked = {"placement": placement, "ranks_per_node": per_node, "engines": ["packet"]}
        workloads = [{"name": "barrier", "settings": {"ranks": "2"}}]
        found = ask(client, workloads=workloads, **asked)
        (figure,) = found["packet"]["figures"]
        one = run(network, Barrier(ranks=2), engine="packet", placement=whole, seed=1)
        assert figure["value"] == one.filter(metric="time").values()[0], placement
    asked = {"placement": "nowhere", "ranks_per_node": 1, "engines": ["packet"]}
    (reason,) = ask(client, **asked)["packet"]["refused"]
    assert "placement" in reason


def test_paths_in_a_design_are_relative_to_its_folder(client: TestClient, folder: Path) -> None:
    text = TORUS + "routing: {scheme: explicit, table: routes.csv}\n"
    (folder / "routes.csv").write_text("node,destination,via,nic,metric\n")
    found = ask(client, text=text)
    assert "there is no file" not in str(found)
    assert "No such file" not in str(found)


def test_a_late_request_of_a_tab_ends_nothing(client: TestClient) -> None:
    ask(client, number=5, tab="late")
    for number in (5, 4):
        answer = client.post("/api/follow", headers=OWN, json=follow(number, tab="late"))
        assert answer.status_code == 409
    ask(client, number=1, tab="another")


def test_designs_are_compared_and_unreadable_ones_told(client: TestClient) -> None:
    designs = [{"name": "torus.yaml", "text": TORUS}, {"name": "x.yaml", "text": "topology: {}"}]
    fields = {"tab": "a comparison", "number": 1, "designs": designs, "engine": "flow", "seed": 1}
    fields |= {"workloads": [{"name": "barrier"}], "tells_progress": True}
    fields |= {"placement": "row", "ranks_per_node": 1}
    found = dict(events(client.post("/api/compare", headers=OWN, json=fields).text))
    assert found["progress"] == {"done": 2, "all": 2, "label": "torus-4x4: barrier"}
    (row,) = found["rows"]["rows"]
    assert row["figures"]["barrier"]["time"] > 0
    assert [one["name"] for one in found["rows"]["left_out"]] == ["x.yaml"]


def test_the_page_of_a_run_stands_apart(client: TestClient) -> None:
    fields = {"tab": "a run", "number": 1, "text": TORUS, "name": "", "seed": 1}
    fields |= {"placement": "row", "ranks_per_node": 2}
    workload = {"name": "barrier", "settings": {"repeats": "3"}}
    answer = client.post("/api/play", headers=OWN, json={**fields, "workload": workload})
    page = client.get(dict(events(answer.text))["page"]["address"])
    assert page.text.startswith("<!doctype html>")
    assert "-w barrier --set repeats=3 --seed 1 --placement row:2" in page.text
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts;")
    assert client.get("/page/guess").status_code == 404
    wrong = {**fields, "number": 2, "workload": {"name": "no-such"}}
    (mistake,) = dict(events(client.post("/api/play", headers=OWN, json=wrong).text))["refused"]
    assert "no-such" in mistake["message"]


def test_nothing_to_compare_is_a_mistake(client: TestClient) -> None:
    fields = {
        "tab": "nothing",
        "number": 1,
        "engine": "flow",
        "seed": 1,
        "placement": "row",
        "ranks_per_node": 1,
        "workloads": [],
    }
    answer = client.post("/api/compare", headers=OWN, json={**fields, "designs": []})
    found = dict(events(answer.text))
    assert found["refused"][0]["message"] == "there are no designs to compare"


def busy(served: Served) -> list[int]:
    """Return the workers that compute."""
    return [pid for pid in served.workers() if _cpu_s(pid) > 0.0]


def _cpu_s(pid: int) -> float:
    """Return the processor time that a worker takes in a moment."""

    def used() -> int:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    try:
        before = used()
        time.sleep(0.1)
        return (used() - before) / os.sysconf("SC_CLK_TCK")
    except FileNotFoundError:
        return 0.0


def until(condition: object, within_s: float = 15.0) -> float:
    """Wait for a condition; return how long it took."""
    start = time.monotonic()
    while not condition():  # type: ignore[operator]
        assert time.monotonic() - start < within_s, "it does not happen"
        time.sleep(0.02)
    return time.monotonic() - start


def started(answer: httpx.Response) -> Iterator[str]:
    """Read a stream up to its last event before the engine; return its further lines.

    The stream is closed as soon as the caller lets go of them.
    """
    lines = answer.iter_lines()
    assert "event: proof" in lines
    return lines


def test_work_ends_when_its_tab_goes_away(served: Served) -> None:
    with served.stream("/api/follow", follow(**LONG)) as answer:
        _lines = started(answer)
        until(lambda: busy(served))
    assert until(lambda: not busy(served)) < 3.0


def test_a_newer_text_is_answered_at_once_and_ends_the_older_work(served: Served) -> None:
    with served.stream("/api/follow", follow(1, tab="one", **LONG)) as older:
        further = started(older)
        begun = time.monotonic()
        with served.stream("/api/follow", follow(2, tab="one")) as newer:
            names = [line for line in newer.iter_lines() if line.startswith("event")]
        assert names[-1] == "event: done"
        assert time.monotonic() - begun < 3.0
        assert "event: packet" not in further


def test_two_tabs_compute_side_by_side(served: Served) -> None:
    with served.stream("/api/follow", follow(1, tab="one", **LONG)) as first:
        _lines = started(first)
        with served.stream("/api/follow", follow(1, tab="two")) as second:
            assert "event: done" in second.iter_lines()
        until(lambda: busy(served))


def test_a_worker_that_dies_is_told_and_replaced(served: Served) -> None:
    with served.stream("/api/follow", follow(1, tab="one", **LONG)) as answer:
        further = started(answer)
        until(lambda: busy(served))
        for pid in busy(served):
            os.kill(pid, signal.SIGKILL)
        assert "event: died" in further
    with served.stream("/api/follow", follow(2, tab="one")) as answer:
        assert "event: done" in answer.iter_lines()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_end_of_the_server_leaves_no_process(served: Served, number: signal.Signals) -> None:
    with served.stream("/api/follow", follow(**LONG)) as answer:
        _lines = started(answer)
        workers = served.workers()
        assert workers
        served.process.send_signal(number)
        served.process.wait(5)
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), 2.0)
    assert served.process.returncode in (130, 143)


def test_workers_end_with_a_server_that_is_killed(served: Served) -> None:
    with served.stream("/api/follow", follow(**LONG)) as answer:
        _lines = started(answer)
        workers = served.workers()
        served.process.kill()
        served.process.wait(5)
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), 5.0)


def test_the_design_of_a_page_without_one_has_no_mistake(client: TestClient) -> None:
    found = ask(client, text=FIRST_DESIGN, name="")
    assert found["check"]["nodes"] == 16
    assert "error" not in {one["severity"] for one in found["check"]["findings"]}
    assert found["analytic"]["figures"]


def post(client: TestClient, address: str, **fields: object) -> list[tuple[str, object]]:
    """Return the events of an answer."""
    body = {"tab": "drawn", "number": next(NUMBERS), "name": "", **fields}
    return events(client.post(address, headers=OWN, json=body).text)


def test_a_ring_becomes_a_drawing_by_hand(client: TestClient) -> None:
    text = "topology: {kind: ring, shape: [3]}\nrouting: {scheme: dimension-order}\n"
    [(name, answer), _] = post(client, "/api/by-hand", text=text)
    assert name == "changes"
    assert isinstance(answer, dict)
    fields = {one["path"][0]: one["value"] for one in answer["changes"]}
    assert answer["gone"] == [["routing", "scheme"]]
    drawn = compile_network(Cluster.from_fields(fields))
    ring = compile_network(Cluster.parse(text))
    assert drawn.device_names == ring.device_names
    assert len(drawn.places) == len(drawn.wiring.cable_a) == 3
    [(name, refused), _] = post(
        client, "/api/by-hand", text="topology: {kind: bonded-dual-net, nodes: 4, buses: 2}"
    )
    assert name == "refused"
    assert "bonds" in str(refused)


def test_texts_are_tried(client: TestClient) -> None:
    texts = {"good": TORUS, "bad": TORUS.replace("[4, 4]", "[0, 4]")}
    found = {
        str(one["name"]): one["reasons"]
        for name, one in post(client, "/api/try", texts=texts)
        if name == "tried"
    }  # type: ignore[index]
    assert found["good"] == []
    assert "shape" in found["bad"][0]
    [(name, _), _] = post(client, "/api/try", texts=dict.fromkeys(map(str, range(600)), TORUS))
    assert name == "refused"
