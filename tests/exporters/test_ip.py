"""Scripts of `ip` commands, run on machines with nothing set up."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.exporters.machines import machines
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster

pytestmark = pytest.mark.skipif(
    bool(why_missing("tests/exporters")), reason=why_missing("tests/exporters")
)

FALLBACK = "routing: {scheme: shortest-path, fallback: true}\n"
BOTH = "addressing: {ipv4: true, ipv6: true}\n"
DESIGNS = {
    "ring": "topology: {kind: ring, shape: [3]}\nmtu: 1500\n" + FALLBACK + BOTH,
    "torus": "topology: {kind: torus, shape: [3, 3]}\n" + FALLBACK,
    "p-mesh": "topology: {kind: p-mesh, shape: [2, 3]}\n" + FALLBACK + BOTH,
    "tree": "topology: {kind: tree, leaves: 2, nodes_per_leaf: 2}\n",
}
UP = 'LINKWRIGHT_JOURNAL="$journal" sh "$folder/up.sh"'
UNDO = 'LINKWRIGHT_JOURNAL="$journal" sh "$folder/undo.sh"'


@pytest.mark.parametrize(
    "name",
    [name if name == "ring" else pytest.param(name, marks=pytest.mark.slow) for name in DESIGNS],
)
def test_scripts_bring_the_plan_up_and_take_it_back(name: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(f"name: t\n{DESIGNS[name]}"), "ip", tmp_path) as up:
        before = up.states()
        for node, folder in up.folders.items():
            up.shell(node, UP, folder=str(folder), journal=str(folder / "journal"))
        assert up.wrong_routes() == []
        assert list(up.disagreements()) == []
        for node, folder in up.folders.items():
            up.shell(node, UNDO, folder=str(folder), journal=str(folder / "journal"))
        assert up.states() == before
