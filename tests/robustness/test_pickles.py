"""Every noun of the public surface can be sent to another process, where it is the same.

More of networks is in test_immutable.py; stale pickles are refused here.
"""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from multiprocessing import get_context
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from tests.kinds import KINDS, designed, network

import linkwright
from linkwright import Cluster, calibrations, faults, workloads
from linkwright.design.topologies import TOPOLOGIES
from linkwright.engines import watch
from linkwright.engines.inputs import Run
from linkwright.errors import UsageError
from linkwright.network import Network
from linkwright.program import compile_program, goal_text
from linkwright.workloads import BACKGROUNDS, PATTERNS, WORKLOADS

HOSTS = "pentium-pro-200-linux-2.0"
DESIGNS = {
    **{name: designed(topology) for name, topology in KINDS.items()},
    "made in Python": Cluster(topology=TOPOLOGIES["torus"](shape=(3, 3)), mtu=1400),
}
EVERY_WORKLOAD = {
    f"{name} {settings}": WORKLOADS[name](**settings)
    for name in WORKLOADS
    for settings in WORKLOADS[name].examples
}


def again(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_designs(design: Cluster) -> None:
    copy = again(design)
    assert (copy, copy.design_hash, copy.folder) == (design, design.design_hash, design.folder)
    assert again(linkwright.compile(design)).design_hash == design.design_hash


@pytest.mark.parametrize("name", calibrations.names())
def test_calibrations(name: str) -> None:
    hosts = calibrations.load(name)
    changed = hosts.changed({"tcp.initial_window": 2})
    assert again(hosts) == hosts
    assert again(changed) == changed != hosts
    assert again(hosts).constants() == hosts.constants()


@pytest.mark.parametrize("workload", EVERY_WORKLOAD.values(), ids=EVERY_WORKLOAD)
def test_workloads(workload: workloads.Workload) -> None:
    copy = again(workload)
    assert type(copy) is type(workload)
    assert (copy, copy.parameters) == (workload, workload.parameters)


@pytest.mark.parametrize("name", [*PATTERNS, *BACKGROUNDS])
def test_patterns_and_backgrounds(name: str) -> None:
    thing = {**PATTERNS, **BACKGROUNDS}[name]()
    assert again(thing) == thing


def test_results_and_what_was_watched() -> None:
    result, watched = watch(network("torus"), workloads.PingPong(size_bytes=1, repeats=1))
    assert again(result) == result
    assert again(result).manifests == result.manifests
    assert again(watched).capture == watched.capture


def test_inputs_of_a_run() -> None:
    torus = network("torus")
    run = Run(
        network=torus,
        workload=workloads.Barrier(),
        hosts=calibrations.load(HOSTS),
        faults=faults.parse(["node:n00 down at 1s"], torus),
    )
    assert again(run).columns("predicted") == run.columns("predicted")
    assert again(run).conditions == run.conditions


PROGRAMS = {
    **{name: (workload, None) for name, workload in EVERY_WORKLOAD.items()},
    "with a background": (workloads.Barrier(ranks=2), workloads.KeepAlive()),
}


@pytest.mark.parametrize(("workload", "background"), PROGRAMS.values(), ids=PROGRAMS)
def test_programs(workload: workloads.Workload, background: workloads.Background | None) -> None:
    hosts = calibrations.load(HOSTS)
    program = compile_program(workload, 16, hosts=hosts, background=background)
    copy = again(program)
    for name in ("n_ranks", "n_awaited", "n_operations", "algorithms", "workload"):
        assert getattr(copy, name) == getattr(program, name)
    if not workload.sends_datagrams and not workload.uses_disks and background is None:
        assert "".join(goal_text(copy)) == "".join(goal_text(program))


def test_the_pickle_of_a_program_is_small() -> None:
    program = compile_program(workloads.AllToAll(size_bytes=1024), 2000)
    assert program.n_operations > 10_000
    assert len(pickle.dumps(program)) < 2000


def test_a_program_whose_file_has_changed_is_refused(tmp_path: Path) -> None:
    for rank in range(2):
        text = f"# linkwright recording 1, rank {rank} of 2\n5 -1 0 0 0 1000\n# end\n"
        (tmp_path / f"rank-{rank}.txt").write_text(text)
    recorded = workloads.Recording(folder=str(tmp_path))
    kept = pickle.dumps(compile_program(recorded, 2))
    assert pickle.loads(kept).n_ranks == 2
    (tmp_path / "rank-1.txt").write_text(text.replace("1000", "1001"))
    with pytest.raises(UsageError, match="recording has other steps here") as error:
        pickle.loads(kept)
    assert "restore the files" in error.value.hint


def test_a_network_of_another_version_is_refused() -> None:
    built = network("ring")
    state = {name: value for name, value in built.__getstate__().items() if name != "sides"}
    bare = Network.__new__(Network)
    with pytest.raises(UsageError, match="has no 'sides': it is of another version"):
        bare.__setstate__(state)
    assert "sides" in {column.name for column in fields(Network)}


def test_another_process_gives_the_same_rows() -> None:
    built, workload = network("torus"), workloads.AllReduce(size_bytes=1024)
    program = compile_program(workload, built.n_compute)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        there = pool.submit(linkwright.run, built, workload, seed=3).result()
        n_operations = pool.submit(attrgetter("n_operations"), program).result()
    assert there.reproducible() == linkwright.run(built, workload, seed=3).reproducible()
    assert n_operations == program.n_operations
