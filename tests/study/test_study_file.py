"""Study files: what is accepted, and how mistakes are worded.

Nothing is run here.
"""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML
from tests.study.cases import SMALL

from linkwright.errors import LinkwrightError
from linkwright.study import Study
from linkwright.study.inputs import Inputs
from linkwright.study.study_file import schema_text

D = "designs: [{design: {topology: {kind: ring, shape: [4]}}}]\n"
W = "workloads: [broadcast]\n"

ACCEPTED = {
    "small": SMALL,
    "names": D + W + "hosts: [ideal-reno, {constants: {tcp.initial_window: 2}}]\n",
    "until": D + W + "seeds: {until: 0.05, metric: time, most: 8}\n",
    "seeds": D + W + "seeds: [3, 5, 8]\n",
    "span": D + "workloads: [{name: broadcast, axes: {size_bytes: {from: 1, to: 9, whole: true, "
    "points: 3}}}]\n",
    "sobol": D + W + "sampling: {kind: sobol, points: 8}\n",
    "failures": D + W + "without: [[], [n0]]\nfaults: [[], ['cable:0 down at 1s']]\n",
}

REFUSED = {
    "no workload": (D, "'workloads' is missing"),
    "unknown key": (D + W + "engine: [flow]\n", "did you mean 'engines'"),
    "no design": ("designs: []\n" + W, "designs"),
    "both": ("designs: [{file: a.yaml, design: {}}]\n" + W, "file or is written here"),
    "name": ("designs: [{design: a.yaml}]\n" + W, "give {file: a.yaml} for a file"),
    "seeds": (D + W + "seeds: 0\n", "seeds"),
    "ends": (D + "workloads: [{name: broadcast, axes: {size_bytes: {from: 9, to: 1}}}]\n", "below"),
    "log": (D + "workloads: [{name: token, axes: {x: {from: 0, to: 1, scale: log}}}]\n", "above 0"),
    "points": (D + W + "sampling: {kind: random}\n", "'points'"),
    "sampling": (D + W + "sampling: {kind: girds}\n", "did you mean 'grid'"),
    "twice": (D + W + "seeds: [3, 3]\n", "twice"),
    "endless": (D + "workloads: [{name: broadcast, axes: {size_bytes: [1, .inf]}}]\n", "finite"),
    "left out": (D + W + "leave_out: [{}]\n", "leave_out"),
    "until": (D + W + "seeds: {until: 0.1}\nmetrics: [latency]\n", "add it"),
    "no mapping": ("- a\n", "keys and values"),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_study_is_read_and_written_out(name: str) -> None:
    study = Study.parse(ACCEPTED[name])
    again = Study.from_fields(json.loads(json.dumps(study.document())))
    assert again.document() == study.document()


@pytest.mark.parametrize("name", ACCEPTED)
def test_schema_accepts_what_the_model_accepts(name: str) -> None:
    jsonschema.validate(YAML(typ="safe").load(ACCEPTED[name]), json.loads(schema_text()))


@pytest.mark.parametrize("name", REFUSED)
def test_mistake_is_told_with_its_remedy(name: str) -> None:
    text, words = REFUSED[name]
    with pytest.raises(LinkwrightError) as refused:
        Study.parse(text)
    assert words in f"{refused.value.message} {refused.value.hint}"
    assert refused.value.hint


def test_inputs_need_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "designs").mkdir()
    (tmp_path / "designs" / "ring.yaml").write_text(
        "topology: {kind: ring, shape: [3]}\nrouting: {scheme: explicit, table: routes.csv}\n"
        "parts: {prices: prices.csv}\n"
    )
    (tmp_path / "designs" / "routes.csv").write_text("a route\n")
    (tmp_path / "designs" / "prices.csv").write_text("a price\n")
    (tmp_path / "nodes.txt").write_text("2\n0\n1\n")
    text = "designs: [designs/ring.yaml]\nworkloads: [token]\nplacements: ['@nodes.txt']\n"
    (tmp_path / "study.yaml").write_text(text)
    inputs = Inputs.of(Study.load(tmp_path / "study.yaml"))
    assert sorted(inputs.files.values()) == [b"2\n0\n1\n", b"a price\n", b"a route\n"]
    design = inputs.study.designs[0].design
    assert design is not None
    named = [design["routing"]["table"], design["parts"]["prices"]]
    named.append(inputs.study.placements[0].removeprefix("@"))
    assert set(named) == set(inputs.files)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("designs: [nowhere.yaml]\n" + W, "nowhere.yaml"),
        (D + "workloads: [brodcast]\n", "broadcast"),
        (D + W + "hosts: [pentium-pro]\n", "pentium-pro-200-linux-2.0"),
        ("designs: [{design: {topology: {kind: rnig}}}]\n" + W, "ring"),
        (
            "designs: [{design: {topology: {kind: ring}}, axes: {topology.shape: [4]}}]\n" + W,
            "shape",
        ),
        (D + W + "placements: ['@none.txt']\n", "none.txt"),
    ],
)
def test_mistakes_in_the_files_of_a_study_are_told_before_any_run(text: str, words: str) -> None:
    with pytest.raises(LinkwrightError) as refused:
        Inputs.of(Study.parse(text))
    assert words in f"{refused.value.message} {refused.value.hint}"


def test_files_of_axes_and_workloads_are_copied(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml", "t.goal"):
        (tmp_path / name).write_text(name)
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "rank-0.txt").write_text("a rank")
    text = (
        "designs: [{design: {topology: {kind: direct}}, "
        "axes: {parts.prices: [null, a.toml, b.toml]}}]\n"
        "workloads: [{name: goal, settings: {file: t.goal}}, "
        "{name: recording, axes: {folder: [r]}}]"
    )
    (tmp_path / "study.yaml").write_text(text)
    inputs = Inputs.of(Study.load(tmp_path / "study.yaml"))
    assert sorted(inputs.files.values()) == [b"a rank", b"a.toml", b"b.toml", b"t.goal"]
    prices = inputs.study.designs[0].axes["parts.prices"]
    goal, recording = inputs.study.workloads
    named = [*prices[1:], goal.settings["file"]]  # type: ignore[index]
    assert set(named) < set(inputs.files)
    assert f"{recording.axes['folder'][0]}/rank-0.txt" in inputs.files  # type: ignore[index]
    assert prices[0] is None  # type: ignore[index]


def test_wrong_constants_of_hosts_are_told_before_any_run() -> None:
    with pytest.raises(LinkwrightError, match=r"tcp\.window"):
        Inputs.of(Study.parse(D + W + "hosts: [{axes: {tcp.window: [1]}}]\n"))
