"""The emulation engine: a program run by real processes in the nodes of a cluster that is up.

The processes of ranks connect over wires without faults; then time begins again, so that faults
count from the start of the program.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright import _core
from linkwright.emulation.budget import dilation_of_workload
from linkwright.emulation.cluster import WireOptions, unwired
from linkwright.emulation.deaths import deaths_of_ranks
from linkwright.emulation.pressure import starved_s
from linkwright.emulation.protocol import expected, say
from linkwright.emulation.rank_processes import Job
from linkwright.emulation.verdict import verdict
from linkwright.emulation.waiting import Waited
from linkwright.emulation.wires import Wires
from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.inputs import Run
from linkwright.engines.playing import packed_inputs
from linkwright.engines.simulated import executed, simulated
from linkwright.observations.observation import ROWS_ALONE, Observation
from linkwright.program import Program

__all__ = ["EMULATION", "demand"]

LEAD_S = 0.05
"""Time from the order to start to the start."""


def _simulate(run: Run, wanted: Observation = ROWS_ALONE) -> Outcome:
    """Run a workload once, or repeatedly until it is long enough to measure."""
    options = WireOptions(
        hosts=run.hosts,
        dilation=run.options.get("dilation", 1.0),
        seed=run.seed or 0,
        faults=run.faults,
        has_capture=wanted.capture,
    )
    made: list[tuple[Wires, Waited]] = []
    remarks: list[str] = []
    with unwired(run.network, run.hosts, dilation=options.dilation) as up:

        def execute(program: Program, setup: dict[str, Any]) -> dict[str, Any]:
            remarks[:] = _of_local_messages(run, setup["node_of_rank"])
            job = _job(run, program, setup, options.dilation)
            machine = up.sandbox.machine()
            words = [machine.python, "-m", "linkwright.emulation.rank_processes"]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            with machine.start(words, **pipes) as ranks:
                assert ranks.stdin is not None
                assert ranks.stdout is not None
                try:
                    with up.wires(options.quiet):
                        up.find_routes()
                        job.say(ranks.stdin)
                        expected(ranks.stdout, "said")
                    # Time begins again, and faults count from here.
                    began_s = starved_s()
                    with up.wires(options) as wires:
                        say(ranks.stdin, "start_s", _core.machine_time_s() + LEAD_S)
                        answers, _ = expected(ranks.stdout, "said")
                finally:
                    ranks.kill()
            starved = starved_s() - began_s
            made.append((wires, _waited(answers, options.dilation, starved)))
            return _joined(answers, wires)

        outcome = executed(run, execute, wanted)
    # Only the last time counts, which was long enough.
    wires, waited = made[-1]
    found = verdict(run.network, wires, waited=waited)
    return replace(outcome, remarks=[found.text, *remarks], watched=wires.report.watched)


def _joined(answers: Sequence[Mapping[str, Any]], wires: Wires) -> dict[str, Any]:
    """Return the answers of all ranks as one, as the compiled engines give it."""
    kinds = {"mark": np.uint32, "rank": np.uint32, "time_s": np.float64}
    columns = {
        name: np.array([value for answer in answers for value in answer[name]], dtype=kind)
        for name, kind in kinds.items()
    }
    order = np.argsort(columns["time_s"], kind="stable")
    marks = {name: of[order] for name, of in columns.items()}
    figures = {"simulated_s": _simulated_s(answers), **wires.report.counters}
    # Real connections do not say whether they stall.
    return {**marks, "figures": figures, "faults": {"frames_lost": wires.report.frames_lost}}


def _waited(answers: Sequence[Mapping[str, Any]], dilation: float, starved: float) -> Waited:
    """Return the shares of the run for which ranks waited for a processor."""
    wait_s = sum(answer["waited_s"] for answer in answers)
    return Waited.of_sum(wait_s, len(answers), _simulated_s(answers) * dilation, starved)


def _of_local_messages(run: Run, node_of_rank: NDArray[np.uint32]) -> list[str]:
    """Return the remark on messages inside nodes, if they are faster than the rest of the run."""
    shared = len(np.unique(node_of_rank)) < len(node_of_rank)
    dilation = run.options.get("dilation", 1.0)
    if not shared or dilation == 1:
        return []
    text = (
        "messages between ranks of one node pass through the loopback of its kernel, which dilation"
        f" {dilation:g} does not slow down: they count as {dilation:g} times as fast"
    )
    return [text]


def _simulated_s(answers: Sequence[Mapping[str, Any]]) -> float:
    return float(max(answer["figures"]["simulated_s"] for answer in answers))


def _job(run: Run, program: Program, setup: dict[str, Any], dilation: float) -> Job:
    network = run.network
    nodes = setup["node_of_rank"].tolist()
    identities = setup["identities"]
    # The library's own work is done by this machine's processors.
    fastest = replace(run, hosts=run.hosts.without_costs(), faults=())
    return Job(
        packed=packed_inputs([fastest], [program]),
        nodes=[network.device_names[node] for node in nodes],
        addresses=[str(network.addresses.ip[identities[node]].ip) for node in nodes],
        constants=fastest.hosts.constants(network.mtu),
        dilation=dilation,
        deaths=deaths_of_ranks(run.faults, nodes[: program.n_awaited]),
    )


def _settle(run: Run) -> Run:
    """Choose the dilation that the frames of a run need on this machine."""
    if "dilation" in run.options:
        return run
    return replace(run, options={"dilation": dilation_of_workload(demand(run))})


def demand(run: Run) -> float:
    """Return the frames per second of a workload between hosts that take no time, as the packet
    engine predicts them.
    """
    fastest = replace(run, hosts=run.hosts.without_costs(), faults=())
    figures = simulated(fastest, _core.run_packet).answer["figures"]
    simulated_s: float = figures["simulated_s"]
    return figures["frame_hops"] / simulated_s if simulated_s else 0.0


EMULATION = Engine(
    name="emulation",
    simulate=_simulate,
    options=("dilation",),
    settle=_settle,
    has_traffic=True,
    has_faults=True,
    origin="measured",
)
