"""Registries whose entries are imported on first use.

A command lists all known names, or loads one of thirty workloads, without importing the others; it
starts in a third of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

__all__ = ["Registry", "attribute_of"]

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """A mapping of names to objects, each imported on first use.

    Parameters
    ----------
    package : str
        The package that holds the objects.
    homes : mapping of str to str
        Location of each object, as ``module:attribute`` inside the package.

    Examples
    --------
    >>> errors = Registry("linkwright", {"usage": "errors:UsageError"})
    >>> list(errors), errors["usage"].exit_code
    (['usage'], 2)
    """

    def __init__(self, package: str, homes: Mapping[str, str]) -> None:
        self._package = package
        self._homes = dict(homes)

    def __getitem__(self, name: str) -> T:
        module, _, attribute = self._homes[name].partition(":")
        found: T = getattr(import_module(f"{self._package}.{module}"), attribute)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def named(self, attribute: str) -> str | None:
        """Return the name under which an object is registered, given its own name."""
        for name, home in self._homes.items():
            if home.partition(":")[2] == attribute:
                return name
        return None


def attribute_of(package: str, *registries: Registry[Any]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a package that loads the objects of its registries.

    Examples
    --------
    >>> get = attribute_of("linkwright", Registry("linkwright", {"usage": "errors:UsageError"}))
    >>> get("UsageError").exit_code
    2
    """

    def load(attribute: str) -> Any:
        for registry in registries:
            name = registry.named(attribute)
            if name is not None:
                return registry[name]
        raise AttributeError(f"module '{package}' has no attribute '{attribute}'")

    return load
