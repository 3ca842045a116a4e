"""Limits on connections: a client that is slow to ask or to read its answer is cut off, and one too many is refused."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from linnet.serving.http.connections.refusing import answer_to_no_http, refuse_connection

__all__ = ["PatientProtocol", "build_protocol"]


class PatientProtocol(H11Protocol):
    """HTTP over one connection, with a deadline while nothing is asked and one while nothing is read."""

    seconds = 30.0
    most_connections = 1000
    _asking: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    @property
    def app(self) -> Any:  # an ASGI application
        """What answers a request: the service, or a refusal if there are too many connections."""
        return refuse_connection if len(self.connections) > self.most_connections else self._app

    @app.setter
    def app(self, app: Any) -> None:
        self._app = app

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP as everything is refused; an answer that has begun is cut off."""
        self.transport.write(answer_to_no_http(self.conn))
        self.transport.close()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._watch_asking()

    def data_received(self, data: bytes) -> None:
        """Take bytes; they put a deadline off if they complete the head of a request."""
        super().data_received(data)
        self._watch_asking()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._watch_asking()

    def pause_writing(self) -> None:
        """Begin to wait for the client to read."""
        super().pause_writing()
        self._reading = self._cut_off_later()

    def resume_writing(self) -> None:
        """Go on with the answer."""
        super().resume_writing()
        self._stop_timer("_reading")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_timer("_asking")
        super().connection_lost(exc)
        self._stop_timer("_reading")

    def _watch_asking(self) -> None:
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_answering or self.transport.is_closing():
            self._stop_timer("_asking")
        elif self._asking is None:
            self._asking = self._cut_off_later()

    def _cut_off_later(self) -> asyncio.TimerHandle:
        return self.loop.call_later(self.seconds, self.transport.abort)

    def _stop_timer(self, name: str) -> None:
        timer: asyncio.TimerHandle | None = getattr(self, name)
        if timer is not None:
            timer.cancel()
            setattr(self, name, None)


def build_protocol(seconds: float, most_connections: int) -> type[PatientProtocol]:
    """Return a protocol for uvicorn that cuts a connection off after this time without progress, and has so many.

    Progress is a complete head of a request, which an attacker may send byte by byte, and an answer that leaves this
    machine. Bodies have a time limit of their own, which is answered with 408.
    """
    limits = {"seconds": seconds, "most_connections": most_connections}
    return type("PatientProtocol", (PatientProtocol,), limits)
