"""A computation that says nothing for long is no silence, and ends with its reader."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from linkwright.web.beats import Line, with_beats


def test_a_long_stage_has_signs_of_life_and_loses_no_event() -> None:
    async def slow() -> AsyncGenerator[Line, None]:
        yield "check", b"1"
        await asyncio.sleep(0.2)
        yield "price", b"2"

    async def read() -> list[Line]:
        return [line async for line in with_beats(slow(), 0.03)]

    found = asyncio.run(read())
    assert [line for line in found if line[0] != "waiting"] == [("check", b"1"), ("price", b"2")]
    assert found[1] == ("waiting", b'{"seconds": 0}')


def test_a_reader_that_leaves_ends_the_events() -> None:
    ended = []

    async def endless() -> AsyncGenerator[Line, None]:
        try:
            yield "check", b"1"
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def leave(after: str) -> None:
        lines = with_beats(endless(), 0.01)
        async for name, _ in lines:
            if name == after:
                break
        await lines.aclose()

    for after in ("check", "waiting"):
        asyncio.run(leave(after))
    assert ended == [True, True]
