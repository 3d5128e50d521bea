"""The library that is loaded into every program of a command: waiting ranks of MPI sleep in it
instead of occupying the processors, and old versions of MPICH end.

The C compiler of the machine builds it at each start, into the sandbox's own /dev/shm. Nothing of
it remains.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.engines.emulation.init import FOLDER

if TYPE_CHECKING:
    from linkwright.engines.emulation.sandbox import Sandbox

__all__ = ["SOURCES", "preloaded"]

SOURCES = tuple(Path(__file__).parent / name for name in ("polling.c", "finalize.c"))
LIBRARY = FOLDER / "preload.so"


def preloaded(sandbox: Sandbox, tell: Callable[[str], None]) -> dict[str, str]:
    """Build the library inside a sandbox; return the environment that loads it.

    Parameters
    ----------
    sandbox : Sandbox
        The sandbox of the programs.
    tell : function
        Receives a sentence if it could not be built; the environment is empty then.
    """
    words = ["cc", "-O2", "-shared", "-fPIC", "-o", str(LIBRARY), *map(str, SOURCES)]
    # The compiler's intermediate files also end with the sandbox.
    done = sandbox.run_inside(["env", f"TMPDIR={FOLDER}", *words], capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().partition("\n")[0]
        tell(
            f"waiting MPI programs occupy the processors, and those of MPICH 4.0 may not end: the "
            f"library that prevents it was not built ({reason}); apt install gcc libc6-dev"
        )
        return {}
    others = os.environ.get("LD_PRELOAD")
    return {"LD_PRELOAD": f"{others}:{LIBRARY}" if others else str(LIBRARY)}
