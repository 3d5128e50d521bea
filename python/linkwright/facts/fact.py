"""A fact about a machine: the questions that find it, and the reading of their answers.

Answers come from machines that may be broken or hostile. A reader takes any text and any JSON; an
answer that it does not understand is listed as missing and is never an error.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from linkwright.facts.machine import Missing
from linkwright.text.strict_json import strict_json

__all__ = [
    "ROOT", "Answers", "Command", "EachInterface", "Fact", "Files", "Names", "Question",
    "Variables", "kept", "objects", "whole",
]  # fmt: skip

PACKAGES = {"ip": "iproute2", "bridge": "iproute2", "lldpctl": "lldpd", "systemctl": "systemd"}
"""Program -> the package that brings it, where its name is another."""
PASSWORD = "a password is required"
"""Words of `sudo -n` where it would ask."""
DENIED = ("ermission denied", "not permitted", "you must be root")
"""Words of errors that root would not get."""
MOST_MISSING = 100
ROOT = "root, or --sudo"
"""The remedy where only root may ask."""


@dataclass(frozen=True)
class Command:
    """A program and its arguments, run once; as root, where the user asks for it."""

    words: tuple[str, ...]
    as_root: bool = False

    def to_json(self) -> list[Any]:
        """Return the question for the collector."""
        return ["command", list(self.words), self.as_root]


@dataclass(frozen=True)
class EachInterface:
    """A program that is run for every interface; None stands for its name."""

    words: tuple[str | None, ...]

    def to_json(self) -> list[Any]:
        """Return the question for the collector."""
        return ["each", list(self.words)]


@dataclass(frozen=True)
class Files:
    """Small files by a pattern of paths, in which ~ is the home of the user.

    With `lines_with`, only lines leave the machine that set a variable that begins so.
    """

    pattern: str
    lines_with: tuple[str, ...] = ()

    def to_json(self) -> list[Any]:
        """Return the question for the collector."""
        return ["files", self.pattern, list(self.lines_with)]


@dataclass(frozen=True)
class Variables:
    """Variables of the environment at login, by the beginnings of their names."""

    prefixes: tuple[str, ...]

    def to_json(self) -> list[Any]:
        """Return the question for the collector."""
        return ["variables", list(self.prefixes)]


@dataclass(frozen=True)
class Names:
    """Addresses of the names of all other machines."""

    def to_json(self) -> list[Any]:
        """Return the question for the collector."""
        return ["names"]


Question = Command | EachInterface | Files | Variables | Names


@dataclass
class Answers:
    """The answers of one machine to the questions of a fact.

    Attributes
    ----------
    given : mapping
        The answers, as the collector sent them.
    fact : str
        Name of the fact.
    missing : list of Missing
        Answers that are missing or not understood.
    """

    given: Mapping[str, Any]
    fact: str = ""
    missing: list[Missing] = field(default_factory=list)

    def output(
        self, key: str, *, codes: Container[int] = (0,), is_optional: bool = False
    ) -> str | None:
        """Return the output of a command; None if it failed or its program is missing.

        Parameters
        ----------
        key : str
            The question; its first word is the program.
        codes : container of int
            Exit codes of success.
        is_optional : bool
            Whether a machine without the program lacks nothing.
        """
        match self.given.get(key):
            case [int(code), str(output), *_] if code in codes:
                return output
            case [int(), _, str(errors)] if PASSWORD in errors:
                self.miss(f"sudo asks for a password before {key}", "root, or NOPASSWD in sudoers")
            case [int(code), _, str(errors)]:
                last = errors.strip().rpartition("\n")[2][:200]
                is_denied = any(one in errors for one in DENIED)
                self.miss(f"{key} ended with {code}: {last}", ROOT if is_denied else None)
            case None if not is_optional:
                program = key.partition(" ")[0]
                self.miss(f"{key} is not installed", f"install {PACKAGES.get(program, program)}")
        return None

    def outputs(self, key: str) -> dict[str, str]:
        """Return the output for every interface for which the command succeeded."""
        found = self.given.get(key)
        if not isinstance(found, dict):
            return {}
        if found and all(one is None for one in found.values()):
            program = key.partition(" ")[0]
            self.miss(f"{key} is not installed", f"install {PACKAGES.get(program, program)}")
        done = {name: one for name, one in found.items() if isinstance(one, list) and len(one) > 1}
        return {
            name: output
            for name, (code, output, *_) in done.items()
            if code == 0 and isinstance(output, str)
        }

    def files(self, key: str) -> dict[str, str]:
        """Return the files that could be read, without the line end at their ends."""
        found = self.given.get(key)
        if not isinstance(found, dict):
            return {}
        return {path: one.rstrip("\n") for path, one in found.items() if isinstance(one, str)}

    def file(self, key: str) -> str | None:
        """Return the only file of a question, None if it could not be read."""
        return next(iter(self.files(key).values()), None)

    def json(self, key: str, *, is_optional: bool = False) -> Any:
        """Return the value of a command that prints JSON; None if there is none."""
        output = self.output(key, is_optional=is_optional)
        if not output:
            return None
        try:
            return strict_json(output)
        except ValueError:
            self.miss(f"the answer of {key} is not JSON", None)
            return None

    def listed(self, key: str) -> list[dict[str, Any]]:
        """Return the objects of a command that prints a JSON list."""
        found = self.json(key)
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []

    def miss(self, reason: str, needs: str | None) -> None:
        """List a part of the fact as missing."""
        if len(self.missing) < MOST_MISSING:
            self.missing.append(Missing(self.fact, " ".join(reason.split()), needs))


@dataclass(frozen=True)
class Fact:
    """A fact.

    Attributes
    ----------
    name : str
        Its name among missing facts.
    says : str
        A sentence about its content.
    questions : mapping of str to Question
        Questions by the words that messages use for them.
    read : callable
        Returns keys of the facts of a machine, with JSON values; `interfaces` has, by the names of
        interfaces, some of their keys. Values of several facts for one key are merged.
    needs_root : str, optional
        The part that only root finds.
    """

    name: str
    says: str
    questions: Mapping[str, Question]
    read: Callable[[Answers], dict[str, Any]]
    needs_root: str | None = None


def objects(value: Any, key: str) -> list[dict[str, Any]]:
    """Return the objects in a list of an object; none where there is no such list.

    Examples
    --------
    >>> objects({"lldp": [{"name": "eth0"}, 7]}, "lldp"), objects([], "lldp")
    ([{'name': 'eth0'}], [])
    """
    listed = value.get(key) if isinstance(value, dict) else None
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def kept(listed: Sequence[Mapping[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """Return objects with some of their keys."""
    return [{key: one[key] for key in keys if key in one} for one in listed]


def whole(value: Any) -> int | None:
    """Return a whole number that is not negative; None for any other value, and for unknown ones.

    Drivers say -1 for unknown, or 4294967295.

    Examples
    --------
    >>> whole("10000"), whole("-1"), whole(4294967295), whole("8.0 GT/s")
    (10000, None, None, None)
    """
    text = str(value) if isinstance(value, int | str) else ""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None
    return None if number == 0xFFFF_FFFF else number
