"""A fact about a machine: the questions that find it, and the reading of their answers.

Answers come from machines that may be broken or hostile. A reader takes any text and any JSON; what
it does not understand becomes a note, never an error.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from linkwright.text.strict_json import strict_json

__all__ = ["Answers", "Command", "EachInterface", "Fact", "Files", "Question"]


@dataclass(frozen=True)
class Command:
    """A program and its arguments, run once."""

    words: tuple[str, ...]

    def to_json(self) -> list[Any]:
        """Return the question for the collector."""
        return ["command", list(self.words)]


@dataclass(frozen=True)
class EachInterface:
    """A program that is run for every interface; None stands for its name."""

    words: tuple[str | None, ...]

    def to_json(self) -> list[Any]:
        """Return the question for the collector."""
        return ["each", list(self.words)]


@dataclass(frozen=True)
class Files:
    """Small files, by a pattern of paths."""

    pattern: str

    def to_json(self) -> list[Any]:
        """Return the question for the collector."""
        return ["files", self.pattern]


Question = Command | EachInterface | Files


@dataclass
class Answers:
    """The answers of one machine to the questions of a fact, and notes about what is missing.

    Attributes
    ----------
    given : mapping
        The answers, as the collector sent them.
    notes : list of str
        Sentences about answers that are missing or not understood.
    """

    given: Mapping[str, Any]
    notes: list[str] = field(default_factory=list)

    def output(self, key: str, *, codes: Container[int] = (0,)) -> str | None:
        """Return the output of a command; None with a note if it failed or is missing."""
        return self._output(self.given.get(key), key, codes)

    def outputs(self, key: str) -> dict[str, str]:
        """Return the output for every interface for which the command succeeded."""
        found = self.given.get(key)
        if not isinstance(found, dict):
            return {}
        outputs = {name: self._output(one, None, (0,)) for name, one in found.items()}
        return {name: one for name, one in outputs.items() if one is not None}

    def files(self, key: str) -> dict[str, str]:
        """Return the files that could be read, without the line end at their ends."""
        found = self.given.get(key)
        if not isinstance(found, dict):
            return {}
        return {path: one.rstrip("\n") for path, one in found.items() if isinstance(one, str)}

    def listed(self, key: str) -> list[dict[str, Any]]:
        """Return the objects of a command that prints a JSON list."""
        output = self.output(key)
        if not output:
            return []
        try:
            found = strict_json(output)
        except ValueError:
            self.notes.append(f"the answer of {key} is no JSON")
            return []
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []

    def _output(self, found: Any, key: str | None, codes: Container[int]) -> str | None:
        match found:
            case [int(code), str(output), _] if code in codes:
                return output
            case [int(code), _, str(errors)] if key:
                last = errors.strip().rpartition("\n")[2][:200]
                self.notes.append(f"{key} ended with {code}: {last}")
            case None if key:
                self.notes.append(f"{key} is not installed")
        return None


@dataclass(frozen=True)
class Fact:
    """A fact.

    Attributes
    ----------
    name : str
        Its key in the facts of a machine.
    says : str
        A sentence about its content.
    questions : mapping of str to Question
        Questions by the words that notes use for them.
    read : callable
        Returns the fact, a JSON value, for the answers.
    needs_root : bool
        Whether only root finds all of it.
    """

    name: str
    says: str
    questions: Mapping[str, Question]
    read: Callable[[Answers], Any]
    needs_root: bool = False


def kept(objects: Sequence[Mapping[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """Return objects with some of their keys."""
    return [{key: one[key] for key in keys if key in one} for one in objects]
