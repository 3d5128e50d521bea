"""Compare the stub python/linkwright/_core.pyi with the compiled module.

Names, kinds of attribute, parameter names, their order, their kinds and whether they have a
default must agree. Types cannot be read from a compiled module; mypy and the tests of the wrappers
see those.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from finding import ROOT, Finding, report

STUB = "python/linkwright/_core.pyi"
# One parameter: its name, its kind, and whether it may be left out.
Parameter = tuple[str, inspect._ParameterKind, bool]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def main() -> int:
    """Compare the stub of this checkout with the module that is installed."""
    module = importlib.import_module("linkwright._core")
    return report("stubs", compare(ROOT / STUB, module))


def compare(stub: Path, module: ModuleType) -> Iterator[Finding]:
    """Yield where a stub file and a compiled module differ."""
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    functions = {n.name: n for n in tree.body if isinstance(n, Function)}
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    constants = {n for statement in tree.body for n in assigned_names(statement)}
    stubbed = {*functions, *classes, *constants}
    built = {name for name in vars(module) if not name.startswith("_")}
    yield from missing(STUB, 1, "module", stubbed, built)
    for name in functions.keys() & built:
        yield from compare_function(name, functions[name], getattr(module, name), bound=False)
    for name in classes.keys() & built:
        yield from compare_class(classes[name], getattr(module, name))


def assigned_names(statement: ast.stmt) -> list[str]:
    """Return the name that an annotated assignment of a stub declares."""
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    return []


def missing(
    path: str, line: int, where: str, stubbed: set[str], built: set[str]
) -> Iterator[Finding]:
    """Yield names that are on one side only."""
    for name in sorted(stubbed - built):
        yield Finding(path, line, f"{where}: '{name}' is in the stub, not in the module")
    for name in sorted(built - stubbed):
        yield Finding(path, line, f"{where}: '{name}' is in the module, not in the stub")


def compare_class(stub: ast.ClassDef, built: type) -> Iterator[Finding]:
    """Yield where a class differs."""
    methods = {n.name: n for n in stub.body if isinstance(n, Function)}
    attributes = {name for statement in stub.body for name in assigned_names(statement)}
    named = {name for name in {*methods, *attributes} if not name.startswith("_")}
    present = {name for name in vars(built) if not name.startswith("_")}
    if not issubclass(built, BaseException):
        yield from missing(STUB, stub.lineno, stub.name, named, present)
    for name in sorted(named & present & methods.keys()):
        yield from compare_attribute(f"{stub.name}.{name}", methods[name], vars(built)[name])
    constructor = methods.get("__new__", methods.get("__init__"))
    if constructor is not None:
        yield from compare_function(stub.name, constructor, built, bound=True)


def compare_attribute(name: str, stub: Function, built: object) -> Iterator[Finding]:
    """Yield where a method or a property differs."""
    decorators = {ast.unparse(decorator) for decorator in stub.decorator_list}
    is_property = inspect.isgetsetdescriptor(built) or inspect.ismemberdescriptor(built)
    if is_property != ("property" in decorators):
        yield Finding(STUB, stub.lineno, f"{name}: property on one side, method on the other")
    elif not is_property:
        is_static = isinstance(built, staticmethod)
        if is_static != ("staticmethod" in decorators):
            yield Finding(STUB, stub.lineno, f"{name}: static on one side only")
        target = built.__func__ if isinstance(built, staticmethod) else built
        yield from compare_function(name, stub, target, bound=not is_static)


def compare_function(name: str, stub: Function, built: object, *, bound: bool) -> Iterator[Finding]:
    """Yield where the parameters differ; a bound function has its receiver first in the stub."""
    written = stub_parameters(stub)[1 if bound else 0 :]
    try:
        compiled = built_parameters(built)
    except ValueError:
        yield Finding(STUB, stub.lineno, f"{name}: the module gives no signature")
        return
    if written != compiled:
        message = f"{name}: stub has {show(written)}, module has {show(compiled)}"
        yield Finding(STUB, stub.lineno, message)


def stub_parameters(stub: Function) -> list[Parameter]:
    """Return the parameters that a stub declares."""
    arguments = stub.args
    positional = [*arguments.posonlyargs, *arguments.args]
    first_default = len(positional) - len(arguments.defaults)
    listed: list[Parameter] = [
        (
            argument.arg,
            inspect.Parameter.POSITIONAL_ONLY
            if index < len(arguments.posonlyargs)
            else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            index >= first_default,
        )
        for index, argument in enumerate(positional)
    ]
    keyword_only: list[Parameter] = [
        (argument.arg, inspect.Parameter.KEYWORD_ONLY, default is not None)
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return listed + keyword_only


def built_parameters(built: object) -> list[Parameter]:
    """Return the parameters that a compiled callable declares, its receiver left out."""
    signature = inspect.signature(built)  # type: ignore[arg-type]
    return [
        (parameter.name, parameter.kind, parameter.default is not inspect.Parameter.empty)
        for parameter in signature.parameters.values()
        if parameter.name != "self"
    ]


def show(parameters: list[Parameter]) -> str:
    """Return parameters as a person would write them."""
    marks: dict[object, str] = {
        inspect.Parameter.KEYWORD_ONLY: "*",
        inspect.Parameter.POSITIONAL_ONLY: "/",
    }
    names = [f"{marks.get(kind, '')}{name}{'=' if has else ''}" for name, kind, has in parameters]
    return f"({', '.join(names)})"


if __name__ == "__main__":
    sys.exit(main())
