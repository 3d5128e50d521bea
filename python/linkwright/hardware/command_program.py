"""A command of the user on a machine, with files in a temporary folder and settings of jobs.

It runs by itself on the machine, with Python's standard library alone. Standard input holds a line
of JSON, {"files", "environment", "words"}, and its end is that of the command. The folder is
removed, and the processes of the command are ended, by a process of its own session, also if this
one is killed.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = "{folder}"
"""Text in values of the environment that stands for the temporary folder."""
LOOK_S = 0.1
NOT_FOUND = 127


def guarded(folder: str) -> int:
    """Start the process that removes the folder; return a pipe that ends with this process.

    The number of the command's process group is written to the pipe.
    """
    reads, writes = os.pipe()
    if os.fork():
        os.close(reads)
        return writes
    os.setsid()
    os.close(writes)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    with os.fdopen(reads) as lines:
        groups = [int(line) for line in lines]
    for group in groups:
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def ran(given: Any, folder: str, writes: int) -> int:
    """Run the command; return its exit code."""
    for name, text in given["files"].items():
        Path(folder, name).write_text(text, encoding="utf-8")
    own = {name: value.replace(FOLDER, folder) for name, value in given["environment"].items()}
    try:
        command = subprocess.Popen(
            given["words"],
            env=dict(os.environ, **own),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        sys.stderr.write("{}: {}\n".format(given["words"][0], error.strerror))
        return NOT_FOUND
    os.write(writes, b"%d\n" % command.pid)
    while command.poll() is None:
        if select.select([0], [], [], LOOK_S)[0] and not os.read(0, 1 << 16):
            return 128 + signal.SIGHUP
    return command.returncode if command.returncode >= 0 else 128 - command.returncode


def main() -> None:
    """Run the command of standard input."""
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(0, 1) or os._exit(1)
    folder = tempfile.mkdtemp(prefix="linkwright-")
    writes = guarded(folder)
    code = ran(json.loads(line), folder, writes)
    # The other process removes the folder, and only then is the command over.
    os.close(writes)
    with contextlib.suppress(ChildProcessError):
        os.wait()
    sys.exit(code)


if __name__ == "__main__":
    main()
