"""The page of a played run: what is written into it, and that names from a design stay text.

What a browser makes of it is in tests/live.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from dataclasses import replace
from typing import Any

import pytest
from tests.views.html import SPITE, Page, outside_references
from tests.views.sample import manifest, network

from linkwright import engines
from linkwright.engines.played import PackedRun
from linkwright.errors import UsageError
from linkwright.network import Network
from linkwright.results import Result
from linkwright.views.play_page import MOST_NODES, play_page
from linkwright.views.run_answer import run_answer
from linkwright.workloads import Barrier, Broadcast, PingPong, Shift, Workload

SMALL = Shift(size_bytes=1000)


def played(workload: Workload = SMALL, **options: Any) -> tuple[Network, PackedRun, Result]:
    built = network("ring", shape=[3])
    run = engines.Run.of(built, workload, **options)
    return engines.observe(run, engines.Observation(page=True)).played


def data_of(text: str) -> dict[str, Any]:
    [data] = [one for one in Page(text).scripts if one.lstrip().startswith('{"')]
    found: dict[str, Any] = json.loads(data)
    return found


def page_data(workload: Workload = SMALL, **options: Any) -> dict[str, Any]:
    built, run, result = played(workload, **options)
    return data_of(play_page(built, run, result, manifest("linkwright", "simulate")))


def test_the_page_holds_the_packed_run() -> None:
    built, run, result = played()
    text = play_page(built, run, result, manifest("linkwright", "simulate"))
    data = data_of(text)
    assert zlib.decompress(b64decode(data["run"])) == run.packed
    assert data["names"] == list(built.device_names)
    assert data["node_of_rank"] == [0, 1, 2]
    assert outside_references(text) == []
    assert "worker-src blob:" in text


def test_the_page_opens_with_the_answer_and_its_origin() -> None:
    built, run, result = played()
    text = play_page(built, run, result, manifest())
    answer = run_answer(result)
    assert answer is not None
    assert text.index(answer.sentence) < text.index('id="playing"')
    assert answer.about.startswith("predicted by the packet engine; ")
    assert "<dt>origin</dt><dd>predicted</dd>" in text


def test_a_page_names_no_folder_of_this_computer() -> None:
    built, run, result = played()
    words = ("simulate", "/srv/designs/d.yaml", "--catalogue=~/c.toml", "-o", "../out/run.html")
    text = play_page(built, run, result, manifest("linkwright", *words, "--lan", "10.0.0.0/24"))
    expected = "linkwright simulate d.yaml --catalogue=c.toml -o run.html --lan 10.0.0.0/24"
    assert f"command: {expected}\n" in text
    assert "/srv" not in text


def test_figures_are_named_in_words_and_raw_on_request() -> None:
    built, run, result = played()
    text = play_page(built, run, result, manifest())
    assert '<th scope="row" title="frame_hops">frames on wires</th>' in text
    assert "peak_rss_bytes</th>" not in text


def test_figures_of_several_sizes_name_theirs() -> None:
    built, run, result = played(PingPong(size_bytes=(1, 1024)))
    text = play_page(built, run, result, manifest())
    assert '<th scope="row" title="latency">latency, 1 KiB</th>' in text
    assert '<th scope="row" title="frame_hops">frames on wires</th>' in text


@pytest.mark.parametrize(
    ("workload", "sizes"),
    [
        (SMALL, ["1000 B", "250 B", "3.91 KiB"]),
        (Broadcast(repeats=1), ["4 KiB", "1 KiB", "16 KiB"]),
        (PingPong(size_bytes=[1, 64], repeats=1), ["1 B, 64 B", "1 B", "64 B"]),
        (PingPong(size_bytes=1, repeats=1), ["1 B", "4 B"]),
        (PingPong(size_bytes=[1, 2, 4, 8], repeats=1), ["1 B to 8 B, 4 sizes", *"1248"]),
        (Barrier(repeats=1), ["barrier"]),
    ],
)
def test_sizes_are_the_programs_of_the_page(workload: Workload, sizes: list[str]) -> None:
    expected = [f"{one} B" if one.isdigit() else one for one in sizes]
    assert page_data(workload)["programs"] == expected


@pytest.mark.parametrize(
    ("faults", "pulled"),
    [
        ([], []),
        (["cable:0 down at 10s"], [{"kind": "cable", "id": 0, "time": 10.0}]),
        (
            ["nic:n1:eth1 down at 1ms up at 2ms"],
            [{"kind": "nic", "id": 3, "time": 0.001, "until": 0.002}],
        ),
        (["cable:0 loss 0.001"], None),
    ],
)
def test_faults_are_parts_that_the_page_can_put_back(
    faults: list[str], pulled: list[dict[str, Any]] | None
) -> None:
    assert page_data(Shift(size_bytes=100_000), faults=faults)["pulled"] == pulled


def test_a_seed_that_places_the_ranks_is_not_changed_in_the_page() -> None:
    assert page_data()["has_seeds"] is True
    assert page_data(placement="random")["has_seeds"] is False


def test_names_from_a_design_stay_text() -> None:
    built, run, result = played()
    names = tuple(f"{name}{SPITE}" for name in built.device_names)
    spiteful = replace(built, name=SPITE, device_names=names)
    text = play_page(spiteful, run, result, manifest("linkwright", SPITE))
    assert "<img" not in text.replace("&lt;img", "")
    assert data_of(text)["names"] == list(names)


def test_a_network_that_is_too_large_is_refused() -> None:
    _, run, result = played()
    with pytest.raises(UsageError, match=f"takes {MOST_NODES}"):
        play_page(network("torus", shape=[33, 33]), run, result, manifest())


def test_figures_that_the_page_cannot_compute_are_named() -> None:
    built, run, result = played()
    words = "Those of shift itself are"
    assert words not in play_page(built, run, result, manifest())
    assert words in play_page(built, replace(run, has_figures=False), result, manifest())
