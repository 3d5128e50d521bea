"""The command line: one file per command, which parses, calls and shows. Nothing is decided here.

Errors of users become a message and a remedy on stderr and an exit code: 0 done, 1 findings or a
failed check, 2 usage or design error, 3 missing capability, 4 a run or an output that failed, 130
interrupted.
"""

from linkwright.cli.application import main, run

__all__ = ["main", "run"]
