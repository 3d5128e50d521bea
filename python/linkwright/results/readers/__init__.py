"""Readers of the logs of other measuring programs: one file each, registered here by name.

A reader finds out whether a text is of its program, and returns its figures in base units, under
the workload and the settings by which an engine predicts them.
"""

from __future__ import annotations

from linkwright.errors import UsageError, shown
from linkwright.registry import Registry
from linkwright.results.readers.figure import Figure, Reader
from linkwright.results.readers.launched import without_ranks

__all__ = ["READERS", "Figure", "Reader", "read_log"]

READERS: Registry[Reader] = Registry(
    __name__,
    {
        "iperf3": "iperf3:IPERF3",
        "osu": "osu:OSU",
        "netpipe": "netpipe:NETPIPE",
        "nccl-tests": "nccl_tests:NCCL_TESTS",
        "perftest": "perftest:PERFTEST",
    },
)
"""Every reader by the name of its program."""


def read_log(text: str, name: str) -> list[Figure]:
    """Return the figures of a log, by the reader whose program wrote it.

    Parameters
    ----------
    text : str
        The log, with whatever a shell or a launcher wrote around it.
    name : str
        Name of the file, which may name the benchmark.

    Raises
    ------
    UsageError
        If no reader knows it, or it has no figures.
    """
    text = without_ranks(text)
    for program in READERS:
        reader = READERS[program]
        if reader.is_own(text):
            found = reader.read(text, name)
            if not found:
                raise UsageError(
                    f"{shown(name)} is a log of {program} without figures",
                    "give the whole output of a run that has ended",
                )
            return [one.by(program) for one in found]
    raise UsageError(
        f"{shown(name)} is no log that a reader knows",
        f"give the output of {', '.join(READERS)} (iperf3 with -J)",
    )
