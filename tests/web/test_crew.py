"""The worker processes: what a request gets whose worker ends.

Requests and their events are in test_following.py.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

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


def test_requests_that_follow_each_other_have_the_same_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start takes longer than most tasks: none is needed between tasks that have ended."""
    starts, start = [], asyncio.create_subprocess_exec

    async def counted(*command: str, **options: Any) -> asyncio.subprocess.Process:
        starts.append(command)
        return await start(*command, **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", counted)
    refused = {"task": "follow", "text": "topology: {}", "folder": str(tmp_path)}

    async def ask() -> None:
        crew = Crew(tmp_path)
        try:
            for _ in range(4):
                assert [name async for name, _ in crew.work("tab", refused)] == ["refused"]
        finally:
            await crew.close()

    asyncio.run(asyncio.wait_for(ask(), 60))
    assert len(starts) == 2


def test_a_mistake_of_the_package_is_an_event_and_no_text_on_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A task without its fields stands for every mistake that is not the user's."""

    async def answer() -> list[Line]:
        crew = Crew(tmp_path)
        try:
            return [line async for line in crew.work("tab", {"task": "follow"})]
        finally:
            await crew.close()

    ((name, data),) = asyncio.run(asyncio.wait_for(answer(), 60))
    assert name == "died"
    said = json.loads(data)
    assert "please report" in said["message"]
    assert "KeyError: 'text'" in said["hint"]
    assert capfd.readouterr() == ("", "")
