"""Text and drawing agree after any sequence of edits: what each edit should have made is what the
text says, to the page and to Python; comments and other sections stay.

The edits are the functions that the mouse, the keys and the buttons of the workbench call.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conformance.in_node import answers, bundled, needs_node

from linkwright.design.document import read_document

pytestmark = needs_node

TEXTS = {
    "example": (Path(__file__).parents[2] / "examples" / "usb4-ring-and-lan.yaml").read_text(),
    "flow": """\
# head
name: lab  # a name
topology:
  {kind: custom, nodes: {a: {nics: {p0: , p1: }}, b: {nics: {p0: }}}, cables: [[a:p0, b:p0]]}
parts: {catalogue: ethernet-2026}  # prices
places: {a: [0, 0], b: {metres: [1, 0], drawn: [5, 5]}}
nodes: {a: {nics: {p0: {mac: "02:00:00:00:00:01"}}}}
# tail
""",
    "empty": "topology:\n  kind: custom\n  nodes: {}\n  cables: []\n# tail\n",
    "block": """\
topology:
  kind: custom
  # the machines
  nodes:
    a:
      nics:
        p0:
        p1: usb4  # the left one
    b:
      nics: {p0: , p1: }
  switches:
    lan:
  cables:
    - - a:p0
      - b:p0
    - [a:p1, lan]  # to the rest
mtu: 9000  # long
""",
}
N_SEEDS, N_STEPS = 6, 25


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundled(tmp_path_factory.mktemp("model"), "draw/index.ts")


@pytest.mark.parametrize("name", TEXTS)
def test_text_and_drawing_agree(name: str, model: Path) -> None:
    script = str(Path(__file__).parent / "random_edits.mjs")
    asked = [{"text": TEXTS[name], "seed": seed, "n": N_STEPS} for seed in range(N_SEEDS)]
    for walk in answers(script, model, asked):
        before = TEXTS[name]
        for step in walk:
            story = f"{step['name']}:\n{before}\nbecame\n{step['text']}"
            assert step["read"] == step["wanted"], story
            assert names_in(step["text"]) == step["wanted"]["devices"], story
            assert ("# head" in step["text"]) == ("# head" in TEXTS[name]), story
            assert ("# tail" in step["text"]) == ("# tail" in TEXTS[name]), story
            before = step["text"]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("topol", None),
        ("12", None),
        ("- a", None),
        ("topology: ring", None),
        ("topology: ring\n", "topology: ring\nparts: {node: mini-pc}\n"),
        ("", "parts: {node: mini-pc}\n"),
        ("# head\n", "# head\nparts: {node: mini-pc}\n"),
        ("null", "parts:\n  node: mini-pc\n"),
    ],
)
def test_a_text_that_has_no_keys_takes_no_change(text: str, after: str | None, model: Path) -> None:
    path = ["topology", "kind"] if text == "topology: ring" else ["parts", "node"]
    asked = [{"text": text, "changes": [{"path": path, "value": "mini-pc"}]}]
    script = str(Path(__file__).parent / "changes.mjs")
    assert answers(script, model, asked) == [text if after is None else after]


def names_in(text: str) -> list[list[Any]]:
    """Return name, kind, part and NICs of each device as Python reads the text."""
    topology = read_document(text, "design")["topology"]
    found: list[list[Any]] = []
    for name, own in (topology.get("nodes") or {}).items():
        found.append([name, "node", own.get("part"), [list(nic) for nic in own["nics"].items()]])
    for section, kind in (("switches", "switch"), ("hubs", "hub")):
        for name, own in (topology.get(section) or {}).items():
            found.append([name, kind, own, []])
    return found
