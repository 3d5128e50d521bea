r"""CSV as the plan folder uses it: a header line, `\n` at the end of each line, quotes only where
needed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return a table as CSV text.

    Examples
    --------
    >>> csv_text(["node", "nic"], [["n0", "eth0"]])
    'node,nic\nn0,eth0\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
