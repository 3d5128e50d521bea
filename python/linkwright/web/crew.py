"""The worker processes: some wait with everything imported, one works for each tab.

A newer request of a tab ends its older one at once, and so does a tab that goes away: by word if
the worker hears it within a moment, else with its process. A new one is started in its place
before it is needed. To start takes a second of a processor: a worker whose task has ended is kept.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Mapping
from pathlib import Path
from typing import Any

from linkwright.web.words import AS_ROOT, DIED, END, READY, REHEARSE, STOP

__all__ = ["Crew", "Line"]

Line = tuple[str, bytes]
"""An event: its name, and its data as JSON text."""

LEAST_IDLE, MOST_IDLE = 1, 2
"""Workers that wait: one that works leaves another behind it, and comes back beside that one."""
MOST_WORKERS = 6
"""Workers in all; further requests wait for one."""
PATIENCE_S = 0.1
"""Time that a worker has to stop by word."""
MOST_LINE = 1 << 28
"""Bytes of one event."""
MOST_TABS = 1000
MOST_COMPLAINTS = 4096
"""Bytes of a dead process's last words."""
ENDED = "the computation ended unexpectedly"


class _Worker:
    """One process, and the events of its present task."""

    def __init__(self, process: asyncio.subprocess.Process, *, is_root: bool) -> None:
        self._process = process
        self.is_root = is_root
        self._lines: asyncio.Queue[Line | None] = asyncio.Queue()
        self.idle = asyncio.Event()
        self.is_dead = False
        self._complaints = b""
        self._complaining = asyncio.create_task(self._read_complaints())
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, folder: Path, *, is_root: bool = False) -> _Worker:
        """Start a process for a folder; it imports its modules while others work."""
        arguments = [str(folder), *([AS_ROOT] if is_root else [])]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "linkwright.web.worker", *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=MOST_LINE,
            start_new_session=True,  # Ctrl-C is for the server
        )
        return cls(process, is_root=is_root)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            name, _, data = line.rstrip(b"\n").partition(b"\t")
            if name.decode() in (READY, END):
                self.idle.set()
                self._lines.put_nowait(None)
            else:
                self._lines.put_nowait((name.decode(), data))
        await asyncio.wait({self._complaining}, timeout=PATIENCE_S)
        self.is_dead = True
        self.idle.set()
        self._lines.put_nowait(None)

    async def run(self, request: Mapping[str, Any]) -> AsyncIterator[Line]:
        """Give a task to the worker and yield its events."""
        if not self.is_dead:  # it can die before its first task
            self.idle.clear()
            lines = self._lines = asyncio.Queue()
            self._send(request)
            while (line := await lines.get()) is not None:
                yield line
        if self.is_dead:
            yield DIED, json.dumps(await self._reason()).encode()

    async def _read_complaints(self) -> None:
        """Keep the end of what the process says; the terminal of the server shows none of it."""
        assert self._process.stderr is not None
        while part := await self._process.stderr.read(1 << 16):
            self._complaints = (self._complaints + part)[-MOST_COMPLAINTS:]

    async def _reason(self) -> dict[str, str]:
        """Return the reason why the process ended."""
        is_killed = await self._process.wait() == -signal.SIGKILL
        words = (
            "the system ended the computation, mostly for lack of memory" if is_killed else ENDED
        )
        return {"message": words, "hint": self._complaints.decode(errors="replace").strip()}

    def give_up(self) -> None:
        """End the events for their reader; the task itself ends by `stop`."""
        self._lines.put_nowait(None)

    async def stop(self) -> None:
        """End the task: by word, or with the process."""
        if self.idle.is_set():
            return
        self._send({"task": STOP})
        try:
            await asyncio.wait_for(self.idle.wait(), PATIENCE_S)
        except TimeoutError:
            await self.kill()

    async def kill(self) -> None:
        """End the process."""
        self.is_dead = True
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reading

    def _send(self, request: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")


class Crew:
    """All workers of a server; they read files in its folder alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._idle: list[_Worker] = []
        self._busy: dict[str, _Worker] = {}
        self._latest: OrderedDict[str, int] = OrderedDict()
        self._room = asyncio.Semaphore(MOST_WORKERS)
        self._stage = asyncio.Semaphore(1)
        self._chores: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def start(self) -> None:
        """Start the workers that must wait."""
        while len(self._idle) < LEAST_IDLE and not self._is_closed:
            self._idle.append(await _Worker.start(self._folder))

    def is_late(self, tab: str, number: int) -> bool:
        """Return whether a tab has made a later request already; else note this one."""
        if number <= self._latest.get(tab, -1):
            return True
        self._latest[tab] = number
        self._latest.move_to_end(tab)
        if len(self._latest) > MOST_TABS:
            self._latest.popitem(last=False)
        return False

    async def work(self, tab: str, request: Mapping[str, Any]) -> AsyncGenerator[Line, None]:
        """Yield the events of a tab's request; its older request ends.

        Parameters
        ----------
        tab : str
            The tab and its purpose, which have one request at a time.
        request : mapping
            A task of tasks.py.
        """
        if older := self._busy.pop(tab, None):
            older.give_up()
        is_root = request["task"] == REHEARSE
        # Rehearsals side by side would take each other's processors.
        async with self._stage if is_root else self._room:
            worker = await (self._rooted() if is_root else self._taken())
            self._busy[tab] = worker
            try:
                async for line in worker.run(request):
                    yield line
            finally:
                if self._busy.get(tab) is worker:
                    del self._busy[tab]
                self._later(self._put_back(worker))

    async def close(self) -> None:
        """End every worker."""
        self._is_closed = True
        # A process that is just being started is ended like the others; a start that is cancelled
        # would leave it behind.
        await asyncio.gather(*self._chores, return_exceptions=True)
        for worker in [*self._idle, *self._busy.values()]:
            await worker.kill()

    async def _rooted(self) -> _Worker:
        worker = await _Worker.start(self._folder, is_root=True)
        await worker.idle.wait()
        return worker

    async def _taken(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop(0)
            if not worker.is_dead:
                break
        else:
            worker = await _Worker.start(self._folder)
        self._later(self.start())
        await worker.idle.wait()
        return worker

    async def _put_back(self, worker: _Worker) -> None:
        await worker.stop()
        is_over = worker.is_dead or worker.is_root or self._is_closed
        if is_over or len(self._idle) >= MOST_IDLE:
            await worker.kill()
        else:
            self._idle.insert(0, worker)  # it is warm
        await self.start()

    def _later(self, chore: Coroutine[Any, Any, None]) -> None:
        """Do a chore while the requests go on; one that is cancelled waits for none."""
        task = asyncio.create_task(chore)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)
