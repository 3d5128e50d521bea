"""The command line: one file per command, which parses, calls and shows. No logic is here.

User errors become a message and a remedy on stderr and an exit code: 0 done, 1 findings or a failed
check, 2 usage or design error, 3 missing capability, 4 a failed run or output, 130 interrupted.
"""

from linkwright.cli.process import main, run

__all__ = ["main", "run"]
