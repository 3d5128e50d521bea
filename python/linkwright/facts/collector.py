"""Runs questions on a machine and answers with their output: commands with a time limit each, and
small files by pattern.

It runs by itself on the machine, without the package: the questions come as JSON on standard input,
the answers go to standard output as JSON behind a mark. It changes nothing.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

MOST_OF_OUTPUT = 4 << 20
"""Bytes of one command's output that are sent."""
MOST_OF_FILE = 1 << 16
MOST_FILES = 4096
COMMAND_S = 10
INTERFACES = "/sys/class/net"
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/local/sbin"


def run(words: list[str]) -> list[Any] | None:
    """Return exit code, output and errors of a command; None if the machine has no such program."""
    environment = dict(os.environ, PATH=PATH, LC_ALL="C")
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=COMMAND_S,
            env=environment,
            check=False,
        )
    except FileNotFoundError:
        return None
    except subprocess.TimeoutExpired:
        return [-1, "", f"no answer in {COMMAND_S} s"]
    except OSError as error:
        return [-1, "", str(error)]
    return [done.returncode, text(done.stdout), text(done.stderr)[:2000]]


def text(output: bytes) -> str:
    """Return the beginning of an output as text."""
    return output[:MOST_OF_OUTPUT].decode("utf-8", "replace")


def files(pattern: str) -> dict[str, str | None]:
    """Return the content of each file of a pattern, or null where it cannot be read."""
    found: dict[str, str | None] = {}
    for path in sorted(pathlib.Path("/").glob(pattern.lstrip("/")))[:MOST_FILES]:
        try:
            with path.open("rb") as file:
                found[str(path)] = text(file.read(MOST_OF_FILE))
        except OSError:
            found[str(path)] = None
    return found


def interfaces() -> list[str]:
    """Return the names of the interfaces."""
    return sorted(path.name for path in pathlib.Path(INTERFACES).glob("*") if path.is_dir())


def answer(question: list[Any]) -> Any:
    """Return the answer to one question."""
    kind, value = question
    if kind == "files":
        return files(value)
    if kind == "each":
        return {
            name: run([name if word is None else word for word in value]) for name in interfaces()
        }
    return run(value)


def main() -> None:
    """Answer all questions, some at the same time."""
    given = json.load(sys.stdin)
    questions = given["questions"]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = dict(zip(questions, pool.map(answer, questions.values())))  # noqa: B905
    answers = {"answers": found, "is_root": os.geteuid() == 0}
    sys.stdout.write("\n" + given["mark"] + json.dumps(answers))


if __name__ == "__main__":
    main()
