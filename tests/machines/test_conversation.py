"""Programs that say too much, nothing, or no JSON: each ends the conversation with its reason."""

from __future__ import annotations

import threading
import time

import pytest

from linkwright.errors import RunError
from linkwright.machines import Local, conversation
from linkwright.machines.agents import Agent

BEGIN = """
import json, os, time
line = b""
while not line.endswith(b"\\n"):
    line += os.read(0, 1)
mark = json.loads(line)["mark"]
print(mark + "1", flush=True)
os.read(0, 1 << 16)
"""


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ("while True: print('x' * 65536, end='', flush=True)", "says a line of more than"),
        ("os.close(1); time.sleep(60)", "has ended without an answer"),
        ("print(mark + '{', flush=True); time.sleep(60)", "an answer that is not JSON"),
    ],
)
def test_a_program_without_an_answer_is_left(
    end: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "END_S", 0.1)
    agent = Agent(Local("n0"), BEGIN + end, {}).start()
    begin_s = time.monotonic()
    try:
        with pytest.raises(RunError, match=f"n0: .*{reason}"):
            agent.work("play", None, threading.Event())
    finally:
        agent.end()
    assert time.monotonic() - begin_s < 10
