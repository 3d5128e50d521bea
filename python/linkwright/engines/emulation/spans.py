"""The times in which programs of MPI are ranks, as the library that is loaded into them notes."""

from __future__ import annotations

from linkwright.engines.emulation.init import FOLDER

__all__ = ["SPANS", "spans_of"]

SPANS = FOLDER / "spans"
"""The file of the notes, inside a sandbox."""


def spans_of(notes: str, until_s: float) -> list[tuple[float, float]]:
    """Return the times in which at least one program is a rank, in order.

    Parameters
    ----------
    notes : str
        Lines of a change of the number of ranks and its time in nanoseconds.
    until_s : float
        The end in seconds: ranks that were killed have noted none.

    Returns
    -------
    list of (float, float)
        Begin and end of each in seconds of the machine's clock; none if no program was a rank.
    """
    rows = [line.split() for line in notes.splitlines()]
    changes = sorted((int(time) / 1e9, int(change)) for change, time in rows)
    spans: list[tuple[float, float]] = []
    n_ranks, begin = 0, until_s
    for time_s, change in [*changes, (until_s, 0)]:
        if n_ranks == 0:
            begin = time_s
        n_ranks += change
        if n_ranks == 0 or time_s == until_s:
            spans.append((begin, time_s))
    return [(begin, end) for begin, end in spans if begin < end]
