"""One run in a process of its own: its output, and its resources as the kernel counts them.

Processes play one after the other and with one thread; whose turn it is, is not decided here.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import linkwright
from cases import CASES, Idle
from linkwright import calibrations
from linkwright.engines import ENGINES
from linkwright.engines.inputs import Run

__all__ = ["Figures", "measured", "play"]

Figures = dict[str, Any]

_ONE_THREAD = {"RAYON_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def measured(command: Sequence[str]) -> Figures:
    """Run a command to its end and measure it.

    Returns
    -------
    dict
        What the command printed as JSON on its last line that begins with a brace, and
        ``whole_s`` and ``whole_cpu_s``, the time of the process and its children.

    Raises
    ------
    RuntimeError
        When it fails; the message has the end of what it printed.
    """
    begin_s = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **_ONE_THREAD},
    )
    assert process.stdout
    with process.stdout as stream:
        printed = stream.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    whole_s = time.perf_counter() - begin_s
    lines = [line for line in printed.splitlines() if line.startswith("{")]
    if process.returncode or not lines:
        raise RuntimeError(
            f"{Path(command[0]).name} exits with {process.returncode}: {printed[-400:]}"
        )
    figures: Figures = json.loads(lines[-1])
    return figures | {"whole_s": whole_s, "whole_cpu_s": usage.ru_utime + usage.ru_stime}


def play(case: str, engine: str, hosts: str) -> Figures:
    """Play a case with one of our engines, in this process.

    Returns
    -------
    dict
        ``simulated_s``, the workload's own time; ``setup_s`` for the network; ``run_s`` of the
        engine; ``run_cpu_s`` from the workload to the rows; ``peak_bytes``, and ``grown_bytes``, by
        how much the process grew, which is what it would take without Python.
    """
    calibration, workload = calibrations.load(hosts), CASES[case].workload
    simulate, pair = ENGINES[engine].simulate, built("topology: {kind: direct}")
    # Loads everything that is loaded when it is first used.
    simulate(Run(network=pair, workload=Idle(), hosts=calibration, seed=1))
    before = peak_bytes()
    begin_s = time.perf_counter()
    network = built(CASES[case].design)
    setup_s = time.perf_counter() - begin_s
    begin_cpu_s = time.process_time()
    outcome = simulate(Run(network=network, workload=workload, hosts=calibration, seed=1))
    run_cpu_s = time.process_time() - begin_cpu_s
    return {
        "simulated_s": next(m.value for m in outcome.measurements if m.metric == "time"),
        "setup_s": setup_s,
        "run_s": outcome.figures["wall_s"],
        "run_cpu_s": run_cpu_s,
        "peak_bytes": peak_bytes(),
        "grown_bytes": peak_bytes() - before,
    }


def built(design: str) -> linkwright.Network:
    """Compile a design."""
    return linkwright.compile(linkwright.Cluster.parse(design))


def peak_bytes() -> int:
    """Return the largest memory of this process since it became Python."""
    lines = Path("/proc/self/status").read_text().splitlines()
    kibibytes = next(line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(kibibytes) * 1024
