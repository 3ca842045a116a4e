"""What is not HTTP, and one connection too many, get an answer of the usual shape."""

import http.client
import json
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from linnet.serving.http.application import build_application
from linnet.serving.http.connections.slow_clients import build_protocol
from linnet.serving.http.guarding import Access
from tests.serving.http.running import running
from tests.serving.http.services import Finder, make_service

MOST = 3
STREAM = (
    b"POST /annotate HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    app = build_application(make_service(Finder()), Access())
    with running(app, http=build_protocol(20, MOST)) as address:
        yield int(address.rpartition(":")[2])


@pytest.mark.parametrize(
    "content",
    [
        b"\x00garbage\r\n\r\n",
        b"GET /health HTTP/1.1\r\n\r\n",
        b"POST /annotate HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n",
        b"POST /annotate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ],
)
def test_what_is_not_http_is_refused_in_the_usual_shape(port: int, content: bytes) -> None:
    with closing(socket.create_connection(("127.0.0.1", port), timeout=20)) as connection:
        connection.sendall(content)
        found = b"".join(iter(lambda: connection.recv(10_000), b""))

    head, _, body = found.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"x-content-type-options: nosniff" in head
    assert json.loads(body)["error"]["problem"] == "this is not HTTP"


def test_an_answer_that_has_begun_is_cut_off_in_silence(port: int, caplog: pytest.LogCaptureFixture) -> None:
    line = b'{"id": "1", "text": "In Bonn"}\n'

    with closing(socket.create_connection(("127.0.0.1", port), timeout=20)) as connection:
        connection.sendall(STREAM + b"%x\r\n%s\r\n" % (len(line), line))
        begun = connection.recv(10_000)
        connection.sendall(b"no number\r\n")
        rest = b"".join(iter(lambda: connection.recv(10_000), b""))

    assert begun.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1" not in rest
    said = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert said in ([], ["Invalid HTTP request received."])  # and no traceback


def test_one_connection_too_many_is_refused_until_there_is_room(port: int) -> None:
    def ask() -> tuple[int, str | None, bytes]:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
            connection.request("GET", "/health")
            answer = connection.getresponse()
            return answer.status, answer.headers["retry-after"], answer.read()

    with ExitStack() as stack:
        for _ in range(MOST):
            stack.enter_context(closing(socket.create_connection(("127.0.0.1", port))))
        status, retry_after, body = ask()
    deadline = time.monotonic() + 20
    while ask()[0] != 200 and time.monotonic() < deadline:
        time.sleep(0.01)

    assert (status, retry_after) == (503, "5")
    assert json.loads(body)["error"]["problem"] == "too many connections are open"
    assert ask()[0] == 200
