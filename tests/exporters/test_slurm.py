"""The topology of Slurm: its form follows the cables, and Slurm's own controller reads it.

Forms in `topology.yaml` need slurmctld 26.05; a tree is read by any version.
"""

from __future__ import annotations

import itertools
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.kinds import KINDS
from tests.kinds import network as kind
from tests.namespaces import why_missing
from tests.plan.networks import network

from linkwright.errors import CapabilityError
from linkwright.network import Network
from linkwright.plan import export
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.slurm import is_torus, tree_of_boxes

SLURMCTLD = shutil.which("slurmctld") or ""
REASON = why_missing("tests/exporters") or ("" if SLURMCTLD else "slurmctld: apt install slurmctld")
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(10.255.0.1)
SlurmUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/pid
SlurmctldLogFile={folder}/log
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
TopologyPlugin=topology/{plugin}
PluginDir={plugins}
SlurmctldDebug=debug2
NodeName={nodes} CPUs=1 NodeAddr=10.255.0.1
PartitionName=all Nodes=ALL Default=YES
"""
SHAPES = {
    "ring": {"kind": "ring", "shape": [5]},
    "torus3d": {"kind": "torus", "shape": [3, 4]},
    "tree": {"kind": "fat-tree", "k": 4},
    "flat": {"kind": "full-mesh", "nodes": 5},
}
LOADED = {
    "ring": "Ring name:ring nodes:n[0-4]",
    "torus3d": "dims:4x3x1 nodes:n[00-11]",
    "tree": "Switch level:2 name:core0 nodes:n[00-15] switches:agg0,agg2,agg4,agg6",
    "flat": "topology Flat plugin loaded",
}


def written(whole: Network) -> tuple[str, str]:
    """Return the name of the file and its text."""
    [(name, text)] = [
        (name.rpartition("/")[2], text)
        for name, text in export(whole, ["slurm"]).files.items()
        if "/slurm/" in name
    ]
    return name, text


def topology(whole: Network) -> dict[str, Any]:
    [found] = yaml.safe_load(written(whole)[1])
    return dict(found)


def test_a_ring_of_up_to_16_nodes_is_a_ring_and_a_longer_one_a_torus() -> None:
    short = topology(network("ring", shape=[16]))["ring"]["rings"]
    assert short[0]["nodes"].split(",") == [f"n{node:02}" for node in range(16)]
    long = topology(network("ring", shape=[17]))["torus3d"]["toruses"][0]
    assert long["dims"] == {"x": 17, "y": 1, "z": 1}


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (4, 4)])
def test_neighbours_of_the_torus_of_slurm_have_a_cable(shape: tuple[int, ...]) -> None:
    whole = network("torus", shape=[*shape])
    torus = topology(whole)["torus3d"]["toruses"][0]
    names, sides = torus["nodes"].split(","), [torus["dims"][axis] for axis in "xyz"]
    places = list(itertools.product(*(range(side) for side in reversed(sides))))
    segments = NetworkPlan(whole).segments
    at = {place[::-1]: whole.device_names.index(n) for place, n in zip(places, names, strict=True)}
    for place, node in at.items():
        for axis, side in enumerate(sides):
            beside = (*place[:axis], (place[axis] + 1) % side, *place[axis + 1 :])
            assert side == 1 or segments[node] & segments[at[beside]]
    sizes = [dims["x"] * dims["y"] * dims["z"] for dims in (p["dims"] for p in torus["placements"])]
    assert sizes == sorted(sizes)
    assert sizes[-1] == whole.n_nodes


def test_a_fat_tree_has_pods_and_one_root() -> None:
    lines = [line for line in written(network("fat-tree", k=4))[1].splitlines() if line[0] != "#"]
    assert lines[0] == "SwitchName=edge0 Nodes=n00,n01"
    assert lines[8] == "SwitchName=agg0 Switches=edge0,edge1"
    assert lines[-1] == "SwitchName=core0 Switches=agg0,agg2,agg4,agg6"


@pytest.mark.parametrize("name", KINDS)
def test_a_tree_has_every_node_once_and_one_root(name: str) -> None:
    tree = tree_of_boxes(kind(name))
    if not tree:
        return
    assert sorted(itertools.chain(*(one.nodes for one in tree))) == [*range(kind(name).n_compute)]
    below = [switch for one in tree for switch in one.switches]
    assert sorted([*below, tree[-1].name]) == sorted(one.name for one in tree)


@pytest.mark.parametrize(
    ("whole", "reason"),
    [
        (network("hypercube", dimension=4), "torus of 4 dimensions"),
        (network("mesh", shape=[3, 4]), "neither a torus nor"),
        (network("p-mesh", shape=[3, 3]), "neither a torus nor"),
    ],
    ids=["hypercube", "mesh", "p-mesh"],
)
def test_other_shapes_are_refused_with_the_reason(whole: Network, reason: str) -> None:
    with pytest.raises(CapabilityError, match=reason):
        export(whole, ["slurm"])
    assert not is_torus(whole) or whole.kind == "hypercube"


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.skipif(bool(REASON), reason=REASON)
@pytest.mark.parametrize("plugin", SHAPES)
def test_the_controller_of_slurm_loads_the_file(plugin: str, tmp_path: Path) -> None:
    version = subprocess.run([SLURMCTLD, "-V"], capture_output=True, text=True, check=True).stdout
    if plugin != "tree" and version.split()[1] < "26.05":
        pytest.skip(f"topology.yaml needs slurmctld 26.05, and this is {version.split()[1]}")
    fields = dict(SHAPES[plugin])
    whole = network(str(fields.pop("kind")), **fields)
    name, text = written(whole)
    (tmp_path / name).write_text(text)
    (tmp_path / "state").mkdir()
    (tmp_path / "slurm.conf").write_text(
        CONFIGURATION.format(
            folder=tmp_path,
            plugin=plugin,
            host=Path("/proc/sys/kernel/hostname").read_text().strip(),
            plugins=next(Path(SLURMCTLD).resolve().parents[1].glob("lib/*/slurm-wlm")),
            nodes=",".join(whole.device_names[: whole.n_compute]),
        )
    )
    assert LOADED[plugin] in loaded(tmp_path)


def loaded(folder: Path) -> str:
    """Return the log of a controller in a network of its own, up to its choice of nodes."""
    program = f"exec {SLURMCTLD} -D -c -i -f {folder}/slurm.conf"
    alone = f"ip link set lo up; ip address add 10.255.0.1/32 dev lo; {program}"
    log = folder / "log"
    with subprocess.Popen(["unshare", "-n", "sh", "-c", alone], stderr=subprocess.DEVNULL) as one:
        for _ in range(100):
            time.sleep(0.1)
            if one.poll() is not None or (log.exists() and "cons_tres:" in log.read_text()):
                break
        one.kill()
    return log.read_text()
