"""Settings of Open MPI, MPICH and UCX, on machines that also have the address of Docker's bridge.

There Open MPI waits forever without its files, and ends with them. MPICH 4.0 of Debian happens to
take the identity first, so that it is only tested that it ends. UCX is run by Open MPI.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.emulation.test_programs import MPICH, OPEN_MPI, Library
from tests.namespaces import why_missing

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.emulation.cluster import EmulatedCluster, cabled
from linkwright.emulation.init import FOLDER
from linkwright.network import compile as compile_network
from linkwright.plan import export

SOURCE = Path(__file__).parents[1] / "emulation" / "programs" / "collectives.c"
RING = Cluster.parse("topology: {kind: ring, shape: [3]}\nparts: {catalogue: ethernet-2026}\n")
DECOY = """
ip link add dev docker0 type ifb
ip link set dev docker0 up
ip address add 172.17.0.1/16 dev docker0
"""
LONGEST_S = 20
REASON = why_missing("tests/exporters")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(REASON), reason=REASON)]


@pytest.fixture
def up() -> Iterator[EmulatedCluster]:
    network = compile_network(RING)
    with cabled(network, calibrations.load(network.calibration)) as cluster:
        for name in network.device_names[: network.n_nodes]:
            assert cluster.sandbox.machine(name).run(["sh", "-euc", DECOY]).code == 0
        yield cluster


def exported(target: str) -> dict[str, str]:
    return dict(export(compile_network(RING), [target]).files)


def built(library: Library, folder: Path) -> str:
    if library.missing:
        pytest.skip(library.missing)
    program = folder / "program"
    subprocess.run([library.compiler, "-O2", str(SOURCE), "-o", str(program)], check=True)
    return str(program)


def ends(up: EmulatedCluster, words: list[str]) -> bool:
    """Return whether a command ends well, within some seconds."""
    command = ["timeout", "-k", "1", str(LONGEST_S), "env", *words]
    return up.sandbox.machine("n0").run(command).code == 0


def test_open_mpi_ends_with_the_files_alone(up: EmulatedCluster, tmp_path: Path) -> None:
    program = built(OPEN_MPI, tmp_path)
    files = exported("openmpi")
    hosts, home = tmp_path / "hostfile", tmp_path / "home"
    hosts.write_text(files["nodes/all/openmpi/hostfile"])
    (home / ".openmpi").mkdir(parents=True)
    # All nodes of a ring have the same names of interfaces.
    (home / ".openmpi/mca-params.conf").write_text(
        files["nodes/n0/openmpi/openmpi/mca-params.conf"]
    )
    words = ["OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"]
    words += [f"OMPI_MCA_plm_rsh_agent={FOLDER}/rsh", "OMPI_MCA_btl=tcp,self", "OMPI_MCA_pml=ob1"]
    command = [OPEN_MPI.launcher, "-n", "3", "--hostfile", str(hosts), program]
    assert ends(up, [*words, f"HOME={home}", *command])
    shutil.rmtree(home / ".openmpi")
    assert not ends(up, [*words, f"HOME={home}", *command])


def test_mpich_ends_with_the_files_alone(up: EmulatedCluster, tmp_path: Path) -> None:
    program = built(MPICH, tmp_path)
    files = exported("mpich")
    hosts = tmp_path / "hostfile"
    hosts.write_text(files["nodes/all/mpich/hostfile"])
    lines = files["nodes/n0/mpich/environment"].splitlines()
    settings = [line for line in lines if not line.startswith("#")]
    words = ["HYDRA_LAUNCHER=ssh", f"HYDRA_LAUNCHER_EXEC={FOLDER}/rsh"]
    command = [MPICH.launcher, "-n", "3", "-f", str(hosts), program]
    assert ends(up, [*words, *settings, *command])


def settings_in(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_ucx_ends_with_its_file(up: EmulatedCluster, tmp_path: Path) -> None:
    program = built(OPEN_MPI, tmp_path)
    hosts = tmp_path / "hostfile"
    hosts.write_text(exported("openmpi")["nodes/all/openmpi/hostfile"])
    words = ["OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"]
    words += [f"OMPI_MCA_plm_rsh_agent={FOLDER}/rsh", "OMPI_MCA_oob_tcp_if_include=id0"]
    words += [f"OMPI_MCA_{key}" for key in ("pml=ucx", "pml_ucx_tls=any", "pml_ucx_devices=any")]
    settings = settings_in(exported("ucx")["nodes/n0/ucx/environment"])
    assert settings == ["UCX_NET_DEVICES=eth0,eth1", "UCX_TLS=tcp,sm,self"]
    for devices, is_taken in (("eth0,eth1", True), ("docker0", False)):
        chosen = [f"UCX_NET_DEVICES={devices}", settings[1]]
        command = [OPEN_MPI.launcher, "-n", "3", "--hostfile", str(hosts)]
        command += [word for one in chosen for word in ("-x", one)]
        assert ends(up, [*words, *command, program]) == is_taken
