"""Whole requests and answers, as they travel between the front of a service and its replicas."""

import asyncio
from collections.abc import Callable, Coroutine, MutableMapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Answer", "Ask", "Asked", "ReplicaLost", "ReplicasBusy", "ask_application"]

Message = MutableMapping[str, Any]  # of an ASGI application


class ReplicaLost(Exception):
    """The replica died, or cannot be reached."""


class ReplicasBusy(Exception):
    """Too many requests wait for replicas."""


@dataclass(frozen=True)
class Asked:
    """A request with its whole body."""

    method: str
    path: str
    query: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """An answer with its whole body."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


Ask = Callable[[Asked], Coroutine[Any, Any, Answer]]


async def ask_application(app: Any, asked: Asked) -> Answer:
    """Return the answer of an ASGI application in this process; it stops when this is cancelled."""
    found: dict[str, Any] = {}
    parts: list[bytes] = []
    sent = iter([{"type": "http.request", "body": asked.body, "more_body": False}])

    async def receive() -> Message:
        for message in sent:
            return message
        await asyncio.Event().wait()  # the front cancels what nobody waits for
        raise AssertionError("nobody sets this event")

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            found.update(message)
        else:
            parts.append(message.get("body", b""))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": asked.path,
        "raw_path": asked.path.encode(),
        "query_string": asked.query,
        "headers": list(asked.headers),
        "client": None,
        "server": None,
        "root_path": "",
    }
    await app(scope, receive, send)
    return Answer(
        found["status"], tuple((bytes(name), bytes(value)) for name, value in found["headers"]), b"".join(parts)
    )
