"""A service that is told to stop ends in time and in silence, whatever its clients do meanwhile."""

import asyncio
import json
import logging
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from typing import Any

import pytest

from linnet.serving.http.connections.ending import answering_at_the_end, tells_of_an_error

PROGRAM = """
import linnet.serving.http.served_models as served_models
from linnet.serving.http.server import serve
from tests.serving.http.services import Finder, served, settings
served_models.open_models = lambda *_, **__: {"finder": served(Finder(seconds=3), "finder")}
serve(settings(port=0, shutdown_seconds=1), lambda sentence: print(sentence, flush=True))
print("ended", flush=True)
"""
HEAD = "POST /annotate HTTP/1.1\r\nHost: localhost\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n"
WHOLE = json.dumps({"text": "In Bonn"})
REQUESTS = {
    "computes": HEAD.format("application/json", len(WHOLE)) + WHOLE,
    "sends": HEAD.format("application/json", 100) + WHOLE,
    "streams": HEAD.format("application/x-ndjson", 100) + '{"id": "1", "te',
}


@pytest.mark.long
@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT]], ids=["told", "told twice"])
@pytest.mark.parametrize("request_of_client", REQUESTS.values(), ids=list(REQUESTS))
def test_a_request_that_outlasts_the_end_prints_nothing(request_of_client: str, signals: list[signal.Signals]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert process.stdout
        host, _, port = process.stdout.readline().split()[0].removeprefix("http://").partition(":")
        with closing(socket.create_connection((host, int(port)), timeout=20)) as client:
            client.sendall(request_of_client.encode())
            time.sleep(0.3)
            for number in signals:
                process.send_signal(number)
                time.sleep(0.2)
            answer = b"".join(iter(lambda: client.recv(10_000), b""))  # until the service hangs up
        rest = process.stdout.read()
        code = process.wait(20)
    finally:
        process.kill()
        process.communicate()

    assert (rest, code) == ("ended\n", 0)
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"the service ends" in answer


def test_an_answer_that_has_begun_gets_no_second_head() -> None:
    sent: list[Any] = []

    async def begin(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise asyncio.CancelledError

    async def keep(message: Any) -> None:
        sent.append(message["type"])

    asyncio.run(answering_at_the_end(begin)({"type": "http"}, None, keep))

    assert sent == ["http.response.start"]


def test_other_errors_are_still_logged() -> None:
    def record(message: str, error: BaseException | None = None) -> logging.LogRecord:
        found = None if error is None else (type(error), error, None)
        return logging.LogRecord("uvicorn.error", logging.ERROR, "", 1, message, (), found)

    assert tells_of_an_error(record("Exception in ASGI application\n", ValueError()))
    assert tells_of_an_error(record("Invalid HTTP request received."))
    assert not tells_of_an_error(record("No supported WebSocket library detected."))
    assert not tells_of_an_error(record("Exception in ASGI application\n", asyncio.CancelledError()))
    assert not tells_of_an_error(record("Cancel 3 running task(s), timeout graceful shutdown exceeded"))
