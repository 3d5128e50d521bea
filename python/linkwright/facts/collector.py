"""Answers questions about the machine that it runs on: outputs of commands, small files, variables
of the environment, and names as resolved.

It runs by itself, without the package, on Python 3.7 or later: the questions come as JSON on
standard input, the answers go to standard output as JSON behind a mark. It changes nothing. All
outputs are bounded while they are read, and every command has a time limit.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

MOST_OF_OUTPUT = 4 << 20
"""Bytes of one command's output; a command that prints more is ended."""
MOST_OF_ERRORS = 2000
MOST_OF_FILE = 1 << 16
MOST_FILES = 4096
MOST_INTERFACES = 512
COMMAND_S = 10
NAMES_S = 2
"""Time for all names together."""
ALL_S = 3600
"""Time for all questions; the caller ends the program before."""
INTERFACES = "/sys/class/net"
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/local/sbin"
ENVIRONMENT = dict(os.environ, PATH=PATH, LC_ALL="C")


def run(words: list[str]) -> list[Any] | None:
    """Return exit code, output and errors of a command; None if the machine has no such program."""
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
    except FileNotFoundError:
        return None
    except OSError as error:
        return [-1, "", str(error)]
    with process:
        try:
            output, errors, reason = drained(process)
        finally:
            process.kill()
    return [-1, "", reason] if reason else [process.returncode, text(output), text(errors)]


def drained(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes, str]:
    """Return output and errors of a command, and the reason if it has to be ended."""
    rooms: dict[Any, int] = {process.stdout: MOST_OF_OUTPUT, process.stderr: MOST_OF_ERRORS}
    found = dict.fromkeys(rooms, b"")
    deadline = time.monotonic() + COMMAND_S
    reason = ""
    with selectors.DefaultSelector() as selector:
        for pipe in rooms:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map() and not reason:
            for key, _ in selector.select(max(0, deadline - time.monotonic())):
                chunk = os.read(key.fd, 1 << 16)
                found[key.fileobj] += chunk[: rooms[key.fileobj] - len(found[key.fileobj]) + 1]
                if not chunk:
                    selector.unregister(key.fileobj)
            if len(found[process.stdout]) > MOST_OF_OUTPUT:
                reason = f"it prints more than {MOST_OF_OUTPUT:,} bytes"
            elif time.monotonic() > deadline:
                reason = f"no answer in {COMMAND_S} s"
    while process.poll() is None and not reason:
        time.sleep(0.01)
        reason = f"no answer in {COMMAND_S} s" if time.monotonic() > deadline else ""
    return found[process.stdout], found[process.stderr], reason


def text(output: bytes) -> str:
    """Return an output as text."""
    return output.decode("utf-8", "replace")


def files(pattern: str, prefixes: list[str], as_root: bool) -> dict[str, str | None]:
    """Return the content of each file of a pattern, or null where it cannot be read."""
    found: dict[str, str | None] = {}
    try:
        path = str(pathlib.Path(pattern).expanduser()).lstrip("/")
    except RuntimeError:  # the user has no home
        return found
    for one in sorted(pathlib.Path("/").glob(path))[:MOST_FILES]:
        if not one.is_dir():
            content = content_of(one, as_root)
            found[str(one)] = matching(content, prefixes) if content and prefixes else content
    return found


def content_of(path: pathlib.Path, as_root: bool) -> str | None:
    """Return the beginning of a file; null if it cannot be read."""
    try:
        if not path.is_file():  # opening a named pipe would wait for its writer
            return None
        with path.open("rb") as file:
            return text(file.read(MOST_OF_FILE))
    except PermissionError:
        words = ["sudo", "-n", "head", "-c", str(MOST_OF_FILE), str(path)]
        answer = run(words) if as_root else None
        return answer[1] if answer and answer[0] == 0 else None
    except OSError:
        return None


def matching(content: str, prefixes: list[str]) -> str:
    """Return the lines that set a variable that begins with one of some words."""
    words = "|".join(map(re.escape, prefixes))
    line = re.compile(rf"^\s*(export\s+|setenv\s+)?({words})\w*[\s=]")
    return "\n".join(one for one in content.split("\n") if line.match(one))


def variables(prefixes: list[str]) -> dict[str, str]:
    """Return variables of a program that ssh starts, and those that a login shell adds."""
    answer = run([os.environ.get("SHELL") or "/bin/sh", "-lc", "env -0"])
    added = answer[1].split("\0") if answer and answer[0] == 0 else []
    pairs = [*os.environ.items(), *(one.partition("=")[::2] for one in added)]
    return {name: value for name, value in pairs if name.startswith(tuple(prefixes))}


def resolved(names: list[str]) -> dict[str, list[str] | None]:
    """Return the addresses of names; null for those whose resolver does not answer in time."""
    found: dict[str, list[str] | None] = dict.fromkeys(names)

    def resolve(name: str) -> None:
        try:
            entries = socket.getaddrinfo(name, None, proto=socket.IPPROTO_TCP)
            found[name] = sorted({str(entry[4][0]) for entry in entries})
        except (OSError, UnicodeError, IndexError):
            found[name] = []

    at_once(resolve, names, n_threads=8, longest_s=NAMES_S)
    return dict(found)


def at_once(
    work: Callable[[str], None], values: list[str], n_threads: int, longest_s: float
) -> None:
    """Call a function with each value on some threads, and leave those that take too long alone."""
    waiting = list(values)

    def take() -> None:
        while waiting:
            try:
                value = waiting.pop(0)
            except IndexError:  # another thread was faster
                return
            work(value)

    # Threads that end with the program: a resolver may never answer.
    threads = [threading.Thread(target=take, daemon=True) for _ in range(n_threads)]
    deadline = time.monotonic() + longest_s
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0, deadline - time.monotonic()))
    waiting.clear()


def interfaces() -> list[str]:
    """Return the names of the interfaces, those of devices first."""
    paths = [path for path in pathlib.Path(INTERFACES).glob("*") if path.is_dir()]
    paths.sort(key=lambda path: (not (path / "device").exists(), path.name))
    return [path.name for path in paths[:MOST_INTERFACES]]


def answer(question: list[Any], given: dict[str, Any]) -> Any:
    """Return the answer to one question."""
    kind, *values = question
    as_root = given["sudo"] and os.geteuid() != 0
    if kind == "files":
        pattern, prefixes = values
        return files(pattern, prefixes, as_root)
    if kind == "each":
        words = values[0]
        return {
            name: run([name if word is None else word for word in words]) for name in interfaces()
        }
    if kind == "variables":
        return variables(*values)
    if kind == "names":
        return resolved(given["names"])
    words, needs_root = values
    by_sudo = run(["sudo", "-n", *words]) if needs_root and as_root else None
    return run(words) if by_sudo is None else by_sudo


def main() -> None:
    """Answer all questions, some at the same time."""
    clock_s = time.time()
    given = json.load(sys.stdin)
    questions, answers = given["questions"], {}

    def ask(key: str) -> None:
        answers[key] = answer(questions[key], given)

    at_once(ask, list(questions), n_threads=4, longest_s=ALL_S)
    by_sudo = run(["sudo", "-n", "true"]) if given["sudo"] else None
    is_root = os.geteuid() == 0 or bool(by_sudo and by_sudo[0] == 0)
    sent = {"answers": answers, "is_root": is_root, "clock_s": clock_s}
    sys.stdout.write("\n" + given["mark"] + json.dumps(sent))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
