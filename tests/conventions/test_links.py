"""The check of links finds what a reader or a browser would miss in the built pages.

The pages here are made up; `make docs` checks the real ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import links


def findings(folder: Path, body: str, **others: str) -> list[str]:
    """Return the findings about a page beside two others."""
    files = {
        "index.html": body,
        "part/page.html": '<h2 id="known">a</h2><a name="old"></a>',
        "part/index.html": "<p>b</p>",
        "style.css": "p { color: red }",
        **{name.replace("_", "."): text for name, text in others.items()},
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return [str(one) for one in links.check_pages(folder)]


@pytest.mark.parametrize(
    "body",
    [
        '<a href="part/page.html">a</a>',
        '<a href="part/page.html#known">a</a><a href="part/page.html#old">a</a>',
        '<a href="part/">a folder</a>',
        '<p id="here"><a href="#here">a</a><a href="">a</a></p>',
        '<a href="https://example.org/#x">another host</a><a href="mailto:a@example.org">m</a>',
        '<iframe src="part/page.html#state-of-the-page"></iframe>',
        '<link rel="stylesheet" href="style.css?v=1"><img src="data:,">',
        '<link rel="canonical" href="https://example.org/">',
        "<style>p { background: url(data:,) }</style>",
    ],
)
def test_links_in_order(body: str, tmp_path: Path) -> None:
    assert findings(tmp_path, body) == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('<a href="none.html">a</a>', "none.html does not exist"),
        ('<a href="part/page.html#none">a</a>', "no such anchor"),
        ('<a href="#none">a</a>', "no such anchor"),
        ('<a href="../secret.html">a</a>', "lies outside"),
        ('<img src="none.png">', "none.png does not exist"),
        ('<img srcset="style.css 1x, none.png 2x">', "none.png does not exist"),
        ('<img src="https://example.org/a.png">', "another host"),
        ('<script src="//example.org/a.js"></script>', "another host"),
        ('<iframe src="http://example.org/"></iframe>', "another host"),
        ('<link rel="preconnect" href="https://example.org">', "another host"),
        ('<p style="background: url(https://example.org/a.png)">a</p>', "another host"),
        ("<style>@import 'https://example.org/a.css';</style>", "another host"),
    ],
)
def test_faults_are_found(body: str, words: str, tmp_path: Path) -> None:
    (found,) = findings(tmp_path, f"<p>first line</p>\n{body}")
    assert words in found
    assert found.startswith("index.html:2: ")


def test_style_sheets_are_read(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "", more_css="p { src: url('fonts/none.woff') }")
    assert found == "more.css:1: fonts/none.woff does not exist"


def test_pages_that_are_not_built_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["links.py", str(tmp_path)])
    with pytest.raises(SystemExit, match="build them with"):
        links.main()
