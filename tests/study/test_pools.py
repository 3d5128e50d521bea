"""Workers elsewhere: a real scheduler of Dask, and Slurm where it is installed.

They give the bytes of a study that ran here.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.study.cases import merged, study

from linkwright.errors import CapabilityError
from linkwright.study import run

pytest.importorskip("distributed")

START_S = 60.0


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler with two workers, each a process of its own; their address."""
    folder = tmp_path_factory.mktemp("dask")
    note = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    words += ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(note)]
    started = [subprocess.Popen(words, **quiet)]  # type: ignore[call-overload]
    end_s = time.monotonic() + START_S
    while not note.exists() and time.monotonic() < end_s:
        time.sleep(0.05)
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-dashboard"]
    worker += ["--scheduler-file", str(note), "--nworkers", "1", "--nthreads", "1", "--no-nanny"]
    for number in range(2):
        place = ["--local-directory", str(folder / str(number))]
        started.append(subprocess.Popen([*worker, *place], **quiet))  # type: ignore[call-overload]
    from distributed import Client

    with Client(scheduler_file=str(note), set_as_default=False) as client:
        client.wait_for_workers(2, timeout=START_S)
        address = client.scheduler.address.removeprefix("tcp://")
    yield address
    for one in started:
        one.kill()
        one.wait()


@pytest.mark.filterwarnings("ignore")
def test_dask_gives_the_same_bytes(scheduler: str, tmp_path: Path) -> None:
    there = run(study(), tmp_path / "there", on=f"dask://{scheduler}")
    assert merged(there) == merged(run(study(), tmp_path / "here", jobs=1))


@pytest.mark.filterwarnings("ignore")
def test_missing_scheduler_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwright.execution.pools.dask.ANSWER_S", 1)
    with pytest.raises(CapabilityError, match="no Dask scheduler answers"):
        run(study(), tmp_path, on="dask://127.0.0.1:9")


def slurm_answers() -> bool:
    """Whether a controller of Slurm answers."""
    if shutil.which("sinfo") is None:
        return False
    try:
        asked = subprocess.run(["sinfo"], capture_output=True, timeout=5, check=False)
    except subprocess.TimeoutExpired:
        return False
    return asked.returncode == 0


@pytest.mark.skipif(not slurm_answers(), reason="no slurmctld answers (slurm-wlm)")
@pytest.mark.slow
def test_slurm_gives_the_same_bytes(tmp_path: Path) -> None:
    there = run(study(), tmp_path / "there", on="slurm", jobs=2)
    assert not there.pool_files.exists()
    assert merged(there) == merged(run(study(), tmp_path / "here", jobs=1))


@pytest.mark.skipif(shutil.which("sbatch") is not None, reason="Slurm is installed here")
def test_missing_slurm_is_told(tmp_path: Path) -> None:
    with pytest.raises(CapabilityError, match="no sbatch"):
        run(study(), tmp_path, on="slurm")
