"""JSON lines as a stream: documents are answered as they arrive, and no whole body is ever in memory.

A client may send and read at the same time, or send first: as much as a body may have is read ahead. What goes wrong
after the first answer cannot change the status any more; it is a last line `{"error": ...}`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from linnet.documents.document import Document
from linnet.errors import LinnetError
from linnet.formats.jsonl import document_of_line
from linnet.formats.unique_ids import IdSet
from linnet.serving.http.answers import encode_json
from linnet.serving.http.bodies import decode_text
from linnet.serving.http.refusals import Refusal, bug_refusal, refusal_of
from linnet.serving.http.requests import Gone, check_compression, check_size, limits_of
from linnet.settings.serving import ServeSettings

__all__ = ["LineBody", "LineResponse"]

Work = Callable[[list[Document]], Awaitable[bytes]]
BLOCK = 60_000  # bytes that are answered together, if they are there


class LineBody:
    """The lines of a request as they arrive, a block at a time. A task reads ahead within the limit of a body."""

    def __init__(self, request: Request, settings: ServeSettings) -> None:
        self._request, self._settings = request, settings
        self._limits = limits_of(settings)
        self._buffer = bytearray()
        self._changed = asyncio.Condition()
        self._is_complete = self._is_gone = False
        self._n_lines = 0
        self._ids = IdSet()
        self._reader = asyncio.create_task(self._read())

    async def blocks(self) -> AsyncIterator[list[Document]]:
        """Yield the documents of the lines that are there, until there are no more.

        Raises:
            Refusal: for a line that is no document, is too long, or does not come.
            Gone: if the client does not send all of it.
        """
        while lines := await self._next_lines():
            if documents := self._parse(lines):
                yield documents
        if not len(self._ids):
            raise Refusal(400, "the body is empty", "send one JSON document per line", where="body")

    async def wait_until_gone(self) -> None:
        """Return when the client does not wait any more."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._is_gone)

    async def close(self) -> None:
        """Stop reading."""
        self._reader.cancel()
        with suppress(asyncio.CancelledError):
            await self._reader

    async def _read(self) -> None:
        while not self._is_gone:
            message = await self._request.receive()
            async with self._changed:
                self._buffer += message.get("body", b"")
                self._is_gone = message["type"] == "http.disconnect"
                self._is_complete = self._is_complete or not message.get("more_body", False)
                self._changed.notify_all()
                await self._changed.wait_for(lambda: len(self._buffer) <= self._limits["body_bytes"])

    async def _next_lines(self) -> bytes:
        """Return whole lines, without waiting for more than one; what is left at the end needs no line end."""
        async with self._changed:
            await self._wait_for_line()
            if self._is_gone and not self._is_complete:
                raise Gone
            end = self._find_end()
            lines = bytes(self._buffer[:end])
            del self._buffer[:end]
            self._changed.notify_all()
        return lines

    def _find_end(self) -> int:
        """Return where a block ends: behind the last whole line that it has room for, or behind the first line."""
        if self._is_complete and len(self._buffer) <= BLOCK:
            return len(self._buffer)
        return self._buffer.rfind(b"\n", 0, BLOCK) + 1 or self._buffer.find(b"\n") + 1 or len(self._buffer)

    async def _wait_for_line(self) -> None:
        seconds, most = self._settings.body_seconds, self._limits["body_bytes"]
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait_for(
                    lambda: b"\n" in self._buffer or self._is_complete or self._is_gone or len(self._buffer) > most
                )
        except TimeoutError:
            raise Refusal(408, f"no line arrived within {seconds:g} s", "send it faster", where="body") from None
        if len(self._buffer) > most and b"\n" not in self._buffer:
            self._check_length(len(self._buffer), f"body, line {self._n_lines + 1}")
        if not self._n_lines:
            check_compression(self._buffer, self._request)

    def _parse(self, lines: bytes) -> list[Document]:
        documents = []
        for line in lines.removesuffix(b"\n").split(b"\n"):
            self._n_lines += 1
            where = f"body, line {self._n_lines}"
            self._check_length(len(line), where)
            if not line.strip():
                continue
            try:
                document = document_of_line(decode_text(line, where), "")
            except LinnetError as error:
                raise refusal_of(error, where=where, status=400) from None
            if not self._ids.add(document.id):
                raise Refusal(400, f"a second document is called {document.id!r}", "give each its own id", where=where)
            check_size([document.text], self._settings)
            documents.append(document)
        return documents

    def _check_length(self, n_bytes: int, where: str) -> None:
        if n_bytes > self._limits["body_bytes"]:
            raise Refusal(413, "the line is longer than is taken", "split it", where=where, limits=self._limits)


class LineResponse(Response):
    """Answers a stream of lines. The first block is answered before the status is sent, so that it can be an error."""

    def __init__(self, body: LineBody, work: Work, *, media_type: str) -> None:
        super().__init__(media_type=media_type)
        del self.headers["content-length"]
        self._body, self._work = body, work
        self._blocks = body.blocks()
        self._first = b""

    async def begin(self) -> None:
        """Compute the first block; what is wrong with it is raised."""
        try:
            self._first = await self._work(await anext(self._blocks))
        except BaseException:
            await self._body.close()
            raise

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send the first block, then the others as they are ready."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        try:
            await send({"type": "http.response.body", "body": self._first, "more_body": True})
            async for content in self._rest(f"{scope['method']} {scope['path']}"):
                await send({"type": "http.response.body", "body": content, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except Gone:
            return
        finally:
            await self._body.close()

    async def _rest(self, route: str) -> AsyncIterator[bytes]:
        try:
            async for documents in self._blocks:
                yield await self._work(documents)
        except Refusal as refusal:
            yield encode_json(refusal.as_dict())
        except LinnetError as error:
            yield encode_json(refusal_of(error, where="documents").as_dict())
        except Gone:
            raise
        except Exception as error:
            yield encode_json(bug_refusal(error, route).as_dict())
