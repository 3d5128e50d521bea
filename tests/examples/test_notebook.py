"""The example notebook runs from its first cell to its last, and shows what its text promises.

It is kept without outputs; nbclient executes it in a kernel of this environment.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat", reason="reads the example notebook")
nbclient = pytest.importorskip("nbclient", reason="executes the example notebook")
pytest.importorskip("ipykernel", reason="the kernel of the example notebook")
pytest.importorskip("pandas", reason="the example notebook has data frames")
pytest.importorskip("matplotlib", reason="the example notebook has plots")

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples/notebook/networks.ipynb"
OBJECTS = ("Network", "Findings", "FailureProof", "Cost", "Comparison", "StudyFolder")
LARGEST_OUTPUT = 60_000
"""Characters of one output, plots left out."""


@pytest.fixture(scope="module")
def kept() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(scope="module")
def outputs(kept: Any, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Return the outputs of all cells, executed in a folder of its own."""
    folder = tmp_path_factory.mktemp("notebook")
    kernels = folder / "kernels"
    (kernels / "kernels/python3").mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel = {"argv": argv, "display_name": "Python 3", "language": "python"}
    (kernels / "kernels/python3/kernel.json").write_text(json.dumps(kernel), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(kernels))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(folder / "runtime"))
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
        executed = nbclient.NotebookClient(kept, timeout=240, resources=_in(folder)).execute()
    return [one for cell in executed.cells for one in cell.get("outputs", ())]


def test_the_notebook_is_kept_without_outputs() -> None:
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    code = [cell for cell in fresh.cells if cell.cell_type == "code"]
    assert len(code) > 8
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    nbformat.validate(fresh)


def test_objects_and_frames_are_shown(outputs: list[Any]) -> None:
    html = [one["data"]["text/html"] for one in outputs if "text/html" in one.get("data", {})]
    shown = [one for one in html if 'class="linkwright"' in one]
    for name in OBJECTS:
        assert sum(f"<b>{name}</b>" in one for one in shown) == 1, name
    assert max(map(len, shown)) < LARGEST_OUTPUT
    assert sum('class="dataframe"' in one for one in html) == 4


def test_plots_are_shown(outputs: list[Any]) -> None:
    html = [one.get("data", {}).get("text/html", "") for one in outputs]
    plots = [one for one in html if '<img src="data:image/svg+xml' in one]
    assert len(plots) == 2


def test_nothing_is_said_beside_the_outputs(outputs: list[Any]) -> None:
    assert [
        one.get("text", one.output_type) for one in outputs if one.output_type != "execute_result"
    ] == []


def _in(folder: Path) -> dict[str, Any]:
    return {"metadata": {"path": str(folder)}}
