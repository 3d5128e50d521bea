"""The pages of the Python interface have every public name, so that a new one is not forgotten.

Their example runs. Sphinx, which `make docs` calls, checks that all names on them exist.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs" / "reference" / "python"
CONTENTS = PAGES.with_suffix(".md").read_text(encoding="utf-8")
DIRECTIVE = re.compile(r"^\.\. auto(class|function|data|module):: (\S+)$", re.MULTILINE)
MODULES = (
    "",
    ".calibrations",
    ".engines",
    ".faults",
    ".papers",
    ".placement",
    ".plan",
    ".results",
    ".comparison",
    ".study",
    ".workloads",
)
ELSEWHERE = {
    # The page of calibrations has the constants with their sections.
    "calibrations": "AckRule Compute Cost Count Disk Flag HostCosts InterfaceQueues LinkOptions "
    "Local MeasuredRate Messages PathConstants Quantity Steering TcpOptions Threshold WindowRule "
    "nics stacks",
    # Modules have pages of their own.
    "": "calibrations papers study workloads",
    # Parts of other answers, for the commands.
    "engines": "predictive",
    "papers": "ALL chosen_tables",
    "plan": "Facts findings_of why_not_proved",
}


def documented() -> set[str]:
    """Return the names on the pages, without the modules that define them."""
    found = set()
    for page in PAGES.glob("*.md"):
        for kind, name in DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            if kind == "module":
                found |= set(import_module(name).__all__)
            else:
                found.add(name.rpartition(".")[2])
    return found


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_on_a_page(module: str) -> None:
    names = set(import_module(f"linkwright{module}").__all__)
    elsewhere = set(ELSEWHERE.get(module.lstrip("."), "").split())
    assert elsewhere <= names, "a name that is no longer public"
    assert names - elsewhere <= documented()


def test_every_page_is_in_the_contents() -> None:
    for page in PAGES.glob("*.md"):
        assert f"\npython/{page.stem}\n" in CONTENTS


def test_the_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "torus.yaml").write_text("topology: {kind: torus, shape: [4, 4]}")
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"^```python\n(.*?)^```$", CONTENTS, re.MULTILINE | re.DOTALL)
    exec(compile(example, "python.md", "exec"), {})
    assert re.fullmatch(r"\[0\.0001\d+ 0\.00\d+\]\n", capsys.readouterr().out)
