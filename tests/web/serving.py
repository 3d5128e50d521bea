"""A workbench for tests: a server in a process of its own, and the requests of its page.

Other tests, such as those in a browser, start it by `serving`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx

PORT, TOKEN = 8765, "the-secret-of-this-start"
ORIGIN = f"http://127.0.0.1:{PORT}"
OWN = {"x-linkwright-token": TOKEN, "origin": ORIGIN}
TORUS = "topology: {kind: torus, shape: [4, 4]}\nparts: {catalogue: whitney-1998}\n"
TABS = count()
# Interrupts are ignored by what a shell started in the background, and by all that it starts.
START = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from linkwright.cli import main
main()
"""


def follow(number: int = 1, **changes: Any) -> dict[str, Any]:
    """Return the fields of a request for what follows from a design, in a tab of its own."""
    fields = {"tab": f"tab {next(TABS)}", "number": number, "text": TORUS, "name": "torus.yaml"}
    return {
        **fields,
        "workloads": [{"name": "barrier"}],
        "engines": ["analytic"],
        "seed": 1,
        "placement": "row",
        "ranks_per_node": 1,
    } | changes


def events(text: str) -> list[tuple[str, Any]]:
    """Return the events in the text of a stream, without signs of life (test_beats.py)."""
    found = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return [one for one in found if one[0] != "waiting"]


@dataclass(frozen=True)
class Served:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    address: str

    @property
    def base(self) -> str:
        """The address without the secret."""
        return self.address.partition("/?")[0]

    @property
    def own(self) -> Mapping[str, str]:
        """Headers of the page's requests."""
        return {"x-linkwright-token": self.address.partition("token=")[2], "origin": self.base}

    @contextlib.contextmanager
    def stream(self, path: str, fields: Mapping[str, Any]) -> Iterator[httpx.Response]:
        """Open the answer to a request."""
        with httpx.stream(
            "POST", self.base + path, headers=self.own, json=fields, timeout=60
        ) as answer:
            yield answer

    def workers(self) -> list[int]:
        """Return the processes of the server's workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]


@contextlib.contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[Served]:
    """Run `linkwright serve` in a folder; its key is kept there too."""
    command = [sys.executable, "-c", START, "serve", "--no-browser", "--quiet", *arguments]
    own = {**os.environ, "XDG_STATE_HOME": str(folder.resolve() / ".state")}
    with subprocess.Popen(
        command, cwd=folder, env=own, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield Served(process, process.stdout.readline().strip())
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.wait(10)
