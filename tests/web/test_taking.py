"""Files are taken away as the commands write them, and their names lead nowhere else.

The presses of a user are tested in tests/live/test_workbench_take.py.
"""

from __future__ import annotations

import io
import re
import zipfile
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from pyarrow import parquet
from scapy.utils import rdpcap
from tests.web.conftest import TestClient, application
from tests.web.serving import OWN, TORUS, events, follow

from linkwright import engines, plan, results, workloads
from linkwright.design.cluster import Cluster
from linkwright.files.archive import zip_of
from linkwright.network import compile as compile_network
from linkwright.results.typed_tables import typed_table
from linkwright.text.csv_text import csv_records

ODD = TORUS.replace("topology", 'name: "../../a b;\\"c"\ntopology', 1)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One application, whose workers start once."""
    with application(_folder(tmp_path_factory.mktemp("designs"))) as client:
        yield client


def _folder(folder: Path) -> Path:
    (folder / "torus.yaml").write_text(TORUS)
    return folder


def asked(client: TestClient, path: str, **fields: Any) -> dict[str, Any]:
    answer = client.post(f"/api/{path}", headers=OWN, json=follow(**fields))
    assert answer.status_code == 200, answer.text
    return dict(events(answer.text))


def take(client: TestClient, file: str, **changes: Any) -> tuple[str, bytes]:
    """Return the name and the content of a file."""
    found = asked(client, "take", file=file, **changes)["file"]
    assert re.fullmatch(r"\w[\w.-]*", found["name"])
    return found["name"], b64decode(found["content"])


def refused(client: TestClient, **fields: Any) -> str:
    [mistake] = asked(client, "take", **fields)["refused"]
    return str(mistake["message"])


def test_the_plan_is_the_folder_that_the_command_writes(client: TestClient) -> None:
    name, content = take(client, "plan", targets=["networkd"])
    assert name == "torus-4x4.zip"
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    files = {one.removeprefix("torus-4x4/"): archive.read(one) for one in archive.namelist()}
    made = plan.planned(compile_network(Cluster.parse(TORUS))).files
    assert {one: files[one] for one in made} == {k: str(v).encode() for k, v in made.items()}
    assert "cables.html" in files
    assert any(one.startswith("nodes/n00/networkd/") for one in files)
    assert take(client, "plan", targets=["networkd"])[1] == content


def test_names_lead_out_of_no_folder(client: TestClient) -> None:
    name, content = take(client, "plan", text=ODD)
    assert name == "a-b-c.zip"
    assert all(one.startswith("a-b-c/") for one in zipfile.ZipFile(io.BytesIO(content)).namelist())
    for path in ("../x", "/x", "a/../../x", "a\\..\\x"):
        with pytest.raises(AssertionError, match="leads out"):
            zip_of({path: ""}, "" if path == "/x" else "plan")


@pytest.mark.parametrize("table", ["cables", "bom", "routes", "findings"])
def test_each_table_is_csv_and_parquet(client: TestClient, table: str) -> None:
    name, text = take(client, "table", table=table, format="csv")
    assert name == f"torus-4x4-{table}.csv"
    _, content = take(client, "table", table=table, format="parquet")
    found = parquet.read_table(io.BytesIO(content)).to_pylist()
    expected = csv_records(text.decode())
    assert len(found) == len(expected) > 0
    for row, record in zip(found, expected, strict=True):
        for key, cell in row.items():
            written = record[key]
            same = float(written) == cell if isinstance(cell, int | float) else written == cell
            assert same or (cell is None and written == ""), (key, cell, written)


def test_predictions_are_result_rows_of_every_engine(client: TestClient, tmp_path: Path) -> None:
    asked = {"table": "predictions", "engines": ["analytic", "packet"]}
    _, content = take(client, "table", format="parquet", **asked)
    (tmp_path / "rows.parquet").write_bytes(content)
    loaded = results.load(tmp_path / "rows.parquet")
    assert set(loaded.column("engine")) == {"analytic", "packet"}
    assert set(loaded.column("workload")) == {"barrier"}
    _, text = take(client, "table", format="csv", **asked)
    assert len(csv_records(text.decode())) == len(loaded)


def test_rows_that_the_page_has_keep_their_types(client: TestClient) -> None:
    table = {"headings": ["a", "b", "c"], "rows": [[1, 1.5, "=x"], [None, 2, "01"]]}
    name, text = take(client, "rows", format="csv", title="../Means of x", **table)
    assert (name, text.decode()) == ("Means-of-x.csv", "a,b,c\n1,1.5,'=x\n,2,01\n")
    _, content = take(client, "rows", format="parquet", **table)
    found = parquet.read_table(io.BytesIO(content)).to_pylist()
    assert found == [{"a": 1, "b": 1.5, "c": "=x"}, {"a": None, "b": 2.0, "c": "01"}]
    assert "no table" in refused(client, file="rows", format="csv", headings=["a"], rows=[[1, 2]])
    odd = follow(file="rows", format="csv", headings=["a"], rows=[[{}]])
    assert client.post("/api/take", headers=OWN, json=odd).status_code == 400
    assert "no format" in refused(client, file="rows", format="exe", **table)


def test_a_table_without_rows_has_its_columns() -> None:
    assert parquet.read_table(io.BytesIO(typed_table(["a", "b"], []))).column_names == ["a", "b"]


def test_the_drawing_stands_alone(client: TestClient) -> None:
    name, content = take(client, "drawing")
    assert name == "torus-4x4.svg"
    text = content.decode()
    assert "var(--" not in text
    root = ET.fromstring(text)
    assert len([one for one in root.iter() if one.get("data-device")]) == 16


@pytest.mark.parametrize(("file", "words"), [("cables", "cables"), ("page", "cost of failures")])
def test_pages_are_whole(client: TestClient, file: str, words: str) -> None:
    name, content = take(client, file)
    assert name.endswith(".html")
    assert words in content.decode()


def test_a_played_run_is_kept(client: TestClient) -> None:
    name, content = take(client, "run", workload={"name": "barrier", "settings": {}})
    assert name == "torus-4x4-barrier.html"
    assert b"barrier on torus-4x4" in content


def test_a_capture_has_the_frames_of_one_port(client: TestClient, tmp_path: Path) -> None:
    asked = {"workload": {"name": "barrier", "settings": {}}, "connector": "n05:eth1"}
    name, content = take(client, "capture", **asked)
    assert name == "torus-4x4-barrier-n05-eth1.pcapng"
    run = engines.Run.of(compile_network(Cluster.parse(TORUS)), workloads.Barrier(), seed=1)
    seen = engines.observe(run, engines.Observation(capture=True))
    assert seen.watched is not None
    packets = []
    for file in (content, seen.watched.capture):
        (tmp_path / "run.pcapng").write_bytes(file)
        packets.append(rdpcap(str(tmp_path / "run.pcapng")))
    own = [one for one in packets[1] if one.sniffed_on == "n05:eth1"]
    assert {one.direction for one in own} == {1, 2}
    assert [(one.time, one.direction, bytes(one)) for one in packets[0]] == [
        (one.time, one.direction, bytes(one)) for one in own
    ]
    message = refused(client, file="capture", **asked | {"connector": "n05:eth9"})
    assert "no port 'n05:eth9'" in message


def test_files_for_machines_are_shown_with_what_is_refused(client: TestClient) -> None:
    found = asked(client, "export", targets=["networkd", "dnsmasq"])["exported"]
    texts = {one["path"]: one["text"] for one in found["files"]}
    assert any(path.startswith("nodes/n00/networkd/") for path in texts)
    made = plan.export(compile_network(Cluster.parse(TORUS)), ["networkd", "dnsmasq"], refused={})
    assert texts == dict(made.files)
    [mistake] = asked(client, "export", targets=["windows"])["refused"]
    assert "no target" in mistake["message"]


def test_mistakes_and_unknown_files_are_refused(client: TestClient) -> None:
    assert "no file" in refused(client, file="secrets")
    assert "no table" in refused(client, file="table", table="../x", format="csv")
    assert "lacks 'workload'" in refused(client, file="run")
    assert "topology" in refused(client, file="plan", text="topology: {kind: nothing}")
