"""Designs are listed, opened and saved; a file that changed meanwhile is not overwritten.

Results open as tables.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.conftest import TestClient
from tests.web.serving import OWN, TORUS, events


def opening(name: str, text: str = "", number: int = 1) -> dict[str, object]:
    """Return the fields of a request to open a file beside the text of a design."""
    own = {"name": name, "kind": "results", "tab": "t", "number": number}
    return {**own, "text": text, "design": "torus.yaml"}


def ask(client: TestClient, path: str, **fields: object) -> tuple[int, dict[str, str]]:
    answer = client.post(f"/api/{path}", headers=OWN, json=fields)
    return answer.status_code, answer.json()


def test_the_folder_is_listed_by_kind(client: TestClient, folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "ring.yml").write_text(TORUS)
    (folder / ".hidden.yaml").write_text(TORUS)
    (folder / "rows.json").write_text("[]")
    (folder / "rows.manifest.json").write_text("[]")
    (folder / "notes.txt").write_text("")
    (folder / "question.yaml").write_text("name: q\ndesigns: [torus.yaml]\nworkloads: [barrier]\n")
    study = folder / "study"
    for name in ("inputs", "parts"):
        (study / name).mkdir(parents=True)
    (study / "manifest.json").write_text("{}")
    (study / "inputs" / "study.yaml").write_text("")
    assert client.get("/api/files", headers=OWN).json() == {
        "designs": ["deep/ring.yml", "torus.yaml"],
        "results": ["rows.json"],
        "studies": ["study"],
    }


def test_a_saved_design_is_written_whole_and_known_by_its_digest(
    client: TestClient, folder: Path
) -> None:
    _, opened = ask(client, "design", name="torus.yaml")
    assert opened["text"] == TORUS
    text = TORUS + "front_end: true\n"
    fields = {"name": "torus.yaml", "text": text, "known": opened["digest"], "is_forced": False}
    code, saved = ask(client, "save", **fields)
    assert code == 200
    assert (folder / "torus.yaml").read_text() == text
    assert saved["digest"] == ask(client, "design", name="torus.yaml")[1]["digest"]
    assert sorted(path.name for path in folder.iterdir()) == ["torus.yaml"]


@pytest.mark.parametrize("known", ["of another content", None])
def test_a_file_that_changed_on_disk_is_told_and_not_overwritten(
    client: TestClient, folder: Path, known: str | None
) -> None:
    fields = {"name": "torus.yaml", "text": "mine", "known": known}
    code, said = ask(client, "save", **fields, is_forced=False)
    assert code == 409
    assert "changed by another program" in said["message"]
    assert (folder / "torus.yaml").read_text() == TORUS
    assert ask(client, "save", **fields, is_forced=True)[0] == 200
    assert (folder / "torus.yaml").read_text() == "mine"


def test_a_new_design_gets_a_name_in_the_folder(client: TestClient, folder: Path) -> None:
    fields = {"text": TORUS, "known": None, "is_forced": False}
    assert ask(client, "save", name="new.yaml", **fields)[0] == 200
    assert (folder / "new.yaml").read_text() == TORUS
    for name in ("new.txt", "no/such/folder.yaml", "x" * 200 + ".yaml", ".yaml"):
        assert ask(client, "save", name=name, **fields)[0] == 400, name


def test_a_result_is_opened_as_a_table(client: TestClient, folder: Path) -> None:
    (folder / "rows.csv").write_text("metric,value\ntime,1\ntime,2\n")
    fields = opening("rows.csv")
    answer = client.post("/api/open", headers=OWN, json=fields)
    (name, table), done = events(answer.text)
    assert name == "table"
    assert done == ("done", None)
    assert table == {
        "headings": ["metric", "value"],
        "rows": [["time", "1"], ["time", "2"]],
        "n_rows": 2,
    }


def test_a_file_that_is_no_result_is_refused_in_words(client: TestClient, folder: Path) -> None:
    (folder / "rows.json").write_text("{}")
    fields = opening("rows.json")
    (name, mistakes), _ = events(client.post("/api/open", headers=OWN, json=fields).text)
    assert name == "refused"
    assert mistakes[0]["message"]
