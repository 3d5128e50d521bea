"""NetPIPE and HPL: what the hosts were fitted to, and what follows for other networks.

Latencies and the star's HPL time are calibrated; the other rows of the HPL table are not here, and
are predicted without a number beside them.
"""

from __future__ import annotations

from linkwright import workloads
from linkwright.papers.entry import Basis
from linkwright.papers.printed import printed_numbers
from linkwright.papers.stack_2001.forwarding import MEDIUM, mean_loss
from linkwright.papers.study import Claim, Experiment, Results, Study, WordClaim, mean_of
from linkwright.papers.words import Words
from linkwright.results import Result
from linkwright.views.figures import Curve, Figure, Panel
from linkwright.views.quantities import size

__all__ = ["hpl", "netpipe"]

_PATHS = {"direct": ("direct", 1), "one-switch": ("star-8", 1), "forwarded": ("ring-5x2", 4)}
"""Cluster and receiver of each path from node 0."""
_KILOBIT_BYTES = 128
_HPL = {"star": "star-8", "stack-ring": "ring-4x2"}


def netpipe() -> Study:
    """Return the study of one stream of blocks."""
    experiments = tuple(
        Experiment(
            name=name,
            package=__package__,
            cluster=cluster,
            workload=workloads.parse("netpipe", {"dst": str(dst)}),
        )
        for name, (cluster, dst) in _PATHS.items()
    )
    claims = tuple(
        Claim(
            printed=printed,
            of=(printed.row,),
            value=_kilobit,
            basis=Basis.CALIBRATED,
        )
        for printed in printed_numbers(__package__).table("netpipe")
    )
    words = tuple(_in_words(one) for one in printed_numbers(__package__).words("netpipe"))
    return Study(experiments=experiments, claims=claims, words=words, figures=_figures)


def _in_words(words: Words) -> WordClaim:
    sizes = MEDIUM if words.row == "forwarding-loses" else (1 << 20,)
    return WordClaim(
        words=words,
        of=("one-switch", "forwarded"),
        numbers=lambda switch, node: {
            f"{name} {size(at)}": mean_of("throughput", size_bytes=at)(result)
            for at in sizes
            for name, result in (("one switch", switch), ("forwarded", node))
        },
        judged=mean_loss,
    )


def hpl() -> Study:
    """Return the study of the linear solver on eight nodes, N = 10000, NB = 64, 1 x 8."""
    settings = {"n": "10000", "nb": "64", "p": "1", "q": "8"}
    experiments = tuple(
        Experiment(
            name=name,
            package=__package__,
            cluster=cluster,
            workload=workloads.parse("hpl", settings),
        )
        for name, cluster in _HPL.items()
    )
    claims = tuple(
        Claim(printed=printed, of=(printed.row,), value=mean_of("time"), basis=Basis.CALIBRATED)
        for printed in printed_numbers(__package__).table("hpl")
    )
    return Study(experiments=experiments, claims=claims)


def _kilobit(result: Result) -> float:
    return mean_of("time", size_bytes=_KILOBIT_BYTES)(result)


def _figures(results: Results) -> list[Figure]:
    throughput = tuple(_curve(name, results[name], "throughput", 1e-6) for name in results)
    signature = tuple(
        Curve(
            name,
            (results[name].filter(metric="time").values() * 1e6).tolist(),
            (results[name].filter(metric="throughput").values() / 1e6).tolist(),
        )
        for name in results
    )
    panels = (
        Panel("throughput", "block (bytes)", "MB/s", throughput, is_log_x=True),
        Panel("signature", "time of a block (µs)", "MB/s", signature, is_log_x=True),
    )
    return [Figure("netpipe", "NetPIPE: throughput against the block and against its time", panels)]


def _curve(name: str, result: Result, metric: str, scale: float) -> Curve:
    rows = result.filter(metric=metric)
    return Curve(name, rows.parameter("size_bytes"), (rows.values() * scale).tolist())
