"""The docstrings below the fields of a model, read from its source on demand.

Pydantic can read them when each class is made (`use_attribute_docstrings`); that took a third of
the time to start the command line, which never shows them.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Mapping

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

__all__ = ["DescribedSchema", "field_docstrings"]


def field_docstrings(model: type[BaseModel]) -> Mapping[str, str]:
    """Return the docstring of each field that has one, including fields of base classes.

    Examples
    --------
    >>> from linkwright.calibrations import TcpOptions
    >>> field_docstrings(TcpOptions)["initial_window"].partition(",")[0]
    'Congestion window of a new or idle connection'
    """
    found: dict[str, str] = {}
    for part in reversed(model.__mro__):
        if issubclass(part, BaseModel) and part is not BaseModel:
            found |= _own_docstrings(part)
    return {name: found[name] for name in model.model_fields if name in found}


def _own_docstrings(model: type[BaseModel]) -> dict[str, str]:
    source = textwrap.dedent(inspect.getsource(model))
    (statement,) = ast.parse(source).body
    assert isinstance(statement, ast.ClassDef), "the source of a class is its definition"
    pairs = zip(statement.body, statement.body[1:], strict=False)
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairs
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(text.value.value, str)
    }


class DescribedSchema(GenerateJsonSchema):
    """JSON Schema in which docstrings describe the fields that have no other description."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Return the schema of one model."""
        found = super().model_schema(schema)
        fields = schema["cls"].model_fields
        for name, text in field_docstrings(schema["cls"]).items():
            found["properties"][fields[name].alias or name].setdefault("description", text)
        return found
