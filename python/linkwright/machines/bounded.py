"""Runs a command whose output is bounded while it is read: a machine may print forever.

`subprocess.run` would keep all of it.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from linkwright.errors import RunError

__all__ = ["run_bounded"]

CHUNK = 1 << 16


def run_bounded(
    command: Sequence[str],
    given: bytes,
    *,
    most_bytes: int,
    timeout_s: float | None,
    pass_fds: Sequence[int] = (),
) -> subprocess.CompletedProcess[bytes]:
    """Run a command and return its outputs.

    Parameters
    ----------
    command : sequence of str
    given : bytes
        Its standard input.
    most_bytes : int
        Longest output, and longest error output.
    timeout_s : float, optional
        Time after which it is killed. Default: no limit.
    pass_fds : sequence of int
        Descriptors that it needs.

    Raises
    ------
    subprocess.TimeoutExpired
        If it does not end in time.
    RunError
        If it prints more.
    """
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, bufsize=0, pass_fds=pass_fds, **pipes) as process:
        try:
            deadline = None if timeout_s is None else time.monotonic() + timeout_s
            outputs = _exchange(process, given, most_bytes, deadline)
            process.wait(None if deadline is None else max(0, deadline - time.monotonic()))
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, *outputs)


def _exchange(
    process: subprocess.Popen[bytes], given: bytes, most_bytes: int, deadline: float | None
) -> tuple[bytes, bytes]:
    """Write the input and read both outputs until their ends."""
    assert process.stdin is not None
    left = memoryview(given)
    outputs = {process.stdout: bytearray(), process.stderr: bytearray()}
    with selectors.DefaultSelector() as selector:
        os.set_blocking(process.stdin.fileno(), False)
        selector.register(process.stdin, selectors.EVENT_WRITE)
        for pipe in outputs:
            selector.register(pipe, selectors.EVENT_READ)  # type: ignore[arg-type]  # a pipe
        while selector.get_map():
            wait_s = None if deadline is None else deadline - time.monotonic()
            if wait_s is not None and wait_s <= 0:
                raise subprocess.TimeoutExpired(process.args, 0)
            for key, _ in selector.select(wait_s):
                if key.fileobj is process.stdin:
                    left = left[_written(key.fd, left) :]
                    if not left:
                        selector.unregister(process.stdin)
                        process.stdin.close()
                    continue
                chunk = os.read(key.fd, CHUNK)
                output = outputs[key.fileobj]  # type: ignore[index]  # a pipe
                output += chunk
                if not chunk:
                    selector.unregister(key.fileobj)
                if len(output) > most_bytes:
                    raise RunError(
                        f"it prints more than {most_bytes:,} bytes",
                        "check what runs there at login, and the program",
                    )
    stdout, stderr = map(bytes, outputs.values())
    return stdout, stderr


def _written(descriptor: int, data: memoryview) -> int:
    """Write some of the data; return its length, or that of all if the reader has gone."""
    try:
        return os.write(descriptor, data[:CHUNK])
    except BlockingIOError:
        return 0
    except BrokenPipeError:
        return len(data)
