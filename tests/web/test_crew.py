"""The worker processes: what a request gets whose worker ends.

Requests and their events are in test_following.py.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from linkwright.web.crew import Crew, Line


def test_a_worker_that_cannot_start_is_said_to_have_died(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")

    async def answer() -> list[Line]:
        crew = Crew(tmp_path)
        try:
            return [line async for line in crew.work("tab", {"task": "compare"})]
        finally:
            await crew.close()

    ((name, _),) = asyncio.run(asyncio.wait_for(answer(), 30))
    assert name == "died"
