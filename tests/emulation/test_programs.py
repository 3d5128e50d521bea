"""Unmodified programs in the nodes: MPI programs on each kind of network, and the library
that lets waiting ranks sleep.

Programs of other packages are skipped by name where they are missing.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network

ROOT = Path(__file__).resolve().parents[2]
MAIN = "from linkwright.cli import main; main()"
SOURCE = Path(__file__).parent / "programs" / "collectives.c"
DESIGNS = {
    "hub": "topology: {kind: hub, nodes: 4}\n",
    "switch": "topology: {kind: switch, nodes: 4}\n",
    "torus": "topology: {kind: torus, shape: [2, 3]}\n",
    "p-mesh": (ROOT / "examples" / "whitney-16.yaml").read_text(encoding="utf-8"),
}


@dataclass(frozen=True)
class Library:
    """An MPI library: its compiler, its launcher, and the packages of both."""

    compiler: str
    launcher: str
    packages: str

    @property
    def missing(self) -> str:
        """The reason why it cannot be tried; empty if it can."""
        names = [name for name in (self.compiler, self.launcher) if not shutil.which(name)]
        return f"{' and '.join(names)} not installed: apt install {self.packages}" if names else ""


OPEN_MPI = Library("mpicc.openmpi", "mpirun.openmpi", "libopenmpi-dev openmpi-bin")
MPICH = Library("mpicc.mpich", "mpiexec.hydra", "libmpich-dev mpich")

LIBRARIES = {"open-mpi": OPEN_MPI, "mpich": MPICH}
PAIRS = [
    ("open-mpi", "hub"),
    ("open-mpi", "torus"),
    ("open-mpi", "p-mesh"),
    ("mpich", "switch"),
    ("mpich", "torus"),
]
"""Libraries and networks; each of both at least once."""

needs_cc = pytest.mark.skipif(not shutil.which("cc"), reason="cc is not installed")


def emulate(
    design: Path, *words: str, path: str | None = None, quiet: bool = True
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", MAIN, "emulate", str(design)]
    command += [*(["-q"] if quiet else []), "--", *words]
    environment = {**os.environ, "PATH": path or os.environ["PATH"]}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, env=environment, check=False
    )


@pytest.fixture
def torus(tmp_path: Path) -> Path:
    design = tmp_path / "torus.yaml"
    design.write_text("topology: {kind: torus, shape: [2, 2]}\n")
    return design


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The program of each library that is installed."""
    found = {}
    for name, library in LIBRARIES.items():
        if not library.missing:
            found[name] = tmp_path_factory.mktemp("programs") / name
            subprocess.run([library.compiler, SOURCE, "-o", found[name]], check=True)
    return found


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param(
            name, kind, marks=pytest.mark.skipif(bool(reason), reason=reason), id=f"{name}-{kind}"
        )
        for name, kind in PAIRS
        for reason in [LIBRARIES[name].missing]
    ],
)
def test_an_mpi_program_ends_on_all_nodes_with_the_right_contents(
    name: str, kind: str, programs: Mapping[str, Path], tmp_path: Path
) -> None:
    library, program, design = LIBRARIES[name], programs[name], tmp_path / "design.yaml"
    design.write_text(DESIGNS[kind])
    network = compile_network(Cluster.load(design))
    nodes = network.device_names[: network.n_compute]
    done = emulate(design, library.launcher, "-n", str(len(nodes)), str(program))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"{node} 0" for node in nodes]


@needs_cc
def test_a_command_finds_the_library_beside_those_of_its_caller(
    torus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.so"
    subprocess.run(["cc", "-shared", "-o", own, "-x", "c", "/dev/null"], check=True)
    monkeypatch.setenv("LD_PRELOAD", str(own))
    done = emulate(torus, "sh", "-c", "grep -o '/[^ ]*[.]so$' /proc/self/maps | sort -u")
    assert {str(own), "/dev/shm/linkwright/preload.so"} <= set(done.stdout.split()), done.stderr
    assert not Path("/dev/shm/linkwright").exists()


def test_without_a_compiler_a_command_runs_and_the_remedy_is_said(
    torus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = _path_without_compiler(tmp_path)
    done = emulate(torus, "sh", "-c", "echo $LD_PRELOAD; exit 3", path=path, quiet=False)
    assert (done.stdout, done.returncode) == ("\n", 3)
    assert "apt install gcc libc6-dev" in done.stderr


@needs_cc
def test_the_library_is_built_once(
    torus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    path = _path_without_compiler(tmp_path, "grep", "true")

    def is_loaded(path: str | None = None) -> bool:
        script = "grep -c preload.so /proc/self/maps || true"
        done = emulate(torus, "sh", "-c", script, path=path)
        assert done.returncode == 0, done.stderr
        return int(done.stdout) > 0

    assert is_loaded()
    (kept,) = (cache / "linkwright").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    whole = kept.read_bytes()
    assert is_loaded(path), "it was built again"
    for spoiled, mode in ((whole[:-40], 0o600), (whole, 0o622)):
        kept.write_bytes(spoiled)
        kept.chmod(mode)
        assert not is_loaded(path), "a library of others was loaded"
        assert is_loaded()
        assert kept.read_bytes()[-32:] == hashlib.sha256(kept.read_bytes()[:-32]).digest()


@needs_cc
@pytest.mark.parametrize("base", ["file/below", "/proc/none"])
def test_a_cache_that_cannot_be_written_is_done_without(
    base: str, torus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / base))
    done = emulate(torus, "sh", "-c", "echo $LD_PRELOAD", quiet=False)
    assert done.stdout == "/dev/shm/linkwright/preload.so\n"
    assert "cache" not in done.stderr


def _path_without_compiler(folder: Path, *names: str) -> str:
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    own = (
        "cat",
        "chmod",
        "env",
        "head",
        "mount",
        "mv",
        "nsenter",
        "rm",
        "setpriv",
        "sh",
        "unshare",
    )
    _link(bin_folder, [*own, *names])
    return str(bin_folder)


def _link(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        found = shutil.which(name)
        assert found
        (folder / name).symlink_to(found)
