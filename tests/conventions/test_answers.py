"""The scripts of the workbench have the types of the description of the server's answers."""

from __future__ import annotations

from pathlib import Path

import pytest

import answers


def test_the_script_is_that_of_the_description() -> None:
    assert not list(answers.check(answers.SCRIPT, answers.script()))


def test_a_stale_script_is_found(tmp_path: Path) -> None:
    stale = tmp_path / "answers.ts"
    for text in (answers.script() + " ", ""):
        stale.write_text(text)
        [finding] = answers.check(stale, answers.script())
        assert "run tools/answers.py" in finding.message


def test_types_of_python_are_types_of_typescript() -> None:
    assert answers.type_of(list[int | None]) == "(number | null)[]"
    assert answers.type_of(dict[str, list[str]]) == "Record<string, string[]>"
    assert answers.type_of(tuple[int, float]) == "[number, number]"
    with pytest.raises(TypeError, match="has no type in TypeScript"):
        answers.type_of(set[int])
