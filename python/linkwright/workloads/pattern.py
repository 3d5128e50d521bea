"""What the patterns share: one message from each of many senders, all at the same time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.steps import Steps, join, mark, start_receive, start_send, wait_all
from linkwright.workloads.workload import Marks

__all__ = ["completion", "exchange"]

_BEGIN, _END = 0, 1


def exchange(source: NDArray[np.intp], destination: NDArray[np.intp], size_bytes: int) -> Steps:
    """Return one message from each `source` to its `destination`, between marks 0 and 1.

    Parameters
    ----------
    source, destination : ndarray, shape (n_messages,)
        Ranks; who is named in neither only passes the marks.
    size_bytes : int
        Size of every message.
    """
    return join(
        mark(_BEGIN),
        start_receive(destination, source),
        start_send(source, destination, size_bytes),
        wait_all(),
        mark(_END),
    )


def completion(marks: Marks) -> float:
    """Return the seconds from the first start to when everybody is done."""
    return marks.span_s(_BEGIN, _END)
