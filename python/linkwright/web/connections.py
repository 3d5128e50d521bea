"""Connections that send no whole request are closed: without this, a program that opens many of
them and sends a letter now and then takes every descriptor of the server.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HEAD_S", "PatientProtocol"]

HEAD_S = 10.0
"""Time for the head of a request, from the connection or from the answer before it."""


class PatientProtocol(H11Protocol):
    """HTTP of uvicorn with a limit for the time of each head; that of bodies is the guard's."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the time of the first head."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Read on; letters of a head do not lengthen its time."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Start the time of the next head."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the time."""
        self._forget()
        super().connection_lost(exc)

    def _watch(self) -> None:
        is_upgraded = self.transport.get_protocol() is not self
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_upgraded or is_answering:
            self._forget()
        elif self._limit is None and not self.transport.is_closing():
            self._await_head()

    def _await_head(self) -> None:
        self._limit = self.loop.call_later(HEAD_S, self.transport.close)

    def _forget(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
        self._limit = None
