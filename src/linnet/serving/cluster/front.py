"""The front of a service with replicas: takes requests as a single process does, and has a replica answer each.

Requests only ask, so one can be answered again: if a replica dies, another gets what it had. The front checks who may
ask, reads the body within its limits, and drops requests that nobody waits for any more.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from linnet.serving.cluster.exchange import Answer, Ask, Asked, ReplicaLost, ReplicasBusy
from linnet.serving.http.guarding import Access, Guard, Receive, Scope, Send
from linnet.serving.http.metrics import MEDIA_TYPE, Metrics
from linnet.serving.http.openapi import describe_api
from linnet.serving.http.refusals import Refusal, bug_refusal
from linnet.serving.http.requests import Gone, read_content, wait_until_gone
from linnet.settings.serving import ServeSettings

__all__ = ["build_front"]

MOST_TRIES = 4  # a request that kills each replica must not kill them for ever
PAUSE_SECONDS = 0.25  # before the second try; the next are longer
RETRY_AFTER = "2"
OWN_HEADERS = (b"content-length", b"transfer-encoding", b"connection", b"expect")  # of the connection itself


def build_front(ask: Ask, settings: ServeSettings, access: Access, close: Callable[[], None] = lambda: None) -> Any:
    """Return the ASGI application of the front.

    Args:
        ask: has a replica answer; raises `ReplicaLost` and `ReplicasBusy`.
        settings: of the service.
        access: who may use it.
        close: is called when the service ends.
    """
    metrics = Metrics()
    front = _Front(ask, settings, close, metrics)
    return Guard(front, access=access, metrics=metrics, routes=list(describe_api()["paths"]))


@dataclass
class _Front:
    ask: Ask
    settings: ServeSettings
    close: Callable[[], None]
    metrics: Metrics = field(default_factory=Metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await asyncio.to_thread(self.close)
        await send({"type": "lifespan.shutdown.complete"})

    async def _respond(self, request: Request) -> Response:
        try:
            if request.url.path == "/metrics":
                return Response(self.metrics.as_text({}), media_type=MEDIA_TYPE)
            return await self._pass_on(request)
        except Gone:
            self.metrics.cancelled += 1
            return Response(status_code=499)
        except Refusal as refusal:
            return JSONResponse(refusal.as_dict(), refusal.status, refusal.headers)
        except Exception as error:
            bug = bug_refusal(error, f"{request.method} {request.url.path}")
            return JSONResponse(bug.as_dict(), bug.status)

    async def _pass_on(self, request: Request) -> Response:
        content = b"" if request.method == "GET" else await read_content(request, self.settings)
        kept = [(name, value) for name, value in request.headers.raw if name not in OWN_HEADERS]
        headers = (*kept, (b"content-length", str(len(content)).encode()))
        asked = Asked(
            method=request.method,
            path=request.url.path,
            query=request.scope["query_string"],
            headers=headers,
            body=content,
        )
        answer = await self._wait(self._try(asked), request)
        response = Response(answer.body, answer.status)
        response.raw_headers = [each for each in answer.headers if each[0] != b"content-length"]
        response.raw_headers.append((b"content-length", str(len(answer.body)).encode()))
        return response

    async def _try(self, asked: Asked) -> Answer:
        for number in range(1, MOST_TRIES + 1):
            try:
                return await self.ask(asked)
            except ReplicaLost:
                await asyncio.sleep(number * PAUSE_SECONDS)
            except ReplicasBusy:
                raise _busy("too many requests wait already") from None
        raise _busy("no replica answers")

    async def _wait(self, work: Coroutine[Any, Any, Answer], request: Request) -> Answer:
        """Return the result of the work, unless it takes too long or nobody waits for it."""
        task = asyncio.ensure_future(work)
        gone: asyncio.Future[None] = asyncio.ensure_future(wait_until_gone(request))
        try:
            waited: set[asyncio.Future[Any]] = {task, gone}
            done, _ = await asyncio.wait(waited, timeout=self.settings.seconds + 5, return_when=asyncio.FIRST_COMPLETED)
            if task in done:
                return task.result()
            if gone in done:
                raise Gone
            raise Refusal(504, f"no answer within {self.settings.seconds:g} s", "send less at a time")
        finally:
            task.cancel()
            gone.cancel()


def _busy(problem: str) -> Refusal:
    return Refusal(503, problem, f"try again in {RETRY_AFTER} s", headers={"retry-after": RETRY_AFTER})
