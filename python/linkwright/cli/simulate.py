"""`linkwright simulate`: one workload on one design, with files of what happens on request.

The answer is the rows of the result; questions over many runs are studies.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from linkwright.cli.formats import Format
from linkwright.cli.invocation import manifest_since
from linkwright.cli.options import DesignArgument, FormatOption, OutputOption, QuietOption
from linkwright.cli.rows import page_of, row_destination, show_rows
from linkwright.cli.run_options import RunOptions, WorkloadOption
from linkwright.cli.watching import WatchFiles
from linkwright.cli.work import Report, work

if TYPE_CHECKING:
    from linkwright.engines import Observed
    from linkwright.network import Network

__all__ = ["simulate"]


def simulate(
    design: DesignArgument,
    workload: WorkloadOption,
    inputs: RunOptions,
    files: WatchFiles,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Run a workload on a design.

    The answer is rows of the one result schema. Where chance matters (collisions on hubs, lost
    frames, random placement), several seeds are run: the table shows their mean and range, other
    formats every run. -o FILE.html writes a page, which of the packet engine replays one run, also
    with other inputs.
    """
    from linkwright import engines
    from linkwright.design.cluster import Cluster
    from linkwright.engines.engine import engine_named
    from linkwright.network import compile as compile_network

    target = row_destination(shown, output, quiet=quiet, has_page=True)
    engine = engine_named(inputs.engine)
    is_played = target.file_format is Format.HTML and engine.has_pages
    wanted = files.observation(page=is_played)
    chosen = inputs.workload(workload)
    cluster = Cluster.load(design)
    hosts = inputs.hosts(cluster.calibration)
    files.check()
    started = datetime.now(UTC)

    def make(report: Report) -> tuple[Network, Observed]:
        network = compile_network(cluster)
        if wanted.page:
            from linkwright.views.play_page import expect_playable

            expect_playable(network)
        run = inputs.run(network, chosen, hosts, is_single=bool(wanted))
        return network, engines.observe(run, wanted, n_jobs=inputs.jobs, progress=report)

    network, seen = work(make, f"simulating {workload}", quiet=quiet)
    files.write(seen.watched, quiet=quiet)

    def played() -> str:
        from linkwright.views.play_page import play_page

        return play_page(*seen.played, manifest_since(started))

    page = played if is_played else page_of(network, seen.result, started)
    show_rows(seen.result, target, page)
