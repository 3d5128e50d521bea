"""The facts of all machines of a cluster, as one JSON file: written, read again, and checked.

A file is read as strictly as a design: a value of another type is an error with its place.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field, TypeAdapter, ValidationError

from linkwright.errors import UsageError, shown, shown_path
from linkwright.facts.machine import MachineFacts
from linkwright.facts.values import Few, Many, Name, Record, Text, as_json
from linkwright.files import MEBIBYTE, read_text
from linkwright.records.validation import each_mistake, rule_and_remedy
from linkwright.text.strict_json import strict_json
from linkwright.version import VERSION

__all__ = ["Cable", "ClusterFacts", "facts_schema_text"]

HINT = "make one: linkwright facts HOSTS -o facts.json"
SCHEMA = 1
"""Version of the file of facts."""
MOST_BYTES = 256 * MEBIBYTE


@dataclass(frozen=True)
class Cable(Record):
    """A cable that a probe has found.

    Attributes
    ----------
    ends : tuple of (str, str)
        Machine and interface of each end; more than two hear each other behind a switch.
    evidence : str
        The way in which it was found: `probe`.
    certainty : str
        `sure`; `likely` if one direction was heard; `shared` with more than two ends.
    """

    ends: Annotated[tuple[tuple[Name, Name], ...], Field(min_length=2, max_length=4096)]
    evidence: Text
    certainty: Text


@dataclass(frozen=True)
class ClusterFacts(Record):
    """The facts of all machines, and the time at which they were asked.

    Attributes
    ----------
    when : str
        Date and time in UTC, ISO 8601.
    machines : tuple of MachineFacts
        In the order in which they were named.
    cables : tuple of Cable
        Cables that a probe has found; empty without one.
    """

    when: Text
    machines: Few[MachineFacts]
    cables: Many[Cable] = ()
    shows_unknown: ClassVar[bool] = True

    def to_json(self) -> dict[str, Any]:
        """Return the facts as a JSON value; a machine that answered has no `failure`."""
        found: dict[str, Any] = {"schema": SCHEMA, "version": VERSION, **as_json(self)}
        for machine in found["machines"]:
            if machine["failure"] is None:
                del machine["failure"]
        return found

    def joined(self, others: Sequence[MachineFacts], names: Sequence[str]) -> ClusterFacts:
        """Return these facts with other machines among them, in the order of their names."""
        by_name = {one.name: one for one in (*self.machines, *others)}
        return replace(self, machines=tuple(by_name[name] for name in names))

    @classmethod
    def load(cls, path: str | Path) -> ClusterFacts:
        """Return the facts of a file.

        Raises
        ------
        UsageError
            If the file does not have this form: the message names machine and key.
        """
        return cls.parse(read_text(path, "facts", most_bytes=MOST_BYTES, hint=HINT), path)

    @classmethod
    def parse(cls, text: str, where: str | Path = "facts") -> ClusterFacts:
        """Return the facts of a text; `where` names it in messages.

        Raises
        ------
        UsageError
            If the text does not have this form.
        """
        try:
            given = strict_json(text)
        except ValueError:
            given = None
        if not isinstance(given, dict) or "schema" not in given:
            raise UsageError(f"{shown_path(where)} is no file of facts", HINT)
        if given["schema"] != SCHEMA or isinstance(given["schema"], bool):
            raise UsageError(
                f"{shown_path(where)} has facts of schema {shown(given['schema'])}, not {SCHEMA}",
                "ask the machines with this version",
            )
        return _checked(given, shown_path(where))


def facts_schema_text() -> str:
    """Return the text of the published schema of files of facts (JSON Schema, draft 2020-12)."""
    found = _adapter().json_schema()
    own = {
        "schema": {"const": SCHEMA, "description": "Version of this form."},
        "version": {"type": "string", "description": "Version of Linkwright that wrote the file."},
    }
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **found,
        "properties": own | found["properties"],
        "required": ["schema", *found["required"]],
        "title": "Linkwright facts",
        "description": "Facts of the machines of a cluster, as `linkwright facts` writes them.",
    }
    return json.dumps(head, indent=2) + "\n"


def _checked(given: dict[str, Any], where: str) -> ClusterFacts:
    try:
        found = _adapter().validate_python(given)
    except ValidationError as error:
        first = each_mistake(error)[0]
        place = f"{where}: {_place(given, first['loc'])}"
        raise UsageError(*rule_and_remedy(first, place)) from None
    names = [one.name for one in found.machines]
    twice = next((one for one in names if names.count(one) > 1), None)
    if twice is not None:
        raise UsageError(f"{where}: the machine {shown(twice)} is there twice", HINT)
    return found


@cache
def _adapter() -> TypeAdapter[ClusterFacts]:
    return TypeAdapter(ClusterFacts)


def _place(given: dict[str, Any], location: tuple[str | int, ...]) -> str:
    """Return the place of a mistake: the machine by its name, and the keys below it."""
    keys = list(location)
    before = ""
    if len(keys) > 2 and keys[0] == "machines" and isinstance(keys[1], int):
        machine = given["machines"][keys[1]]
        name = machine.get("name") if isinstance(machine, dict) else None
        before = f"machine {shown(name) if isinstance(name, str) else keys[1]}: "
        keys = keys[2:]
    words = (f"[{one}]" if isinstance(one, int) else f".{one}" for one in keys)
    return before + shown("".join(words).lstrip("."), 120).strip("'")
