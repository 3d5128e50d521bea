"""The folder of a study: damaged parts, kills at every operation, disks without room.

Every time, the merged rows have the bytes of an undisturbed study.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.study.cases import SMALL, merged, rows, study

from linkwright.errors import LinkwrightError, OutputError, UsageError
from linkwright.files.folder import write_folder
from linkwright.study import Database, Study, StudyFolder, run
from linkwright.study import folder as folders

CHILD = Path(__file__).with_name("killed.py")
LONG = """
name: long
designs: [{design: {topology: {kind: torus}}, axes: {topology.shape: [[3, 3], [4, 4]]}}]
workloads: [{name: all-to-all, axes: {size_bytes: [64, 512, 1024]}}]
seeds: 5
"""
"""Thirty runs of some 20 ms."""


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> StudyFolder:
    return run(study(), tmp_path_factory.mktemp("serial") / "s", jobs=1)


def unmerged(path: Path, monkeypatch: pytest.MonkeyPatch) -> StudyFolder:
    """Return a folder whose parts are not merged."""
    with monkeypatch.context() as changed:
        changed.setattr(StudyFolder, "merge", lambda _: None)
        return run(study(), path, jobs=1)


def test_rows_are_the_same_before_the_merge(
    serial: StudyFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = unmerged(tmp_path, monkeypatch)
    assert len(folder.row_files()) > 1
    assert rows(folder) == rows(serial)


@pytest.mark.parametrize("damage", ["half", "empty", "text"])
def test_broken_part_is_made_again(
    damage: str, serial: StudyFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = unmerged(tmp_path, monkeypatch)
    part = folder.unmerged().parts[0]
    content = part.read_bytes()
    part.write_bytes(
        {"half": content[: len(content) // 2], "empty": b"", "text": b"x" * 99}[damage]
    )
    assert [file.name for file in folder.unmerged().broken] == [part.name]
    assert merged(run(study(), tmp_path, jobs=1)) == merged(serial)


def test_part_that_comes_twice_counts_once(
    serial: StudyFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = unmerged(tmp_path, monkeypatch)
    part = folder.unmerged().parts[0]
    shutil.copy(part, part.with_name("99999999-late.parquet"))
    assert rows(folder) == rows(serial)
    folder.merge()
    assert merged(folder) == merged(serial)


def test_merged_part_that_is_still_there_counts_once(
    serial: StudyFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = unmerged(tmp_path, monkeypatch)
    parts = {file: file.read_bytes() for file in folder.unmerged().parts}
    folder.merge()
    for file, content in parts.items():
        file.write_bytes(content)
    assert rows(folder) == rows(serial)
    run(study(), tmp_path, jobs=1)
    assert not list((tmp_path / "parts").glob("*.parquet"))
    assert merged(folder) == merged(serial)


def test_files_of_a_killed_pool_are_removed(serial: StudyFolder, tmp_path: Path) -> None:
    made = run(study(), tmp_path / "s", jobs=1)
    made.pool_files.mkdir()
    (made.pool_files / "1.sh").write_text("a job")
    assert merged(run(study(), tmp_path / "s", jobs=1)) == merged(serial)
    assert not made.pool_files.exists()


@pytest.mark.parametrize(("text", "words"), [("{}", "not the folder"), ("x", "not the folder")])
def test_folder_of_something_else_is_refused(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(UsageError, match=words):
        StudyFolder(tmp_path)


def test_folder_of_a_later_version_is_refused(serial: StudyFolder, tmp_path: Path) -> None:
    manifest = json.loads((serial.path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"format": 99}))
    with pytest.raises(UsageError, match="format 99"):
        StudyFolder(tmp_path)


def test_folder_of_another_build_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(study(), tmp_path, jobs=1)
    monkeypatch.setattr(folders, "code_digest", lambda: "another")
    with pytest.raises(LinkwrightError, match="another build"):
        run(study(), tmp_path, jobs=1)


def kills(tmp_path: Path, first: int, stride: int) -> list[dict[str, Any]]:
    """Return the findings after kills at some operations of the writing process."""
    (tmp_path / "study.yaml").write_text(SMALL)
    words = [str(tmp_path / "study.yaml"), str(tmp_path), str(first), str(stride)]
    done = subprocess.run(
        [sys.executable, str(CHILD), *words], capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_kills(found: list[dict[str, Any]]) -> None:
    whole = found[-1]
    for one in found:
        # Nothing is lost, nothing is made twice, nothing is left.
        assert (one["rows"], one["twice"], one["left"]) == (whole["rows"], 0, ["README"]), one
        assert one["before"] + one["made"] == 12, one


def test_killed_study_is_resumed(tmp_path: Path) -> None:
    found = kills(tmp_path, 3, 19)
    assert len(found) > 3
    check_kills(found)


@pytest.mark.slow
def test_study_killed_at_every_operation_is_resumed(tmp_path: Path) -> None:
    found = kills(tmp_path, 1, 1)
    assert len(found) > 50
    check_kills(found)


def started(tmp_path: Path, folder: Path) -> subprocess.Popen[bytes]:
    (tmp_path / "long.yaml").write_text(LONG)
    words = ["study", str(tmp_path / "long.yaml"), "-o", str(folder), "-j", "2", "-q"]
    program = "import sys; from linkwright.cli import main; main(sys.argv[1:])"
    return subprocess.Popen(
        [sys.executable, "-c", program, *words], stdout=subprocess.DEVNULL, start_new_session=True
    )


def workers(client: int) -> list[int]:
    """Return the processes that a client has started, and theirs."""
    found, parents = [], {}
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                stat = (one / "stat").read_text()
            except OSError:
                continue
            parents[int(one.name)] = int(stat.rpartition(")")[2].split()[1])
    wanted = {client}
    while more := {child for child, parent in parents.items() if parent in wanted} - wanted:
        wanted |= more
        found += sorted(more)
    return found


def kill_while_it_runs(tmp_path: Path, victim: str, nth: int) -> None:
    """Kill the client or the last worker when some parts are written, and resume."""
    folder = tmp_path / f"{victim}{nth}"
    client = started(tmp_path, folder)
    parts = folder / "parts"
    while client.poll() is None and len(list(parts.glob("*.parquet"))) < nth:
        time.sleep(0.005)
    below = workers(client.pid)
    # Beside the workers a client has two processes that start and tidy them.
    while victim == "worker" and len(below) < 3 and client.poll() is None:
        below = workers(client.pid)
    if client.poll() is None:
        os.kill(client.pid if victim == "client" else below[-1], signal.SIGKILL)
    if victim == "client":
        client.wait()
        # Workers end with their client, and leave no half file.
        end_s = time.monotonic() + 20
        while any(Path(f"/proc/{one}").exists() for one in below) and time.monotonic() < end_s:
            time.sleep(0.05)
        assert not [one for one in below if Path(f"/proc/{one}").exists()]
    else:
        assert client.wait(60) == 0
    resumed = run(study(LONG), folder, jobs=1)
    done = resumed.progressed().done
    assert len(done) == len({one.key for one in done}) == 30
    assert not [one for one in done if one.has_failed]
    (tmp_path / "rows").mkdir(exist_ok=True)
    (tmp_path / "rows" / folder.name).write_bytes(merged(resumed))


def check_all_alike(tmp_path: Path) -> None:
    whole = merged(run(study(LONG), tmp_path / "whole", jobs=1))
    assert {file.read_bytes() for file in (tmp_path / "rows").iterdir()} == {whole}


def test_killed_client_and_worker_lose_nothing(tmp_path: Path) -> None:
    kill_while_it_runs(tmp_path, "worker", 2)
    kill_while_it_runs(tmp_path, "client", 2)
    check_all_alike(tmp_path)


@pytest.mark.slow
def test_clients_and_workers_killed_at_many_moments_lose_nothing(tmp_path: Path) -> None:
    for victim in ("client", "worker"):
        for nth in range(10):
            kill_while_it_runs(tmp_path, victim, nth)
    check_all_alike(tmp_path)


def test_full_disk_ends_the_study_and_loses_nothing(serial: StudyFolder, tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(SMALL)
    words = ["study", str(tmp_path / "study.yaml"), "-o", str(tmp_path / "s"), "-j", "1"]
    program = "import sys; from linkwright.cli import main; main(sys.argv[1:])"

    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True,
        text=True,
        preexec_fn=small_files,
        check=False,
    )
    assert done.returncode == 4
    assert "cannot be written: File too large" in done.stderr
    assert merged(run(study(), tmp_path / "s", jobs=1)) == merged(serial)


DAMAGED = ("merged/runs.pq", "merged/rows.parquet", "inputs/whole.json", "manifest.json")


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize(
    "content", [b"", b"garbage", b"PAR1 half of it", b"[1]", b"[" * 100_000, b"9" * 5000]
)
def test_damaged_file_is_named(
    name: str, content: bytes, serial: StudyFolder, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(serial.path, folder)
    (folder / name).write_bytes(content)
    asks: list[Callable[[], object]] = [
        lambda: Database(folder).query("from rows").rows(),
        lambda: run(Study.parse(SMALL), folder, jobs=1),
        lambda: StudyFolder(folder).progressed(),
        lambda: StudyFolder(folder).to_arrow(),
    ]
    for ask in asks:
        with contextlib.suppress(LinkwrightError):
            ask()
    assert (folder / name).read_bytes() == content
    with pytest.raises(LinkwrightError, match=str(folder)) as error:
        asks[1]()
    assert "damaged" in error.value.message or "is not the folder" in error.value.message


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
@pytest.mark.parametrize("name", ["merged/runs.pq", "merged/rows.parquet"])
def test_a_pipe_or_folder_in_place_of_rows_is_named(
    name: str, make: Callable[[Path], None], serial: StudyFolder, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(serial.path, folder)
    (folder / name).unlink()
    make(folder / name)
    asks: list[Callable[[], object]] = [
        lambda: Database(folder),
        lambda: run(Study.parse(SMALL), folder, jobs=1),
        lambda: StudyFolder(folder).to_arrow(),
    ]
    for ask in asks:
        with pytest.raises(LinkwrightError, match="is damaged: it is no regular file"):
            ask()


@pytest.mark.parametrize("other", [SMALL, SMALL.replace("64", "65")])
def test_two_programs_that_make_one_folder(
    other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one finds the folder of the first when it moves its own there."""
    target = tmp_path / "new"

    def beaten(files: Mapping[str, str | bytes], directory: Path) -> None:
        monkeypatch.undo()
        StudyFolder.create(target, Study.parse(other))
        write_folder(files, directory)

    monkeypatch.setattr("linkwright.study.folder.write_folder", beaten)
    if other == SMALL:
        assert StudyFolder.create(target, Study.parse(SMALL)).path == target
    else:
        with pytest.raises(OutputError, match="holds another study"):
            StudyFolder.create(target, Study.parse(SMALL))


def test_other_tools_read_the_folder_by_one_pattern(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merged rows, a part without rows and one without values of an axis have the same columns."""
    polars = pytest.importorskip("polars")
    asked = study(workloads=[{"name": "broadcast", "axes": {"size_bytes": [64]}}, "barrier"])
    with monkeypatch.context() as changed:
        changed.setattr(StudyFolder, "merge", lambda _: None)
        folder = run(asked, tmp_path / "s", jobs=1)
    pattern = f"{folder.path}/**/*.parquet"
    n_rows = len(rows(folder))
    assert polars.read_parquet(pattern).height == n_rows
    failed = [one for one in folder.progressed().done if one.has_failed]
    folder.merge()
    folder.write_failures(failed)
    assert polars.read_parquet(pattern).height == n_rows
