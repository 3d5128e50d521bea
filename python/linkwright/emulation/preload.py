"""The library that is loaded into every program of a command: waiting ranks of MPI sleep in it
instead of occupying the processors, their work takes as long as on a processor of their own, and
old versions of MPICH end.

The C compiler of the machine builds it inside the first sandbox. The user's cache keeps it for the
next ones; a sandbox has a copy in its own /dev/shm, which ends with it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from linkwright.emulation.init import FOLDER
from linkwright.emulation.spans import SPANS
from linkwright.errors import OutputError
from linkwright.files import write_atomically

if TYPE_CHECKING:
    from linkwright.emulation.sandbox import Sandbox
    from linkwright.machines import Machine

__all__ = ["SOURCES", "preloaded"]

SOURCES = tuple(
    Path(__file__).with_name(f"{name}.c")
    for name in ("polling", "pacing", "spans", "finalize", "next")
)
HEADER = Path(__file__).with_name("preload.h")
LIBRARY = PurePosixPath(FOLDER, "preload.so")
COMPILER = ("cc", "-O2", "-shared", "-fPIC")
_DIGEST = hashlib.sha256
_DIGEST_BYTES = _DIGEST().digest_size
_OTHERS_WRITE = 0o022


def preloaded(sandbox: Sandbox, dilation: float, tell: Callable[[str], None]) -> dict[str, str]:
    """Put the library into a sandbox; return the environment that loads it.

    Parameters
    ----------
    sandbox : Sandbox
        The sandbox of the programs.
    dilation : float
        Real seconds for one second of the network, and so for one of a rank's processor.
    tell : function
        Receives a sentence if it could not be built; the environment is empty then.
    """
    file, machine = _kept_file(), sandbox.machine()
    library = _kept(file)
    if library is not None:
        machine.put(LIBRARY, library)
    elif reason := _build(machine):
        tell(
            f"waiting MPI programs occupy the processors, and those of MPICH 4.0 may not end: the "
            f"library that prevents it was not built ({reason}); apt install gcc libc6-dev"
        )
        return {}
    else:
        _keep(file, machine.get(LIBRARY))
    others = os.environ.get("LD_PRELOAD")
    library_path = f"{others}:{LIBRARY}" if others else str(LIBRARY)
    return {
        "LD_PRELOAD": library_path,
        "LINKWRIGHT_SPANS": str(SPANS),
        "LINKWRIGHT_DILATION": f"{dilation:g}",
    }


def _build(machine: Machine) -> str:
    """Build the library on a machine; return the compiler's first complaint."""
    words = [*COMPILER, "-o", str(LIBRARY), *map(str, SOURCES)]
    # The compiler's intermediate files also end with the sandbox.
    done = machine.run(["env", f"TMPDIR={FOLDER}", *words])
    if not done.code:
        return ""
    return done.errors.strip().partition("\n")[0] or f"exit code {done.code}"


def _kept_file() -> Path:
    """Return the file of the user's cache for these sources on this kind of machine."""
    told = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(told) if Path(told).is_absolute() else _home() / ".cache"
    # Machines with other libraries may share the home.
    machine = (*COMPILER, platform.machine(), *platform.libc_ver())
    version = _DIGEST("\0".join(machine).encode())
    for source in (HEADER, *SOURCES):
        version.update(source.read_bytes())
    return base / "linkwright" / f"preload-{version.hexdigest()[:16]}.so"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        # A user without a home keeps nothing: there are no files below this one.
        return Path(os.devnull)


def _kept(file: Path) -> bytes | None:
    """Return a library that this user has kept; None if there is none, or it is not whole."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as opened:
        state = os.fstat(descriptor)
        # No other user may choose the code that programs load.
        if state.st_uid != os.geteuid() or state.st_mode & _OTHERS_WRITE:
            return None
        library, digest = (content := opened.read())[:-_DIGEST_BYTES], content[-_DIGEST_BYTES:]
    return library if digest == _DIGEST(library).digest() else None


def _keep(file: Path, library: bytes) -> None:
    """Keep a library, with its digest behind it, if the cache can be written."""
    with contextlib.suppress(OSError, OutputError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(file, library + _DIGEST(library).digest())
        file.chmod(0o600)
