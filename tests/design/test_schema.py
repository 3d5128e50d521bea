"""The published schema is current, and agrees with the models on what is a design.

Rules between keys are left to the models.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from linkwright.design.addressing import SCHEMES
from linkwright.design.cluster import AddressingSection
from linkwright.design.document import read_document
from linkwright.design.schema import design_schema, schema_text
from linkwright.design.topologies import TOPOLOGIES

PUBLISHED = Path(__file__).parents[2] / "schema" / "design.schema.json"


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return design_schema()


def test_the_published_file_is_current() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(), "run `make golden`"


def test_every_registered_kind_and_scheme_is_in_the_schema(schema: dict[str, Any]) -> None:
    assert set(schema["properties"]["topology"]["discriminator"]["mapping"]) == set(TOPOLOGIES)
    accepted = AddressingSection.model_json_schema()["properties"]["scheme"]["anyOf"][0]["enum"]
    assert set(accepted) == set(SCHEMES)


GOOD = [
    "topology: {kind: direct}",
    "topology: {kind: tree, nodes: 16}\nparts: {switch: {ports: [24]}, nic: gigabit-nic}",
    "topology: {kind: p-mesh, shape: [4, 4]}\naddressing: {ipv6: true}\nfront_end: true",
    "topology: {kind: direct}\nparts: {nic: {rate_mbps: 2500, name: a NIC}, node: {max_nics: 3}}",
]
BAD = [
    "name: x",
    "topology: {kind: rings}",
    "topology: {kind: torus, shape: [0]}",
    "topology: {kind: direct}\nfrontend: true",
    "topology: {kind: hub, nodes: 10000000}",
    "topology: {kind: direct}\nparts: {nic: {rate_mbps: 1e-9}}",
    "topology: {kind: direct}\nparts: {nic: {ratembps: 100}}",
    "topology: {kind: direct}\nparts: {node: {max_nics: 1000000000000000000000000000000}}",
]


@pytest.mark.parametrize("text", GOOD)
def test_accepts(text: str, schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(schema).validate(read_document(text, "design"))


@pytest.mark.parametrize("text", BAD)
def test_refuses(text: str, schema: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(read_document(text, "design"))
