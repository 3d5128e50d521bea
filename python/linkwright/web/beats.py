"""Signs of life in a stream of events: a stage that takes long is no silence."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator

from linkwright.web.words import PROGRESS, WAITING

__all__ = ["with_beats"]

BEAT_S = 8.0
"""Time without an event after which the stream says that the computation lives."""

Line = tuple[str, bytes]


async def with_beats(
    lines: AsyncGenerator[Line, None], beat_s: float = BEAT_S
) -> AsyncGenerator[Line, None]:
    """Yield events as they come, and while none comes the age of the present stage.

    Parameters
    ----------
    lines : async generator
        Events; it is closed when the reader leaves.
    beat_s : float
        Time between two signs of life, in s.
    """
    coming: asyncio.Task[Line | None] | None = None
    begun = time.monotonic()
    try:
        while True:
            coming = coming or asyncio.create_task(_next(lines))
            done, _ = await asyncio.wait({coming}, timeout=beat_s)
            if not done:
                yield WAITING, json.dumps({"seconds": round(time.monotonic() - begun)}).encode()
                continue
            line, coming = coming.result(), None
            if line is None:
                return
            if line[0] != PROGRESS:
                begun = time.monotonic()
            yield line
    finally:
        if coming is not None:
            coming.cancel()
            await asyncio.wait({coming})
        await lines.aclose()


async def _next(lines: AsyncGenerator[Line, None]) -> Line | None:
    """Return the next event; None at the end."""
    return await anext(lines, None)
