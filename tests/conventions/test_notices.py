"""The notices name every crate and script library that the package contains, and no other.

What is read here is made here; that the file of this checkout is current is what `make check` says.
"""

from __future__ import annotations

import notices
from notices import Component

TREE = """\
binding v0.1.0 (/checkout/crates/binding)|Apache-2.0
rayon v1.12.0|MIT OR Apache-2.0
either v1.19.0|MIT/Apache-2.0
rayon v1.12.0|MIT OR Apache-2.0
"""
LOCK = {
    "packages": {
        "": {"devDependencies": {"echarts": "6.1.0", "esbuild": "0.28.2"}},
        "node_modules/echarts": {
            "version": "6.1.0",
            "license": "Apache-2.0",
            "dependencies": {"zrender": "6.1.0"},
        },
        "node_modules/zrender": {"version": "6.1.0", "license": "BSD-3-Clause"},
        "node_modules/esbuild": {"version": "0.28.2", "license": "MIT"},
    }
}
RAYON = Component("rayon", "1.12.0", "MIT OR Apache-2.0")
EITHER = Component("either", "1.19.0", "MIT/Apache-2.0")
ECHARTS = Component("echarts", "6.1.0", "Apache-2.0")


def test_crates_are_those_of_the_tree_that_come_from_a_registry() -> None:
    assert notices.crates_of(TREE) == [EITHER, RAYON]


def test_libraries_are_those_that_the_script_is_made_of() -> None:
    assert notices.libraries_of(LOCK) == [
        ECHARTS,
        Component("zrender", "6.1.0", "BSD-3-Clause"),
    ]


def test_what_was_written_is_in_order_and_a_change_of_the_lock_is_found() -> None:
    text = notices.notices_text([RAYON], [], [ECHARTS], {RAYON: ["The text of MIT.\n"]})
    assert list(notices.stale(text, [RAYON, ECHARTS])) == []
    newer = Component("rayon", "1.13.0", RAYON.licence)
    messages = [one.message for one in notices.stale(text, [newer, EITHER, ECHARTS])]
    assert [message.split(":")[0] for message in messages] == [
        "either 1.19.0 is missing",
        "rayon 1.13.0 is missing",
        "rayon 1.12.0 is not in the package",
    ]


def test_a_text_that_several_share_stands_once() -> None:
    texts = {EITHER: ["Copyright Stone.\nMIT\n"], RAYON: ["Copyright Stone.\n\nMIT"]}
    text = notices.notices_text([EITHER, RAYON], [], [], texts)
    assert text.count("Copyright Stone.") == 1
    assert "either 1.19.0, rayon 1.12.0" in text


def test_of_two_licences_the_shorter_is_taken_and_notices_go_with_it() -> None:
    files = {"LICENSE-APACHE": "long", "LICENSE-MIT": "short", "COPYRIGHT": "who", "lib.rs": "code"}
    assert notices.texts_of(RAYON, files, "A. Uthor") == ["who", "short"]
    assert notices.texts_of(ECHARTS, {"LICENSE": "long", "NOTICE": "who"}, "") == ["long", "who"]


def test_a_crate_without_a_file_gets_the_text_of_mit_with_its_authors() -> None:
    (text,) = notices.texts_of(RAYON, {"README.md": "read me"}, "A. Uthor")
    assert text.startswith("MIT License\n\nCopyright (c) A. Uthor\n")
