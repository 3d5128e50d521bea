"""First process of the sandbox in which the nodes' programs run: namespaces of processes, of mounts
and of System V's shared memory. When it ends, the kernel ends every process in it, and its mounts
are gone.

It is run by itself, without the package: one line of JSON comes by standard input, `ready` goes to
standard output, and the end of standard input is the end. Its argument, the name of its owner, is
only for others to read.
"""

import contextlib
import ctypes
import json
import os
import signal
import sys
from pathlib import Path

FOLDER = Path("/dev/shm/linkwright")
"""Where the nodes are found inside; the sandbox has a /dev/shm of its own."""
TEMPORARY = Path("/tmp")
"""Folder of temporary files: the sandbox has one of its own."""
SESSIONS = ("ompi.", "openmpi-sessions-", "prte.", "pmix-")
"""First parts of the names of session folders of MPI, which other sandboxes have too: their nodes
and processes are called alike.
"""

ENTER = f"""#!/bin/sh
# Runs a command in a node: enter NODE COMMAND [ARGUMENT...]
node="$1"
shift
if [ ! -e "{FOLDER}/net/$node" ]; then
    echo "enter: no node '$node'" >&2
    exit 255
fi
exec nsenter --net="{FOLDER}/net/$node" --uts="{FOLDER}/uts/$node" \\
    unshare --mount --propagation slave "{FOLDER}/inside" "$@"
"""

INSIDE = f"""#!/bin/sh
# Gives a command the node's names and devices: inside COMMAND [ARGUMENT...]
mount --bind "{FOLDER}/hosts" /etc/hosts && mount -t sysfs sysfs /sys && exec "$@"
"""

SHELL = f"""#!/bin/sh
# The remote shell of MPI launchers: rsh [-OPTION...] NODE WORD...
while [ "${{1#-}}" != "$1" ]; do
    shift
done
node="$1"
shift
exec "{FOLDER}/enter" "$node" sh -c "$*"
"""


def main() -> None:
    """Mount the nodes, and wait for the end."""
    told = json.loads(sys.stdin.readline())
    mount("tmpfs", "/dev/shm")
    own_temporary_files()
    for kind in ("net", "uts"):
        (FOLDER / kind).mkdir(parents=True)
    for name, net, uts in told["nodes"]:
        for kind, descriptor in (("net", net), ("uts", uts)):
            place = FOLDER / kind / name
            place.touch()
            attach(f"/proc/self/fd/{descriptor}", str(place), MS_BIND)
            os.close(descriptor)
    for file, text in told["files"].items():
        (FOLDER / file).write_text(text, encoding="utf-8")
    for name, text in (("enter", ENTER), ("inside", INSIDE), ("rsh", SHELL)):
        (FOLDER / name).write_text(text, encoding="utf-8")
        (FOLDER / name).chmod(0o755)
    # Processes that lose their parents become children of this one.
    signal.signal(signal.SIGCHLD, lambda *_: reap())
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()


def own_temporary_files() -> None:
    """Give the sandbox a folder of temporary files of its own.

    Files that the machine has there stay in sight, and stay the machine's: programs may be there,
    and the files that they work on. New ones end with the sandbox.
    """
    own = FOLDER / "tmp"
    own.mkdir(parents=True)
    mount("tmpfs", str(own), "mode=1777")
    for entry in os.scandir(TEMPORARY):
        if not entry.name.startswith(SESSIONS):
            with contextlib.suppress(OSError):  # It has ended meanwhile.
                show(entry, own / entry.name)
    attach(str(own), str(TEMPORARY), MS_MOVE)


def show(entry: "os.DirEntry[str]", place: Path) -> None:
    """Show a file or a folder at another place too."""
    if entry.is_symlink():
        place.symlink_to(Path(entry.path).readlink())
        return
    make, remove = (place.mkdir, place.rmdir) if entry.is_dir() else (place.touch, place.unlink)
    make()
    try:
        attach(entry.path, str(place), MS_BIND | MS_REC)
    except OSError:
        remove()
        raise


def reap() -> None:
    """Take note of children that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


LIBC = ctypes.CDLL(None, use_errno=True)
MS_BIND, MS_MOVE, MS_REC = 4096, 8192, 16384


def mount(kind: str, place: str, options: str = "mode=0755") -> None:
    """Mount a new file system."""
    if LIBC.mount(kind.encode(), place.encode(), kind.encode(), 0, options.encode()):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), place)


def attach(source: str, place: str, how: int) -> None:
    """Show a file at another place too, or move what is mounted at one place to another."""
    if LIBC.mount(os.fsencode(source), os.fsencode(place), None, how, None):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), place)


if __name__ == "__main__":
    main()
