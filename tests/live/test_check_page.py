"""The page of a check in a real browser: what it counts is what the proof counts, for every single
failure and for two at once, and pressing a cable in the drawing changes what it says.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.live.browser import needs_browser, open_page
from tests.views.html import SPITE
from tests.views.sample import manifest

from linkwright.design.cluster import Cluster
from linkwright.network import HUB, NODE, SWITCH, Network
from linkwright.network import compile as compile_network
from linkwright.plan import check, plan, rerouting
from linkwright.views.check_page import check_page

pytestmark = needs_browser
COUNTS = (
    "untouched", "rerouted", "recomputed", "daemon", "disconnected", "looping", "unanswered",
    "extra_hops", "worst_extra_hops", "most_forwarded",
)  # fmt: skip
DESIGNS: dict[str, dict[str, Any]] = {
    "ring": {"topology": {"kind": "ring", "shape": [3]}, "routing": {"fallback": True}},
    "ring-by-interface": {
        "topology": {"kind": "ring", "shape": [6]},
        "routing": {"fallback": "by-interface"},
    },
    "torus": {"topology": {"kind": "torus", "shape": [4, 4]}},
    "torus-fallback": {
        "topology": {"kind": "torus", "shape": [4, 4]},
        "routing": {"fallback": True},
    },
    "p-mesh": {"topology": {"kind": "p-mesh", "shape": [4, 4]}, "routing": {"fallback": True}},
    "tree": {"topology": {"kind": "tree", "nodes": 16}},
    "bonds": {"topology": {"kind": "bonded-dual-net", "nodes": 6}},
    "bonded-rows": {
        "topology": {"kind": "bonded-switched-mesh", "shape": [3, 3]},
        "front_end": True,
    },
    "switched-rows": {"topology": {"kind": "switched-mesh", "shape": [3, 3]}, "front_end": True},
    "hubs": {"topology": {"kind": "routed-mesh", "shape": [3, 3]}, "front_end": True},
    "fat-tree": {"topology": {"kind": "fat-tree", "k": 4}},
    "fat-tree-front-end": {"topology": {"kind": "fat-tree", "nodes": 9}, "front_end": True},
    "stack-ring": {
        "topology": {
            "kind": "stack-ring",
            "stages": 5,
            "nodes_per_stage": 3,
            "extra_forwarders": 1,
        },
        "front_end": True,
    },
    "stack-ring-fallback": {
        "topology": {
            "kind": "stack-ring",
            "stages": 4,
            "nodes_per_stage": 2,
            "extra_forwarders": 2,
        },
        "routing": {"fallback": True},
    },
    "stack-mesh": {"topology": {"kind": "stack-mesh", "shape": [3, 3], "nodes_per_group": 2}},
}


def compiled(name: str, folder: Path) -> Network:
    if name == "left":
        left = DESIGNS["p-mesh"] | {"routing": {}}
        return compile_network(Cluster.from_fields(left), without=["x2", "n05"])
    if name != "explicit":
        fields = DESIGNS[name] | {"parts": {"node": {"max_nics": None}}}
        return compile_network(Cluster.from_fields(fields))
    # A ring with tables of its own: two routes are missing, another uses the longer direction.
    ring = {"topology": {"kind": "torus", "shape": [5]}}
    lines = plan(compile_network(Cluster.from_fields(ring)))["routes.csv"].splitlines()
    (folder / "routes.csv").write_text("\n".join(lines[:4] + lines[6:]) + "\n")
    (folder / "ring.yaml").write_text(
        "topology: {kind: torus, shape: [5]}\nrouting: {scheme: explicit, table: routes.csv}\n"
    )
    return compile_network(Cluster.load(folder / "ring.yaml"))


def page_of(built: Network) -> str:
    return check_page(built, check(built), rerouting(built), manifest("linkwright", "check"))


Part = tuple[int, int]
"""Kind (0 cable, 1 port, 2 device) and id."""


def single_failures(built: Network) -> list[Part]:
    ends = [*built.wiring.cable_a.tolist(), *built.wiring.cable_b.tolist()]
    nics = sorted(built.port_id(device, port) for device, port in ends if device < built.n_nodes)
    return [
        *((0, cable) for cable in range(len(built.wiring.cable_a))),
        *((1, port) for port in nics),
        *((2, device) for device in range(len(built.device_names))),
    ]


def by_the_proof(built: Network, failures: list[list[Part]]) -> list[dict[str, int]]:
    parts = [part for failure in failures for part in failure]
    wired = np.union1d(built.wiring.cable_a[:, 0], built.wiring.cable_b[:, 0])
    impacts = built.core.rerouting(
        built.addresses.identity[wired[wired < built.n_nodes]],
        failure_start=np.cumsum([0, *map(len, failures)], dtype=np.uint32),
        part_kind=np.array([kind for kind, _ in parts], dtype=np.uint8),
        part_id=np.array([part for _, part in parts], dtype=np.uint32),
        with_fallback=built.fallback,
        with_return_paths=False,
        planner=0,
        most_examples=0,
    )
    columns = {name: getattr(impacts, name).tolist() for name in COUNTS}
    return [{name: columns[name][at] for name in columns} for at in range(len(failures))]


def as_script(built: Network, failures: list[list[Part]]) -> str:
    names = {NODE: "node", HUB: "hub", SWITCH: "switch"}
    kinds = [names[kind] for kind in built.wiring.kind.tolist()]

    def kind_of(kind: int, part: int) -> str:
        return kinds[part] if kind == 2 else ("cable", "nic")[kind]

    return json.dumps(
        [[{"kind": kind_of(*part), "id": part[1]} for part in failure] for failure in failures]
    )


@pytest.mark.parametrize("name", [*DESIGNS, "explicit", "left"])
def test_the_page_counts_what_the_proof_counts(name: str, tmp_path: Path) -> None:
    built = compiled(name, tmp_path)
    singles = [[part] for part in single_failures(built)]
    pairs = [[a[0], b[0]] for a, b in itertools.combinations(singles, 2)]
    failures = [[], *singles, *pairs[:: max(1, len(pairs) // 300)]]
    found = open_page(
        page_of(built),
        tmp_path,
        f"return {{counts: {as_script(built, failures)}.map(linkwright.counts)}};",
    )
    assert found["troubles"] == found["requests"] == []
    expected = by_the_proof(built, failures)
    assert len(found["counts"]) == len(expected)
    for failure, page_says, proof_says in zip(failures, found["counts"], expected, strict=True):
        assert page_says == proof_says, failure
    assert any(one["untouched"] != expected[0]["untouched"] for one in expected)


PRESS = """
  const text = (id) => document.getElementById(id).innerText.replaceAll(/\\s+/g, " ").trim();
  const press = (shape) => shape.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  const cables = all("path.hit").filter((one) => one.dataset.cables === "0");
  const before = [text("cost"), text("route-before"), text("route-after")];
  press(cables[0]);
  const failed = [text("failed"), text("cost"), text("route-before"), text("route-after"),
    text("route-recomputed")];
  const dead = all("path.cable.dead").map((one) => one.dataset.cables);
  const tracks = all(".tracks g").map((one) => one.getAttribute("class"));
  const tinted = all("g.is-rerouted").map((one) => one.dataset.device);
  press(cables[0]);
  const repaired = text("cost");
  const node = all('g[data-device="1"]')[0];
  node.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
  const key = document.activeElement.dataset.device;
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
  const byKey = text("failed");
  document.getElementById("repair-all").click();
  const search = document.getElementById("search");
  search.value = "nic N1 eth0";
  search.dispatchEvent(new Event("input"));
  all("#found button")[0].click();
  const bySearch = text("failed");
  all("#impacts tbody tr button")[0].click();
  const byRow = [text("failed"), all("#impacts tr.chosen").length];
  const colour = document.getElementById("colouring");
  colour.value = "load";
  colour.dispatchEvent(new Event("change"));
  document.getElementById("theme").click();
  return {before, failed, dead, tracks, tinted, repaired, key, byKey, bySearch, byRow,
    balance: text("balance"), hash: location.hash, theme: document.documentElement.dataset.theme};
