"""The form of the workbench has every field of the file, offers what can be built, and each mistake
stands at its key with buttons that mend it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.live.browser import Opener, choose, needs_browser
from tests.live.workbench import give, opened_without_runs, replace, settled, text_of
from tests.web.serving import Served

from linkwright.design.cluster import Cluster

pytestmark = needs_browser
RING = "topology: {kind: ring, shape: [5]}\n"
PARTS = "parts: {catalogue: ethernet-2026, node: mini-pc, nic: usb4, cable: usb4-cable}\n"
OWN = ("#field-name", "#field-mtu", "#field-nodes", "#field-part-node", "#mistakes")


def test_every_field_of_the_file_has_a_field(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served, RING + PARTS)
    for summary in page.locator("#form summary").all():
        summary.click()
    choose(page, "#field-names", "numbers")
    choose(page, "#field-part-node", "mini-workstation")
    choose(page, "#field-addressing-scheme", "per-link")
    choose(page, "#field-addressing-identities", "loopback")
    choose(page, "#field-routing-scheme", "shortest-path")
    choose(page, "#field-fallback", "by-interface")
    choose(page, "#field-routing-daemon", "ospf")
    for name, value in {
        "name": "den",
        "addressing-ipv4": "10.7.0.0/16",
        "addressing-ipv6": "true",
        "addressing-grow_to": "9",
        "mtu": "9000",
        "nodes-n2-name": "hal",
    }.items():
        give(page, f"#field-{name}", value)
    settled(page)
    cluster = Cluster.parse(text_of(page))
    assert (cluster.name, cluster.mtu, cluster.names) == ("den", 9000, "numbers")
    assert cluster.nodes is not None
    assert cluster.nodes["n2"].name == "hal"
    assert str(cluster.addressing.ipv4) == "10.7.0.0/16"
    assert cluster.addressing.ipv6 is True
    assert (cluster.addressing.grow_to, cluster.addressing.identities) == (9, "loopback")
    assert (cluster.routing.scheme, cluster.routing.daemon) == ("shortest-path", "ospf")
    assert cluster.routing.fallback == "by-interface"
    choose(page, "#field-routing-ties", "spread")
    assert "ties: spread" in text_of(page)


def test_only_what_can_be_built_is_offered(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served, RING + PARTS)
    hub = page.locator("#field-kind option[value=hub]")
    page.wait_for_selector("#field-kind option[value=hub]:disabled", state="attached")
    assert "hub" in (hub.get_attribute("title") or "")
    page.wait_for_selector("#field-fallback option:disabled", state="attached")
    assert page.locator("#field-kind option[value=switch]").is_enabled()
    choose(page, "#field-kind", "custom (draw by hand)")
    page.wait_for_selector("#draw-board g[data-name=n4]")
    assert "kind: custom" in text_of(page)


@pytest.mark.parametrize(
    ("text", "buttons"),
    [
        (RING + PARTS.replace("catalogue", "catalog"), ["Write catalogue"]),
        (RING.replace("[5]", "[0]") + PARTS, ["Use shape[0]: 2"]),
        (RING + "addressing: {scheme: p-mesh}\n" + PARTS, ["Leave out addressing.scheme"]),
        (RING + PARTS.replace(", nic: usb4", ""), ["Use node desktop-pc", "Use nic usb4"]),
        (RING + "mtu: 100\n" + PARTS, ["Use mtu: 1280"]),
    ],
)
def test_a_button_mends_a_mistake(
    open_page: Opener, served: Served, text: str, buttons: list[str]
) -> None:
    page = opened_without_runs(open_page, served)
    replace(page, text)
    page.wait_for_selector("html[data-following=refused]")
    page.click("#mistakes li button:has-text('line')")
    page.wait_for_selector(".cm-focused")
    page.locator(", ".join(f"#mistakes .mend:has-text('{one}')" for one in buttons)).first.click()
    page.wait_for_selector("html[data-following=done]")
    Cluster.parse(text_of(page))
    page.click("#undo")
    assert text_of(page) == text


def test_every_field_was_used(unused: Callable[[str], list[str]]) -> None:
    left = [name for name in unused("workbench") if name.startswith(OWN)]
    # Each node has the same field.
    assert [name for name in left if not name.startswith("#field-nodes")] == []
