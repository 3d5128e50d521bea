"""The published JSON Schema of design files; tools/published.py writes it.

It holds everything one key can be checked for alone; rules between keys are checked by the models.
"""

from __future__ import annotations

import json
from typing import Any

from linkwright.design.cluster import Cluster
from linkwright.docstrings import DescribedSchema

__all__ = ["design_schema", "schema_text"]


def design_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a design file."""
    schema = Cluster.model_json_schema(schema_generator=DescribedSchema)
    schema["properties"]["name"].pop("default")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Linkwright design",
        "description": "A cluster: topology, parts, addressing, routing and front end.",
    }


def schema_text() -> str:
    """Return the schema as the published file holds it."""
    return json.dumps(design_schema(), indent=2) + "\n"
