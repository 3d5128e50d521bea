"""Write frontend/src/workbench/answers.ts from the description of the server's answers, or check
that it is up to date (`--check`).

The description is python/linkwright/web/answers.py: classes of keys with their types. What its
types cannot say, such as a class that is no such class, ends the tool.
"""

from __future__ import annotations

import sys
import textwrap
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import (
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from finding import ROOT, Finding, report
from linkwright.web import answers

SCRIPT = ROOT / "frontend/src/workbench/answers.ts"
HEAD = """\
// The answers of the server, by task and event. Written by tools/answers.py from the description in
// python/linkwright/web/answers.py: change that, and run the tool.
"""
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
MOST_COLUMNS = 100


def main() -> int:
    """Write the script, or check it."""
    text = script()
    if sys.argv[1:] == ["--check"]:
        return report("answers", check(SCRIPT, text))
    SCRIPT.write_text(text, encoding="utf-8")
    return 0


def check(path: Path, text: str) -> Iterator[Finding]:
    """Yield a finding if a file has another text."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        yield Finding(name, 1, "not of python/linkwright/web/answers.py: run tools/answers.py")


def script() -> str:
    """Return the text of the script."""
    described = [one for one in vars(answers).values() if is_typeddict(one)]
    parts = [interface(one) for one in described]
    parts += [
        listing("Events", "The events of each address.", answers.EVENTS),
        listing("Common", "The events that every address can have.", answers.COMMON),
        listing("Answers", "The answers of the addresses that answer at once.", answers.ANSWERS),
    ]
    return "\n".join([HEAD, *parts])


def interface(described: type) -> str:
    """Return the interface of a class of keys."""
    hints = get_type_hints(described, include_extras=True)
    lines = [f"  {key}{typed(hint)};" for key, hint in hints.items()]
    assert described.__doc__ is not None
    return "\n".join(
        [comment(described.__doc__), f"export interface {described.__name__} {{", *lines, "}\n"]
    )


def listing(name: str, about: str, types_of: Mapping[str, Any]) -> str:
    """Return the interface of a mapping of names to types, or to such mappings."""
    lines = [comment(about), f"export interface {name} {{"]
    for key, one in types_of.items():
        quoted = key if key.isidentifier() else f'"{key}"'
        if isinstance(one, Mapping):
            lines += [f"  {quoted}: {{", *(f"    {k}{typed(v)};" for k, v in one.items()), "  };"]
        else:
            lines.append(f"  {quoted}{typed(one)};")
    return "\n".join([*lines, "}\n"])


def comment(words: str) -> str:
    """Return a text as a comment of TypeScript."""
    line = f"/** {' '.join(words.split())} */"
    if len(line) <= MOST_COLUMNS:
        return line
    wrapped = textwrap.wrap(" ".join(words.split()), MOST_COLUMNS - 4)
    return "/** " + "\n * ".join(wrapped) + " */"


def typed(hint: Any) -> str:
    """Return the colon of a key with its type; a key that may be missing has a question mark."""
    if get_origin(hint) is NotRequired:
        return f"?: {type_of(get_args(hint)[0])}"
    return f": {type_of(hint)}"


def type_of(hint: Any) -> str:
    """Return a type of Python in TypeScript."""
    if hint is Any:
        return "unknown"
    if hint is None:
        return "null"
    if hint in PLAIN:
        return PLAIN[hint]
    if is_typeddict(hint):
        return str(hint.__name__)
    return composed(get_origin(hint), get_args(hint))


def composed(origin: Any, inner: tuple[Any, ...]) -> str:
    """Return a type that is made of others."""
    if origin is Literal:
        return " | ".join(f'"{one}"' for one in inner)
    found = [type_of(one) for one in inner]
    if origin is list:
        return f"({found[0]})[]" if " " in found[0] else f"{found[0]}[]"
    if origin is dict and found[0] == "string":
        return f"Record<string, {found[1]}>"
    if origin is tuple:
        return f"[{', '.join(found)}]"
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(found))
    raise TypeError(f"{origin} has no type in TypeScript")


if __name__ == "__main__":
    sys.exit(main())
