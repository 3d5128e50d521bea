"""`linkwright verify`: its forms and exit codes, and facts that cannot be compared.

The kinds of findings are tested in tests/as_built.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.as_built.planted import DESIGN, FAULTS
from tests.as_built.rendered import rendered

from linkwright.cli import run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "six.yaml").write_text(DESIGN)
    facts = rendered(DESIGN)
    (tmp_path / "clean.json").write_text(json.dumps(facts.given))
    for name in ("swapped cables", "MTU", "TSO"):
        FAULTS[name].plant(facts)
    (tmp_path / "faulty.json").write_text(json.dumps(facts.given))
    return tmp_path


def verified(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = run(["verify", "six.yaml", *words])
    return code, *capsys.readouterr()


@pytest.mark.usefixtures("folder")
def test_a_clean_cluster_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = verified(capsys, "--facts", "clean.json")
    assert (code, out.strip()) == (0, "six is as planned: 6 machines, 6 cables.")
    code, out, _ = verified(capsys, "--facts", "clean.json", "--format", "json")
    assert (code, json.loads(out)) == (0, {"findings": [], "moves": [], "not_checked": []})


@pytest.mark.usefixtures("folder")
def test_findings_end_with_1_and_the_answer_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = verified(capsys, "--facts", "faulty.json")
    assert code == 1
    assert out.startswith("six is not as planned: 3 errors and 1 warning on 6 machines; 2 moves")
    kinds = [
        line.split()[1] for line in out.splitlines() if line.split()[:1] in (["error"], ["warning"])
    ]
    assert kinds == ["swapped-cable", "swapped-cable", "wrong-mtu", "segment-offload"]


@pytest.mark.usefixtures("folder")
def test_json_and_csv_have_their_keys(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = verified(capsys, "--facts", "faulty.json", "--format", "json")
    answer: dict[str, Any] = json.loads(out)
    keys = ["severity", "kind", "node", "nic", "cable", "planned", "found", "reason", "fix"]
    assert (code, list(answer["findings"][0])) == (1, keys)
    assert answer["moves"] == [
        {
            "cable": "c0",
            "node": "n1",
            "from_port": "eth0",
            "to_port": "n0:eth0",
            "other_end": "n1:eth1",
        },
        {
            "cable": "c1",
            "node": "n0",
            "from_port": "eth0",
            "to_port": "n1:eth0",
            "other_end": "n2:eth1",
        },
    ]
    code, out, _ = verified(capsys, "--facts", "faulty.json", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["kind"] for row in rows] == [one["kind"] for one in answer["findings"]]


@pytest.mark.usefixtures("folder")
def test_a_file_has_the_answer_and_stderr_the_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = verified(capsys, "--facts", "faulty.json", "-o", "found.json")
    assert (code, out) == (1, "")
    assert "six is not as planned" in err
    assert len(json.loads(Path("found.json").read_text())["findings"]) == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no file of facts"),
        ('{"schema": 1, "machines": [', "no file of facts"),
        ('{"schema": 9, "machines": []}', "schema 9"),
        ('{"schema": 1, "when": "", "machines": []}', "the facts have no machines"),
        (
            '{"schema": 1, "when": "", "machines": [{"name": "web1"}, {"name": "web2"}]}',
            "no machine of the facts (web1 and web2) is a node of 'six'",
        ),
    ],
)
def test_facts_that_cannot_be_compared(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    (folder / "odd.json").write_text(text)
    code, out, err = verified(capsys, "--facts", "odd.json")
    assert (code, out) == (2, "")
    assert said in err
    assert "hint:" in err


@pytest.mark.usefixtures("folder")
def test_one_source_of_facts_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert verified(capsys)[0] == 2
    assert verified(capsys, "--facts", "clean.json", "--hosts", "n0=box")[0] == 2
    assert verified(capsys, "--facts", "clean.json", "--probe")[0] == 2


@pytest.mark.usefixtures("folder")
def test_kinds_of_findings_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list", "findings", "--format", "json"]) == 0
    names = [one["finding"] for one in json.loads(capsys.readouterr().out)]
    assert {"swapped-cable", "missing-cable", "slow-cable", "wrong-mtu"} <= set(names)
