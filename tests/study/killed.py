"""Runs a study again and again, killed at one file operation after the other.

Arguments: study file, folder for the attempts, first operation and stride, "run" or "merge". For
each operation a child makes the study and is killed there; then another child resumes it. Prints a
line of JSON per operation: its number, the runs done before and made after the kill, the digest of
the merged rows, and what is left among the parts.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

# All is imported before the first fork, and no thread is running.
import duckdb  # noqa: F401
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet

from linkwright.study import StudyFolder, runner
from linkwright.study import worker as work
from linkwright.study.code import code_digest
from linkwright.study.database import Database  # noqa: F401

EVENTS = {"open", "os.rename", "os.remove", "os.mkdir", "os.link", "os.rmdir"}
EXCHANGE = "ctypes.call_function"
"""The exchange of two folders, which names no paths."""


def make(study: str, folder: Path) -> None:
    """Make a study in this process."""
    runner.run(study, folder, jobs=1)


def killed(study: str, folder: Path, nth: int) -> bool:
    """Make a study in a child that is killed at its nth operation; return whether it was."""
    pid = os.fork()
    if not pid:
        count = 0

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal count
            is_ours = event in EVENTS and str(folder.parent) in str(arguments[0])
            if is_ours or event == EXCHANGE:
                count += 1
                if count == nth:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        make(study, folder)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def resumed(study: str, folder: Path) -> dict[str, Any]:
    """Resume a study in a child; return what it found and made."""
    reader, writer = os.pipe()
    if not os.fork():
        made: list[str] = []
        add = work._Rows.add

        def counted(self: Any, planned: Any) -> None:
            made.append(planned.key)
            add(self, planned)

        work._Rows.add = counted  # type: ignore[method-assign]
        before = []
        if (folder / "manifest.json").exists():
            before = [run.key for run in StudyFolder(folder).progressed().done]
        make(study, folder)
        rows = (folder / "merged" / "rows.parquet").read_bytes()
        found = {
            "before": len(before),
            "made": len(made),
            "twice": len(set(before) & set(made)),
            "rows": hashlib.sha256(rows).hexdigest(),
            "left": sorted(file.name for file in (folder / "parts").iterdir()),
        }
        os.write(writer, json.dumps(found).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    os.wait()
    return dict(json.loads(text))


def main() -> None:
    """Kill at every stride-th operation from the first one on."""
    pa.set_cpu_count(1)
    code_digest()
    study, attempts, first, stride = sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:5])
    nth = first
    while True:
        folder = attempts / str(nth)
        if not killed(study, folder, nth):
            break
        print(json.dumps({"nth": nth, **resumed(study, folder)}), flush=True)  # noqa: T201
        nth += stride
    print(json.dumps({"nth": 0, **resumed(study, attempts / "whole")}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