"""


def test_pressing_a_cable_changes_what_the_page_says(tmp_path: Path) -> None:
    page = page_of(compiled("ring", tmp_path))
    found = open_page(page, tmp_path, PRESS, fragment="from=0&to=1")
    assert found["troubles"] == found["requests"] == []
    assert found["before"] == [
        "6 untouched 100 % 0 reroute by themselves 0 need recomputed tables 0 are disconnected",
        "n0 eth0 → n1 10.0.0.1 arrives after 1 hop",
        "Nothing has failed: as before.",
    ]
    failed, cost, before, after, recomputed = found["failed"]
    assert failed == "cable c0, n0:eth0 – n1:eth1×"
    assert cost.startswith(
        "4 untouched 67 % 2 reroute by themselves 1.0 hops more on average, 1 hop at worst 33 %"
    )
    assert before == "n0 eth0 → n1 10.0.0.1 arrives after 1 hop"
    assert after == "n0 eth1 → n2 10.0.0.3 n2 eth1 → n1 10.0.0.4 arrives after 2 hops"
    assert recomputed == after
    assert found["dead"] == ["0"]
    assert found["tracks"] == ["track-before", "track-after"]
    assert found["tinted"] == ["0", "1"]
    assert found["repaired"] == found["before"][0]
    assert found["byKey"] == f"node n{found['key']}×"
    assert found["bySearch"] == "NIC n1:eth0×"
    assert found["byRow"][1] >= 1
    assert found["theme"] == "dark"
    assert "times the mean" in found["balance"] or "forwards anything" in found["balance"]
    assert found["hash"].startswith("#fail=")


ROW = """
  const kind = document.getElementById("impacts-kind");
  kind.value = "switch";
  kind.dispatchEvent(new Event("change"));
  const rows = all("#impacts tbody button");
  rows[0].click();
  const failed = all("#failed li").map((one) => one.firstChild.textContent);
  return {row: rows[0].textContent, failed, chosen: all("#impacts tr.chosen").length};
