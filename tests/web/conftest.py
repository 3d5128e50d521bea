"""A workbench for tests: its application in this process, or a real server in one of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.web.serving import ORIGIN, PORT, TOKEN, TORUS, Served, serving

from linkwright.web.server import guarded
from linkwright.web.workspace import Workspace

with warnings.catch_warnings():
    # It asks for httpx2, the later name of what is installed.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a design, beside a file that is no concern of the server's."""
    here = tmp_path / "designs"
    here.mkdir()
    (here / "torus.yaml").write_text(TORUS)
    (tmp_path / "secret.yaml").write_text("name: secret")
    return here


@contextmanager
def application(folder: Path, *, can_emulate: bool = False) -> Iterator[TestClient]:
    """Run the application behind its guard; requests have no headers of the page."""
    app = guarded(Workspace(folder), "torus.yaml", TOKEN, PORT, can_emulate=can_emulate)
    with TestClient(app, base_url=ORIGIN) as client:
        yield client


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    """The application in the folder."""
    with application(folder) as client:
        yield client


@pytest.fixture
def served(folder: Path) -> Iterator[Served]:
    """A server that `linkwright serve` has started in the folder."""
    with serving(folder, "torus.yaml") as served:
        yield served
