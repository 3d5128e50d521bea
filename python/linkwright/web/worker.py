"""One worker process: reads requests from its standard input, a JSON value a line, and writes
events to its standard output, a name, a tab and a JSON value a line, until its input ends.

`python -m linkwright.web.worker FOLDER [--as-root]` starts it; it reads no file outside of the
folder, whatever a design or a workload names. A request to stop ends the task at its next report; a
task that reports nothing is ended from outside, with its process. A mistake of the package is an
event as well: the terminal of the server shows none.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Mapping
from typing import Any, BinaryIO

from linkwright.emulation.machine import become_root
from linkwright.errors import CapabilityError
from linkwright.files import confined
from linkwright.web.tasks import run_task
from linkwright.web.words import AS_ROOT, DIED, END, MISTAKE, PROGRESS, READY, STOP

__all__ = ["main"]


class _Stopped(BaseException):
    """The task is no longer wanted; no handler of errors takes it for one."""


class _Inbox:
    """Requests, read on their own thread; the end of the input ends the process at once."""

    def __init__(self, stream: BinaryIO) -> None:
        self.requests: queue.Queue[dict[str, Any]] = queue.Queue()
        self.is_stopped = threading.Event()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream: BinaryIO) -> None:
        for line in stream:
            request = json.loads(line)
            if request["task"] == STOP:
                self.is_stopped.set()
            else:
                self.requests.put(request)
        os._exit(0)  # the server is gone, and with it every reader of an answer

    def check(self) -> None:
        """End a task that is no longer wanted."""
        if self.is_stopped.is_set():
            raise _Stopped


def main(folder: str, *options: str) -> None:
    """Work until the input ends, on files of a folder."""
    if AS_ROOT in options:
        with contextlib.suppress(CapabilityError):  # the task gives the reason
            become_root()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a stray print is no event
    inbox = _Inbox(sys.stdin.buffer)
    _write(output, READY, None)
    with confined(folder):
        while True:
            request = inbox.requests.get()
            inbox.is_stopped.clear()
            _work(request, inbox, output)
            _write(output, END, None)


def _work(request: Mapping[str, Any], inbox: _Inbox, output: BinaryIO) -> None:
    """Do one task, as long as it is wanted; tell what is done if the request wants to know."""

    def report(n_done: int, n_all: int, label: str) -> None:
        inbox.check()
        if n_all and request.get("tells_progress"):
            _write(output, PROGRESS, {"done": n_done, "all": n_all, "label": label})

    try:
        for name, data in run_task(request, report):
            _write(output, name, data)
            inbox.check()
    except _Stopped:
        pass
    except Exception:
        _write(output, DIED, {"message": MISTAKE, "hint": traceback.format_exc()})


def _write(output: BinaryIO, name: str, data: Any) -> None:
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    output.write(f"{name}\t{text}\n".encode())
    output.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
