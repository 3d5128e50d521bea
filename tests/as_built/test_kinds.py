"""Kinds of findings: each is found by a test, and is on the pages that list them."""

from __future__ import annotations

import re
from pathlib import Path

from linkwright.as_built import KINDS

DOCS = Path("docs")


def test_the_reference_lists_every_kind() -> None:
    rows = re.findall(
        r"^\| `([a-z0-9-]+)` \| (\w+) \| (.+) \|$",
        (DOCS / "reference/verify.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert rows == [(one.name, str(one.severity), one.meaning) for one in KINDS.values()]


def test_the_glossary_defines_every_kind() -> None:
    glossary = (DOCS / "glossary.md").read_text(encoding="utf-8")
    assert [name for name in KINDS if f"\n{name}\n: " not in glossary] == []


def test_every_kind_is_tested() -> None:
    text = "".join(one.read_text(encoding="utf-8") for one in Path("tests/as_built").glob("*.py"))
    assert [name for name in KINDS if f'"{name}"' not in text] == []
