"""Lines of a log without the names of ranks that launchers put in front of them.

`mpirun --tag-output` writes `[1,0]<stdout>:`, Open MPI 5 `[job-host-7@1,0]<stdout>: `, MPICH's `-l`
`[0] `, and `srun -l` and `pdsh` a number or a host with a colon, which only a whole log shows.
"""

from __future__ import annotations

import re

__all__ = ["without_ranks"]

IN_BRACKETS = re.compile(
    r"^\[[A-Za-z0-9@,._-]{1,80}\](?:<std(?:out|err)>: ?|:? )(?=[ #\d])", re.MULTILINE
)
WITH_A_COLON = re.compile(r"^ {0,8}([A-Za-z0-9_.-]{1,64}): ?")
FEWEST, LINES_PER_RANK = 3, 2
"""Lines of a log that show a launcher, and lines of a rank, at least."""


def without_ranks(text: str) -> str:
    r"""Return a log without the ranks, or hosts, in front of its lines.

    Examples
    --------
    >>> without_ranks("[1,0]<stdout>:# size\n[1,0]<stdout>:  8 2\n")
    '# size\n 8 2\n'
    >>> without_ranks("0: # size\n0: 8 2\n0: 16 2\n")
    '# size\n8 2\n16 2\n'
    """
    text = IN_BRACKETS.sub("", text)
    lines = text.splitlines()
    fronts = [WITH_A_COLON.match(line) for line in lines if line.strip()]
    names = {one[1] for one in fronts if one}
    is_of_ranks = len(fronts) >= FEWEST and len(names) * LINES_PER_RANK < len(fronts)
    if not is_of_ranks or None in fronts:
        return text
    return "".join(f"{WITH_A_COLON.sub('', line)}\n" for line in lines)
