"""The page of a check in a real browser: what it counts is what the proof counts, for every single
failure and for two at once, and pressing a cable in the drawing changes what it says.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page
from tests.live.browser import Opener, needs_browser, overflow_px, until, words
from tests.views.html import SPITE
from tests.views.sample import manifest

from linkwright.design.cluster import Cluster
from linkwright.network import HUB, NODE, SWITCH, Network
from linkwright.network import compile as compile_network
from linkwright.plan import check, plan, rerouting
from linkwright.views.check_page import check_page

pytestmark = needs_browser
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
    "p-mesh": {
        "topology": {"kind": "p-mesh", "shape": [4, 4], "lines_per_switch": 1},
        "routing": {"fallback": True},
    },
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
        fields = DESIGNS[name] | {"parts": {"node": {"slots": None}}}
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
    columns = {name: column.tolist() for name, column in impacts.counts.items()}
    return [{name: columns[name][at] for name in columns} for at in range(len(failures))]


def as_written(built: Network, failures: list[list[Part]]) -> list[list[dict[str, Any]]]:
    names = {NODE: "node", HUB: "hub", SWITCH: "switch"}
    kinds = [names[kind] for kind in built.wiring.kind.tolist()]

    def kind_of(kind: int, part: int) -> str:
        return kinds[part] if kind == 2 else ("cable", "nic")[kind]

    return [[{"kind": kind_of(*part), "id": part[1]} for part in failure] for failure in failures]


@pytest.mark.parametrize("name", [*DESIGNS, "explicit", "left"])
def test_the_page_counts_what_the_proof_counts(
    name: str, open_page: Opener, tmp_path: Path
) -> None:
    built = compiled(name, tmp_path)
    singles = [[part] for part in single_failures(built)]
    pairs = [[a[0], b[0]] for a, b in itertools.combinations(singles, 2)]
    failures = [[], *singles, *pairs[:: max(1, len(pairs) // 300)]]
    page = open_page(page_of(built))
    counts = page.evaluate("all => all.map(linkwright.counts)", as_written(built, failures))
    expected = by_the_proof(built, failures)
    assert len(counts) == len(expected)
    for failure, page_says, proof_says in zip(failures, counts, expected, strict=True):
        assert page_says == proof_says, failure
    assert any(one["n_untouched"] != expected[0]["n_untouched"] for one in expected)


def press_cable(page: Page, cable: int) -> None:
    """Press a cable at a quarter of its length, where no device is."""
    path = page.locator(f'path.hit[data-cables="{cable}"]')
    path.scroll_into_view_if_needed()
    at = path.evaluate(
        "path => { const at = path.getPointAtLength(path.getTotalLength() / 4)"
        ".matrixTransform(path.getScreenCTM()); return [at.x, at.y]; }"
    )
    page.mouse.click(*at)


def test_pressing_a_cable_changes_what_the_page_says(open_page: Opener, tmp_path: Path) -> None:
    page = open_page(page_of(compiled("ring", tmp_path)), kind="check", fragment="from=0&to=1")
    cost = words(page, "#cost")
    assert cost == (
        "0 are disconnected 0 need recomputed tables 0 reroute by themselves 6 untouched 100 %"
    )
    whole = "n0 eth0 → n1 10.0.0.1 arrives after 1 hop: 100 Mb/s, 175 µs"
    assert words(page, "#route-before") == whole
    assert words(page, "#route-after") == "Nothing has failed: as before."
    press_cable(page, 0)
    assert words(page, "#failed") == "cable c0, n0:eth0 – n1:eth1×"
    assert words(page, "#cost").startswith(
        "0 are disconnected 0 need recomputed tables "
        "2 reroute by themselves 1.0 hops more on average, 1 hop at worst 33 % 4 untouched 67 %"
    )
    assert words(page, "#cost .pairs tbody") == "n0 – n1 100 Mb/s 175 → 218 µs"
    assert words(page, "#route-before").startswith("n0 eth0 → n1 10.0.0.1 arrives after 1 hop: ")
    detour = "n0 eth1 → n2 10.0.0.3 n2 eth1 → n1 10.0.0.4 arrives after 2 hops: 100 Mb/s, 218 µs"
    assert words(page, "#route-after") == words(page, "#route-recomputed") == detour
    assert page.locator("path.cable.dead").evaluate_all(
        "all => all.map(x => x.dataset.cables)"
    ) == ["0"]
    assert page.locator(".tracks g").evaluate_all("all => all.map(x => x.classList[0])") == [
        "track-before",
        "track-after",
    ]
    tinted = page.locator("g.is-rerouted").evaluate_all("all => all.map(x => x.dataset.device)")
    assert tinted == ["0", "1"]
    press_cable(page, 0)
    assert words(page, "#cost") == cost


def test_parts_fail_by_keyboard_search_and_table(open_page: Opener, tmp_path: Path) -> None:
    page = open_page(page_of(compiled("ring", tmp_path)), kind="check", fragment="from=0&to=1")
    page.locator('g[data-device="0"]').focus()
    page.keyboard.press("ArrowRight")
    device = page.evaluate("document.activeElement.dataset.device")
    assert device != "0"
    page.keyboard.press("Enter")
    assert words(page, "#failed") == f"node n{device}×"
    page.click("#repair-all")
    page.fill("#search", "nic N1 eth0")
    page.locator("#found button").first.click()
    assert words(page, "#failed") == "NIC n1:eth0×"
    page.locator("#impacts tbody tr button").first.click()
    assert page.locator("#impacts tr.chosen").count() >= 1
    page.select_option("#colouring", "load")
    assert "times the mean" in words(page, "#balance") or "forwards anything" in words(
        page, "#balance"
    )
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("location.hash").startswith("#fail=")


@pytest.mark.parametrize(
    ("lines_per_switch", "row", "failed"),
    [(1, "switch x0", ["x0"]), (4, "switch chassis0", ["x0", "x1", "x2", "x3"])],
)
def test_a_row_of_the_table_fails_its_box(
    lines_per_switch: int, row: str, failed: list[str], open_page: Opener
) -> None:
    topology = {"kind": "p-mesh", "shape": [4, 4], "lines_per_switch": lines_per_switch}
    page = open_page(page_of(compile_network(Cluster.from_fields({"topology": topology}))))
    page.select_option("#impacts-kind", "switch")
    first = page.locator("#impacts tbody button").first
    assert first.inner_text() == row
    first.click()
    chips = page.locator("#failed li").evaluate_all("all => all.map(x => x.firstChild.textContent)")
    assert chips == [f"switch {name}" for name in failed]
    assert page.locator("#impacts tr.chosen").count() >= 1


def test_no_tables_are_recomputed_where_nothing_has_failed(
    open_page: Opener, tmp_path: Path
) -> None:
    """Forwarders forward in a stack ring, so its routes are not the shortest ones of any kind."""
    page = open_page(page_of(compiled("stack-ring", tmp_path)))
    assert words(page, "#route-after") == "Nothing has failed: as before."
    assert words(page, "#route-recomputed") == "Nothing has failed: as before."


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
    name: str, state: str, after: str, recomputed: str, open_page: Opener, tmp_path: Path
) -> None:
    page = open_page(page_of(compiled(name, tmp_path)), fragment=state)
    assert after in words(page, "#route-after")
    assert recomputed in words(page, "#route-recomputed")


def view_of(page: Page) -> list[float]:
    """Return the part of the drawing that is seen at rest: left, top, width, height."""
    until(page, "!document.querySelector('#stage svg').style.transform")
    box = page.locator("#stage svg").get_attribute("viewBox")
    assert box is not None
    return [float(one) for one in box.split()]


MOVE = """([name, id, x, y]) => document.querySelector("#stage svg").dispatchEvent(
  new PointerEvent(name, {pointerId: id, clientX: x, clientY: y, bubbles: true}))"""


def test_the_drawing_zooms_and_pans_and_shows_labels_that_can_be_read(open_page: Opener) -> None:
    built = compile_network(Cluster.from_fields({"topology": {"kind": "tree", "nodes": 300}}))
    page = open_page(page_of(built), kind="check")
    svg = page.locator("#stage svg")
    box = svg.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    is_unlabelled = "svg => svg.classList.contains('unlabelled')"
    page.click("#zoom-fit")
    whole = view_of(page)
    assert svg.evaluate(is_unlabelled)
    for _ in range(6):
        page.click("#zoom-in")
    near = view_of(page)
    assert not svg.evaluate(is_unlabelled)
    assert near[2] < whole[2] / 4
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 50, y, steps=3)
    page.mouse.up()
    dragged = view_of(page)
    assert dragged[0] < near[0]
    assert dragged[1:] == pytest.approx(near[1:])
    assert page.locator("#failed li").count() == 0, "a drag fails nothing"
    for step in (["pointerdown", 1, x - 50, y], ["pointerdown", 2, x + 50, y],
                 ["pointermove", 2, x + 150, y]):  # fmt: skip
        page.evaluate(MOVE, step)
    pinched = view_of(page)
    assert pinched[2] == pytest.approx(near[2] / 2)
    for pointer in (1, 2):
        page.evaluate(MOVE, ["pointerup", pointer, x, y])
    page.mouse.wheel(0, 100)
    page.wait_for_timeout(100)
    assert view_of(page)[2] > pinched[2]
    page.click("#zoom-out")
    page.click("#zoom-fit")
    assert view_of(page) == whole


@pytest.mark.parametrize("width", [1280, 500])
def test_the_page_fits_its_window_and_holds_what_a_design_says_as_text(
    width: int, open_page: Opener
) -> None:
    fields = DESIGNS["tree"] | {"name": SPITE}
    page = open_page(page_of(compile_network(Cluster.from_fields(fields))), width=width)
    assert page.title().startswith(SPITE)
    assert page.locator("img").count() == 0
    assert page.locator("svg text").count() == 19
    assert overflow_px(page) <= 0, "the page is wider than the window"
