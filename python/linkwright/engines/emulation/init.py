"""First process of the sandbox in which the nodes' programs run: a namespace of processes and one
of mounts. When it ends, the kernel ends every process in it, and its mounts are gone.

It is run by itself, without the package: one line of JSON comes by standard input, `ready` goes to
standard output, and the end of standard input is the end. Its argument, the name of its owner, is
only for others to read.
"""

import ctypes
import json
import os
import signal
import sys
from pathlib import Path

FOLDER = Path("/dev/shm/linkwright")
"""Where the nodes are found inside; the sandbox has a /dev/shm of its own."""

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
    for kind in ("net", "uts"):
        (FOLDER / kind).mkdir(parents=True)
    for name, net, uts in told["nodes"]:
        for kind, descriptor in (("net", net), ("uts", uts)):
            place = FOLDER / kind / name
            place.touch()
            bind(f"/proc/self/fd/{descriptor}", str(place))
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


def reap() -> None:
    """Take note of children that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


LIBC = ctypes.CDLL(None, use_errno=True)
MS_BIND = 4096


def mount(kind: str, place: str) -> None:
    """Mount a new file system."""
    if LIBC.mount(kind.encode(), place.encode(), kind.encode(), 0, b"mode=0755"):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), place)


def bind(source: str, place: str) -> None:
    """Show a file at another place too."""
    if LIBC.mount(source.encode(), place.encode(), None, MS_BIND, None):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), place)


if __name__ == "__main__":
    main()
