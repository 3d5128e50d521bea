"""A long text that is made piece by piece each time it is read, so that it is never whole in
memory while it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from linkwright.files.writing import utf8

__all__ = ["Content", "Pieces", "byte_pieces"]


class Pieces:
    """A text in pieces.

    Parameters
    ----------
    make : callable
        Yields the pieces in order, the same at each call.

    Examples
    --------
    >>> text = Pieces(lambda: iter(["a", "b"]))
    >>> list(text), str(text)
    (['a', 'b'], 'ab')
    """

    def __init__(self, make: Callable[[], Iterator[str]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[str]:
        return self._make()

    def __str__(self) -> str:
        return "".join(self._make())


Content = str | bytes | Pieces
"""Content of a file; text becomes UTF-8."""


def byte_pieces(content: Content) -> Iterator[bytes]:
    """Yield the bytes of a file's content: in one piece, unless it is made piece by piece."""
    if isinstance(content, bytes):
        yield content
    else:
        yield from map(utf8, [content] if isinstance(content, str) else content)
