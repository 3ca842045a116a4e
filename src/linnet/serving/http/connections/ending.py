"""The end of the web service: a request that is cut off then is answered, and its cancellation is no error.

uvicorn cancels what still runs when its time is up, or when Ctrl+C is pressed twice, and logs each cancelled request
with its traceback. Nothing is wrong then: the client is told to ask again, and nothing is printed.
"""

import asyncio
import logging
from typing import Any

from linnet.serving.http.connections.refusing import refuse_at_the_end
from linnet.serving.http.guarding import Message, Receive, Scope, Send

__all__ = ["answering_at_the_end", "tells_of_an_error"]

OF_THE_END = ("Cancel ", "ASGI callable returned without completing response")  # as uvicorn begins these messages
OF_SOCKETS = ("Unsupported upgrade", "No supported WebSocket library")  # who asks for one gets an answer without


def answering_at_the_end(app: Any) -> Any:  # ASGI applications
    """Return the application with an answer (503) for requests that are cancelled, since the service ends."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def watch(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await app(scope, receive, watch)
        except asyncio.CancelledError:
            if scope["type"] == "http" and not has_begun:
                await refuse_at_the_end(scope, receive, send)

    return answer


def tells_of_an_error(record: logging.LogRecord) -> bool:
    """Is this message of uvicorn about anything else than WebSockets, and requests that were cancelled at the end?"""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, asyncio.CancelledError):
        return False
    said = record.getMessage()
    return not (said.startswith(OF_THE_END + OF_SOCKETS) or "CancelledError" in said)
