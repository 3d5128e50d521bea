"""The published JSON Schema of design files; tools/published.py writes it.

It has all rules about single keys; the models check the rules between keys.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from linkwright.design.cluster import described_design
from linkwright.design.parts import CablePart, HubPart, NicPart, NodePart, Slot, SwitchPart
from linkwright.records.docstrings import DescribedSchema

__all__ = ["design_schema", "schema_text"]

_PARTS: dict[str, type[BaseModel]] = {
    "node": NodePart,
    "nic": NicPart,
    "cable": CablePart,
    "hub": HubPart,
    "switch": SwitchPart,
    "root_switch": SwitchPart,
}


def design_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a design file."""
    schema = described_design().model_json_schema(schema_generator=DescribedSchema)
    schema["properties"]["name"].pop("default")
    for role, part in _PARTS.items():
        given, _nothing = schema["$defs"]["PartsSection"]["properties"][role]["anyOf"]
        key, _any_fields = given["anyOf"]
        given["anyOf"] = [key, _fields_of(part)]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Linkwright design",
        "description": "A cluster: topology, parts, addressing, routing and front end.",
    }


def _fields_of(part: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema for a table of any fields of a part, with no field required."""
    properties = part.model_json_schema(schema_generator=DescribedSchema)["properties"]
    fields = {name: field for name, field in properties.items() if name != "role"}
    for field in fields.values():
        field.pop("default", None)  # The catalogue's part has the default.
    if part is NodePart:
        fields |= _FIELDS_OF_NODES
    return {"type": "object", "properties": fields, "additionalProperties": False}


def _whole(most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": most}


def _rows_of_slots() -> dict[str, Any]:
    """Return the JSON Schema for the rows of slots."""
    row = Slot.model_json_schema(schema_generator=DescribedSchema)
    for field in row["properties"].values():
        field.pop("default", None)
    return {"type": "array", "items": row, "maxItems": 64}


_FIELDS_OF_NODES: dict[str, Any] = {
    "built_in": {
        "type": "object",
        "additionalProperties": _whole(64),
        "description": "NICs that the computer has: key -> number. They cost nothing, and are used "
        "before cards.",
    },
    "slots": {
        "anyOf": [_rows_of_slots(), _whole(4096), {"type": "null"}],
        "description": "Slots for NICs: rows, or the number of slots that take any card. Null sets "
        "no limit.",
    },
    "max_nics": {
        "anyOf": [_whole(4096), {"type": "null"}],
        "description": "Number of NICs that fit, of any kind, in place of the two keys above.",
    },
}
"""Fields as a design writes them; the model has the parts of the NICs, and rows only."""


def schema_text() -> str:
    """Return the text of the published schema file."""
    return json.dumps(design_schema(), indent=2) + "\n"
