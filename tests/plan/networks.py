"""Fixtures of tests of the plan: networks from a few fields, tables as rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from linkwright.design.cluster import Cluster
from linkwright.network import Network, compile  # noqa: A004 - the verb of the field


def network(kind: str, *, sections: Mapping[str, Any] | None = None, **fields: Any) -> Network:
    """Compile a topology; `sections` are the other sections of a design."""
    return compile(Cluster.from_fields({"topology": {"kind": kind, **fields}, **(sections or {})}))


def rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a CSV table by column."""
    return list(csv.DictReader(io.StringIO(text)))


NO_SLOT_LIMIT = {"parts": {"node": "node-without-slot-limit"}}
"""Section of a design whose nodes hold any number of NICs."""
