"""The check of the rules for English finds every planted phrase, and leaves quotations alone.

`make check` runs it on this checkout; the texts here are made for the test.
"""

from __future__ import annotations

import pytest

from wording import check_wording


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", '"""A module."""\n'),
        ("a.py", 'LIMIT = 3\n"""Largest number of ports; default: that of the part."""\n'),
        ("a.py", 'MESSAGE = "what is printed is data"\n'),
        ("a.py", "# A comment on `for ever` and for every rank.\n"),
        ("a.py", 'option(help="Number of nodes (default: 16).")\n'),
        ("a.md", "Every node has a route for every other.\n"),
        ("a.md", 'The rule replaces "for ever" by `forever`.\n'),
        (
            "crates/a/src/lib.rs",
            "//! Ports.\n\n/// The ports of a hub,\n/// of which some are free.\n",
        ),
        ("crates/a/src/lib.rs", 'const TEXT: &str = "so many";\n'),
        ("CONTRIBUTING.md", "No nobody.\n"),
    ],
)
def test_good_prose_is_left_alone(name: str, text: str) -> None:
    assert list(check_wording(name, text)) == []


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.py", '"""What a node does."""\n', "'What' has no subject"),
        ("a.py", 'def f():\n    """Return what is left."""\n', "'Return what' has no subject"),
        ("a.py", 'SIZE = 3\n"""Of one frame."""\n', "'Of' has no subject"),
        ("a.py", 'option(help="Who sends to whom.")\n', "'Who' has no subject"),
        ("a.py", 'option(help="Nodes; 16 unless given.")\n', "default: X"),
        ("a.py", "x = 1  # it waits for ever\n", "forever"),
        ("a.py", '"""A wait.\n\nIt may last for\never.\n"""\n', "forever"),
        ("a.md", "Nobody forwards.\n", "name the rank"),
        ("crates/a/README.md", "It waits for ever.\n", "forever"),
        ("crates/a/src/lib.rs", "/// What a node does.\nfn f() {}\n", "'What' has no subject"),
        ("crates/a/src/lib.rs", "//! It may wait for\n//! ever.\n", "forever"),
        ("crates/a/src/lib.rs", "    // No node waits for ever.\n", "forever"),
        ("a.md", "The routes are planned anew.\n", "'again'"),
        ("a.py", "x = 1\n# What a node\n# does.\n", "'What' has no subject"),
        ("a.ts", "/** Returns what\n * is left. */\n", "'Returns what' has no subject"),
        ("a.h", "int n; \n/* Of one frame. */\n", "'Of' has no subject"),
        ("a.rs", "    // What is left\n    // waits.\n", "'What' has no subject"),
        ("a.rs", "/// The peer is told of it.\n", "receives or learns"),
        ("a.md", "After so many hops a packet is dropped.\n", "number"),
        ("a.md", "Whoever reads it answers.\n", "subject"),
    ],
)
def test_bad_prose_is_found(name: str, text: str, words: str) -> None:
    (found,) = check_wording(name, text)
    assert words in found.message
