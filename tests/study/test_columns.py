"""The columns of axes: named apart from each other and from the columns of every result."""

from __future__ import annotations

import pytest

from linkwright.results.schema import COLUMNS
from linkwright.study import Study
from linkwright.study.columns import RUN_COLUMNS, axis_columns
from linkwright.study.parts import row_schema

CASES = {
    "workloads: [{name: broadcast, axes: {size_bytes: [1]}}]": {"size_bytes": "size_bytes"},
    "workloads: [{name: permutation, axes: {seed: [1, 2]}}]": {"seed": "axis_seed"},
    "workloads: [{name: barrier}]": {},
}
DESIGN_CASES = {
    "{topology.nodes: [4]}": {"topology.nodes": "topology_nodes"},
    "{parts: [{catalogue: whitney-1998}], parts.nic: [nic]}": {
        "parts": "axis_parts",
        "parts.nic": "nic",
    },
    "{a.x: [1], b.x: [2]}": {"a.x": "a_x", "b.x": "b_x"},
}


def study(design_axes: str = "{}", workloads: str = "workloads: [barrier]") -> Study:
    """Return a study with some axes."""
    topology = "{topology: {kind: switch, nodes: 2}}"
    return Study.parse(f"designs: [{{design: {topology}, axes: {design_axes}}}]\n{workloads}\n")


@pytest.mark.parametrize(
    ("found", "names"),
    [
        *((study(workloads=text), names) for text, names in CASES.items()),
        *((study(text), names) for text, names in DESIGN_CASES.items()),
    ],
)
def test_no_column_of_an_axis_has_the_name_of_another(found: Study, names: dict[str, str]) -> None:
    columns = axis_columns(found)
    assert {path: name for path, (name, _) in columns.items()} == names
    schema = row_schema(dict(columns.values()))
    assert len(set(schema.names)) == len(names) + len(RUN_COLUMNS) + len(COLUMNS)
