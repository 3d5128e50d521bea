"""A study of the page is that of the command: its folder, resumed runs, and reasons of failures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.conftest import TestClient
from tests.web.serving import OWN, events

from linkwright.study import StudyFolder

STUDY = "designs: [torus.yaml]\nworkloads: [barrier]\nengines: [analytic]\nseeds: [1, 2]\n"


def ask(client: TestClient, number: int, **fields: Any) -> dict[str, Any]:
    asked = {"tab": "t", "number": number, "text": STUDY, "name": "runs"} | fields
    answer = client.post("/api/study", headers=OWN, json=asked)
    return dict(events(answer.text)) if answer.status_code == 200 else answer.json()


def test_a_study_is_made_once_and_refused_for_another(client: TestClient, folder: Path) -> None:
    found = ask(client, 1)["studied"]
    assert (found["name"], found["n_runs"], found["n_failed"]) == ("runs", 2, 0)
    assert len(StudyFolder(folder / "runs").progressed().done) == 2
    assert ask(client, 2)["studied"] == found
    [mistake] = ask(client, 3, text=STUDY.replace("barrier", "broadcast"))["refused"]
    assert "runs" in mistake["message"]
    assert client.get("/api/files", headers=OWN).json()["studies"] == ["runs"]


def test_runs_that_fail_are_counted_with_their_reasons(client: TestClient, folder: Path) -> None:
    text = STUDY.replace("[barrier]", "[{name: broadcast, settings: {root: 99}}]")
    found = ask(client, 1, text=text)["studied"]
    assert found["n_failed"] == 2
    assert "root" in found["reasons"][0]


def test_no_study_leaves_the_folder(client: TestClient, folder: Path) -> None:
    for number, name in enumerate(("../out", "/out", ".hidden", "a/b", "", "a b", "x" * 200)):
        assert "no name of a study" in ask(client, number, name=name)["message"], name
    outside = str(folder.parent / "secret.yaml")
    for number, file in enumerate(("../secret.yaml", outside), 10):
        [mistake] = ask(client, number, text=STUDY.replace("torus.yaml", file))["refused"]
        assert "secret" in mistake["message"]
    goal = STUDY.replace("[barrier]", f"[{{name: goal, settings: {{file: {outside}}}}}]")
    [mistake] = ask(client, 20, text=goal)["refused"]
    assert "secret" in mistake["message"]
    assert sorted(one.name for one in folder.iterdir()) == ["torus.yaml"]
    assert ask(client, 21, name="torus.yaml")["refused"]
    assert (folder / "torus.yaml").is_file()
