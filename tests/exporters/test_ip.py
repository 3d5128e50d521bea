"""Scripts of `ip` commands, run on machines with nothing set up."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.exporters.machines import every_design, machines
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster

pytestmark = pytest.mark.skipif(
    bool(why_missing("tests/exporters")), reason=why_missing("tests/exporters")
)

UP = 'LINKWRIGHT_JOURNAL="$journal" sh "$folder/up.sh"'
UNDO = 'LINKWRIGHT_JOURNAL="$journal" sh "$folder/undo.sh"'


@every_design
def test_scripts_bring_the_plan_up_and_take_it_back(design: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(design), "ip", tmp_path) as up:
        before = up.states()
        for node, folder in up.folders.items():
            up.shell(node, UP, folder=str(folder), journal=str(folder / "journal"))
        assert up.wrong_routes() == []
        assert list(up.disagreements()) == []
        for node, folder in up.folders.items():
            up.shell(node, UNDO, folder=str(folder), journal=str(folder / "journal"))
        assert up.states() == before
