"""Scripts of pages, run by Node, without a browser.

The engine gives the recordings of packed runs, as dictionaries.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

FRONTEND = Path(__file__).parents[2] / "frontend"
HERE = Path(__file__).parent
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None or not (FRONTEND / "node_modules" / "esbuild").is_dir(),
    reason="missing capability: node with the packages of frontend/ (npm ci)",
)


def bundled(folder: Path, file: str = "play/engine.ts") -> Path:
    """Return a file of the pages' scripts as one module for Node, by default the engine."""
    module = folder / f"{Path(file).stem}.mjs"
    command = [str(NODE), str(HERE / "bundle.mjs"), str(FRONTEND), file, str(module)]
    subprocess.run(command, check=True, timeout=60)
    return module


def answers(script: str, module: Path, question: Any) -> Any:
    """Return the answer that a script of this folder prints, given a module and a question."""
    answer = subprocess.run(
        [str(NODE), str(HERE / script), str(module)],
        input=json.dumps(question).encode(),
        check=True,
        capture_output=True,
        timeout=300,
    )
    return json.loads(answer.stdout)


def played(
    engine: Path, packed: bytes, changes: Sequence[dict[str, Any]] = ({},)
) -> list[dict[str, Any]]:
    """Return the recording of a packed run under each of some changes."""
    return all_played(engine, [(packed, changes)])[0]


def all_played(
    engine: Path, runs: Sequence[tuple[bytes, Sequence[dict[str, Any]]]]
) -> list[list[dict[str, Any]]]:
    """Return the recordings of several packed runs, each under some changes, of one process."""
    asked = []
    for number, (packed, changes) in enumerate(runs):
        path = engine.parent / f"run{number}.bin"
        path.write_bytes(packed)
        asked.append({"path": str(path), "changes": list(changes)})
    command = [str(NODE), str(HERE / "play_in_node.mjs"), str(engine)]
    answer = subprocess.run(
        command, input=json.dumps(asked).encode(), check=True, capture_output=True, timeout=300
    )
    return [json.loads(line) for line in answer.stdout.splitlines()]
