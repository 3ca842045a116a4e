"""Slow clients are cut off, whatever they are slow with; others are not."""

import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from linnet.serving.http.application import build_application
from linnet.serving.http.connections.slow_clients import build_protocol
from linnet.serving.http.guarding import Access
from tests.serving.http.running import running
from tests.serving.http.services import Finder, make_service

LIMIT = 0.2
HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[str, int]]:
    app = build_application(make_service(Finder(seconds=2 * LIMIT)), Access())
    with running(app, http=build_protocol(LIMIT, 100)) as address:
        yield "127.0.0.1", int(address.rpartition(":")[2])


def seconds_until_cut_off(connection: socket.socket, *, sending: bytes = b"") -> float:
    started = time.monotonic()
    connection.settimeout(0.02)
    while time.monotonic() < started + 20:
        try:
            if sending:
                connection.send(sending)
            if not connection.recv(1):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - started


@pytest.mark.parametrize("begun", [b"", HEAD])
def test_a_connection_without_a_request_is_cut_off(place: tuple[str, int], begun: bytes) -> None:
    with closing(socket.create_connection(place)) as connection:
        connection.sendall(begun)

        assert seconds_until_cut_off(connection) < 50 * LIMIT


def test_a_head_that_comes_byte_by_byte_is_cut_off(place: tuple[str, int]) -> None:
    with closing(socket.create_connection(place)) as connection:
        connection.sendall(HEAD + b"X: ")

        assert seconds_until_cut_off(connection, sending=b"a") < 50 * LIMIT


def test_an_answer_that_nobody_reads_is_cut_off() -> None:
    ends: list[float] = []

    async def answer_much(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return
        started = time.monotonic()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bytes(30_000_000), "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        ends.append(time.monotonic() - started)

    with (
        running(answer_much, http=build_protocol(LIMIT, 100), lifespan="off") as address,
        closing(socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])))) as connection,
    ):
        connection.sendall(HEAD + b"\r\n")
        while not ends:
            time.sleep(0.01)

    assert LIMIT * 0.9 < ends[0] < 50 * LIMIT


@pytest.mark.long
def test_a_model_may_take_longer_than_a_client(place: tuple[str, int]) -> None:
    with closing(http.client.HTTPConnection(*place, timeout=20)) as connection:
        for _ in range(2):  # over one connection
            connection.request("POST", "/annotate", b'{"text": "In Bonn"}', {"Content-Type": "application/json"})
            answer = connection.getresponse()
            assert (answer.status, b"Bonn" in answer.read()) == (200, True)
