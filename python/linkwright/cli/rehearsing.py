"""`linkwright emulate --files`: a cluster whose nodes load files written by hand.

What the kernels then have is compared with the plan, and told before anything runs.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.cli.output import Destination
from linkwright.cli.proof_output import deliver_proof
from linkwright.cli.terminal import say
from linkwright.cli.work import Report, work

if TYPE_CHECKING:
    from linkwright.as_built import Verdict
    from linkwright.as_built.rehearsal import Rehearsal
    from linkwright.design.cluster import Cluster
    from linkwright.emulation.cluster import EmulatedCluster
    from linkwright.network import Network
    from linkwright.verification.kernels import KernelProof

__all__ = ["own_files", "verify_files"]

MOST_SHOWN = 20
"""Differences that are shown one by one."""


@dataclass
class Rehearsed:
    """A cluster that loads files when it comes up.

    Attributes
    ----------
    rehearsal : Rehearsal
        The files.
    place : Path
        Folder in which they are loaded.
    say : callable
        Shows a remark.
    verdict : Verdict or None
        The loaded nodes beside the plan, once they are up.
    """

    rehearsal: Rehearsal
    place: Path
    say: Callable[[str], None]
    until: contextlib.ExitStack
    verdict: Verdict | None = None

    def configure(self, up: EmulatedCluster, report: Report = lambda *_: None) -> None:
        """Load the files in nodes that are up, and say what differs from the plan."""
        from linkwright.as_built.loaded_files import facts_of_loaded
        from linkwright.as_built.verify import compare

        loading = self.rehearsal.loaded(up.sandbox.machine, self.place, report)
        machines = self.until.enter_context(loading)
        facts = facts_of_loaded(self.rehearsal, machines, self.place)
        is_first, self.verdict = self.verdict is None, compare(self.rehearsal.planned, facts)
        if is_first:
            for remark in self._remarks(self.verdict):
                self.say(remark)

    def _remarks(self, verdict: Verdict) -> Iterator[str]:
        for name in self.rehearsal.strangers:
            yield f"note: folder {name} is of no node, and is left out"
        if self.rehearsal.lacking:
            yield f"note: without a folder, and as planned: {', '.join(self.rehearsal.lacking)}"
        found = differences(verdict)
        if not found:
            yield "the files do as the plan says"
        for reason in found[:MOST_SHOWN]:
            yield f"differs: {reason}"
        if len(found) > MOST_SHOWN:
            yield f"and {len(found) - MOST_SHOWN} more differences: `linkwright verify --files`"
        if self.rehearsal.finds_routes:
            yield "note: routing daemons find other routes after a failure: none is tried"
        for sentence in verdict.not_checked:
            yield f"note: {sentence}"


def differences(verdict: Verdict) -> list[str]:
    """Return the differences of machines that have a folder."""
    return [one.reason for one in verdict.findings if one.kind != "missing-machine"]


@contextlib.contextmanager
def rehearsed(network: Network, folder: Path, say: Callable[[str], None]) -> Iterator[Rehearsed]:
    """Let a cluster that comes up meanwhile load the files of a folder.

    Parameters
    ----------
    network : Network
        The plan.
    folder : Path
        A folder per machine.
    say : callable
        Shows a remark.

    Raises
    ------
    UsageError
        If there is no folder of a node, or its files belong to two managers.
    """
    from linkwright.as_built.rehearsal import read_folders
    from linkwright.emulation.cluster import configured_by

    rehearsal = read_folders(network, folder)
    with contextlib.ExitStack() as stack:
        # The sandbox sees folders that are there before it.
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="linkwright-")))
        found = Rehearsed(rehearsal, place, say, stack)
        stack.enter_context(configured_by(found.configure))
        yield found


@contextlib.contextmanager
def own_files(network: Network, folder: Path | None, *, quiet: bool) -> Iterator[None]:
    """Let a cluster that comes up meanwhile load the files of a folder, if there is one."""
    if folder is None:
        yield
        return
    with rehearsed(network, folder, partial(say, quiet=quiet)):
        yield


def verify_files(
    cluster: Cluster, folder: Path, failures: str, target: Destination, *, quiet: bool
) -> None:
    """Show the comparison of nodes that have loaded their files with the proofs.

    Raises
    ------
    Exit
        With code 1 if something differs.
    """
    from linkwright import calibrations
    from linkwright.emulation.cluster import unwired
    from linkwright.network import compile as compile_network
    from linkwright.verification.failures import FailureTrial
    from linkwright.verification.kernels import verify_as_they_are

    network = compile_network(cluster)
    hosts = calibrations.load(network.calibration)

    def compare(report: Report) -> tuple[KernelProof, list[str]]:
        def tell(n_done: int, n_all: int) -> None:
            report(n_done, n_all, "trying failures on kernels")

        with (
            rehearsed(network, folder, partial(say, quiet=quiet)) as own,
            unwired(network, hosts) as up,
        ):
            trial = FailureTrial(up.kernels, cluster, network)
            with trial.wires():
                up.find_routes()
                tried = "none" if own.rehearsal.finds_routes else failures
                proof = verify_as_they_are(trial, tried, report=tell)
            assert own.verdict is not None, "nodes are configured when they come up"
            return proof, differences(own.verdict)

    proof, different = work(compare, "bringing nodes up", quiet=quiet)
    deliver_proof(proof, target, different)