"""


@pytest.mark.parametrize(
    ("lines_per_switch", "row", "failed"),
    [(1, "switch x0", ["x0"]), (4, "switch chassis0", ["x0", "x1", "x2", "x3"])],
)
def test_a_row_of_the_table_fails_its_box(
    lines_per_switch: int, row: str, failed: list[str], tmp_path: Path
) -> None:
    topology = {"kind": "p-mesh", "shape": [4, 4], "lines_per_switch": lines_per_switch}
    built = compile_network(Cluster.from_fields({"topology": topology}))
    found = open_page(page_of(built), tmp_path, ROW)
    assert found["troubles"] == []
    assert found["row"] == row
    assert found["failed"] == [f"switch {name}" for name in failed]
    assert found["chosen"] >= 1


LOST = """
  const text = (id) => document.getElementById(id).innerText.replaceAll(/\\s+/g, " ").trim();
  return {after: text("route-after"), recomputed: text("route-recomputed"),
    tracks: all(".tracks g").length};
"""


def test_no_tables_are_recomputed_where_nothing_has_failed(tmp_path: Path) -> None:
    """Forwarders forward in a stack ring, so its routes are not the shortest ones of any kind."""
    found = open_page(page_of(compiled("stack-ring", tmp_path)), tmp_path, LOST)
    assert found["after"] == found["recomputed"] == "Nothing has failed: as before."


@pytest.mark.parametrize(
    ("name", "state", "after", "recomputed"),
    [
        (
            "p-mesh",
            "fail=nic-9&from=0&to=4",
            "where it cannot arrive: its own link is up, so",
            "arrives after",
        ),
        ("tree", "fail=node-15&from=0&to=15", "n15 is dead.", "Nothing to plan."),
        ("tree", "fail=cable-0&from=0&to=15", "has no route left", "they are disconnected"),
    ],
)
def test_what_is_lost_is_said_in_words(
    name: str, state: str, after: str, recomputed: str, tmp_path: Path
) -> None:
    found = open_page(page_of(compiled(name, tmp_path)), tmp_path, LOST, fragment=state)
    assert found["troubles"] == []
    assert after in found["after"]
    assert recomputed in found["recomputed"]


MOVE = """
  const svg = all("#stage svg")[0];
  const view = () => svg.getAttribute("viewBox").split(" ").map(Number);
  const send = (name, id, x, y) => svg.dispatchEvent(new PointerEvent(name,
    {pointerId: id, clientX: x, clientY: y, bubbles: true}));
  const box = svg.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const press = (id) => document.getElementById(id).click();
  press("zoom-fit");
  const whole = view();
  const isUnlabelled = () => svg.classList.contains("unlabelled");
  const labels = [isUnlabelled()];
  for (let i = 0; i < 6; i++) press("zoom-in");
  labels.push(isUnlabelled());
  const near = view();
  send("pointerdown", 1, x, y); send("pointermove", 1, x + 50, y); send("pointerup", 1, x + 50, y);
  const dragged = view();
  svg.querySelector("g[data-device]").dispatchEvent(
    new MouseEvent("click", {bubbles: true, detail: 1}));
  const failedByDrag = all("#failed li").length;
  send("pointerdown", 1, x - 50, y); send("pointerdown", 2, x + 50, y);
  send("pointermove", 2, x + 150, y);
  const pinched = view();
  send("pointerup", 1, x, y); send("pointerup", 2, x, y);
  svg.dispatchEvent(new WheelEvent("wheel", {deltaY: 1, clientX: x, clientY: y, bubbles: true}));
  const wheeled = view();
  press("zoom-fit");
  return {whole, near, dragged, failedByDrag, pinched, wheeled, again: view(), labels};
"""


def test_the_drawing_zooms_and_pans_and_shows_labels_that_can_be_read(tmp_path: Path) -> None:
    built = compile_network(Cluster.from_fields({"topology": {"kind": "tree", "nodes": 600}}))
    found = open_page(page_of(built), tmp_path, MOVE)
    assert found["troubles"] == []
    (_, _, width, _), (left, top, near, _) = found["whole"], found["near"]
    assert near < width / 4
    assert found["labels"] == [True, False]
    assert found["dragged"][0] < left
    assert found["dragged"][1:] == pytest.approx([top, near, found["near"][3]])
    assert found["failedByDrag"] == 0
    assert found["pinched"][2] == pytest.approx(near / 2)
    assert found["wheeled"][2] > found["pinched"][2]
    assert found["again"] == found["whole"]


@pytest.mark.parametrize("width", [1280, 500])
def test_the_page_fits_its_window_and_holds_what_a_design_says_as_text(
    width: int, tmp_path: Path
) -> None:
    fields = DESIGNS["tree"] | {"name": SPITE}
    page = page_of(compile_network(Cluster.from_fields(fields)))
    found = open_page(
        page,
        tmp_path,
        "return {title: document.title, images: all('img').length, names: all('svg text').length};",
        width=width,
    )
    assert found["troubles"] == found["requests"] == []
    assert found["title"].startswith(SPITE)
    assert found["images"] == 0
    assert found["names"] == 19
    assert found["overflow"] <= 0, "the page is wider than the window"
