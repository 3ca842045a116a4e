"""Answers where no route is reached: to what is not HTTP, where too many connect, and at the end of the service.

They have the shape and the headers of all refusals.
"""

from typing import Any

import h11
from starlette.responses import JSONResponse

from linnet.serving.http.guarding import SECURITY_HEADERS, Receive, Scope, Send
from linnet.serving.http.refusals import Refusal

__all__ = ["answer_to_no_http", "refuse_at_the_end", "refuse_connection"]

RETRY_AFTER = "5"
NO_HTTP = Refusal(400, "this is not HTTP", "send requests as HTTP/1.1", where="connection")


async def refuse_connection(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer that there are too many connections; an ASGI application."""
    await _answer_busy("too many connections are open")(scope, receive, send)


async def refuse_at_the_end(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer that the service ends; an ASGI application."""
    await _answer_busy("the service ends")(scope, receive, send)


def answer_to_no_http(connection: Any) -> bytes:  # h11 has no types for its states
    """Return what is to be sent where something else than HTTP has come; nothing if an answer has begun already.

    Args:
        connection: of h11.
    """
    if connection.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
        return b""
    answer = JSONResponse(NO_HTTP.as_dict(), NO_HTTP.status, {**SECURITY_HEADERS, "connection": "close"})
    events = (
        h11.Response(status_code=answer.status_code, headers=answer.raw_headers),
        h11.Data(data=bytes(answer.body)),
        h11.EndOfMessage(),
    )
    return b"".join(connection.send(event) or b"" for event in events)


def _answer_busy(problem: str) -> JSONResponse:
    refusal = Refusal(503, problem, f"try again in {RETRY_AFTER} s", headers={"retry-after": RETRY_AFTER})
    headers = {**SECURITY_HEADERS, **refusal.headers, "connection": "close"}
    return JSONResponse(refusal.as_dict(), refusal.status, headers)
