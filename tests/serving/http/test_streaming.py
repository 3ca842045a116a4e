"""JSON lines are answered as they arrive, whatever their number, and problems are said at their line."""

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from linnet.serving.http.service import Service
from tests.serving.http.running import running
from tests.serving.http.services import Finder, client_of, make_service

LINES = {"content-type": "application/x-ndjson"}


@pytest.fixture
def service() -> Service:
    return make_service(Finder(), max_documents=3, max_body_mb=0.05, body_seconds=0.5)


@pytest.fixture
def place(service: Service) -> Iterator[str]:
    with running(build_application(service, Access())) as address:
        yield address.removeprefix("http://")


def line(number: int, text: str = "In Bonn") -> bytes:
    return json.dumps({"id": str(number), "text": text}).encode() + b"\n"


def texts_in(answer: bytes) -> list[list[str]]:
    return [[span["text"] for span in json.loads(each).get("spans", [])] for each in answer.splitlines()]


def open_stream(connection: http.client.HTTPConnection) -> None:
    connection.putrequest("POST", "/annotate")
    connection.putheader("Content-Type", LINES["content-type"])
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()


def send(connection: http.client.HTTPConnection, content: bytes) -> None:
    connection.send(b"%x\r\n%s\r\n" % (len(content), content))


def test_a_document_is_answered_before_the_next_is_sent(place: str) -> None:
    with closing(http.client.HTTPConnection(place, timeout=20)) as connection:
        open_stream(connection)
        send(connection, line(1))
        answer = connection.getresponse()
        first = answer.readline()
        send(connection, line(2, "In Paris")[:9])
        send(connection, line(2, "In Paris")[9:-1])  # the last line needs no end
        connection.send(b"0\r\n\r\n")
        rest = answer.read()

    assert answer.headers["content-type"] == "application/x-ndjson"
    assert texts_in(first + rest) == [["In", "Bonn"], ["In", "Paris"]]


@pytest.mark.long
def test_a_stream_may_be_longer_than_a_body_and_equals_it(place: str) -> None:
    content = b"".join(line(number, f"In Bonn {number} and Paris") for number in range(2000))
    with closing(http.client.HTTPConnection(place, timeout=20)) as connection:
        connection.request("POST", "/annotate", content, LINES)
        streamed = connection.getresponse().read()
    whole = make_service(Finder(), max_documents=10_000)
    with client_of(whole) as client:
        at_once = client.post("/annotate?to=json", content=content, headers=LINES).json()["documents"]

    assert len(content) > 50_000  # the limit of a body
    assert texts_in(streamed) == [[span["text"] for span in document["spans"]] for document in at_once]


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (line(1) + b"{\n", "body, line 2"),
        (b"\n" + line(1) + line(1), "body, line 3"),
        (b"\xff\n", "body, line 1"),
        (b" \n", "body"),
        (line(1, "a" * 60_000), "body, line 1"),
    ],
)
def test_what_is_wrong_at_first_is_the_answer(service: Service, content: bytes, where: str) -> None:
    with client_of(service) as client:
        answer = client.post("/annotate", content=content, headers=LINES)

    assert answer.status_code in (400, 413)
    assert answer.json()["error"]["where"] == where


def test_what_is_wrong_later_is_the_last_line(place: str, service: Service) -> None:
    with closing(http.client.HTTPConnection(place, timeout=20)) as connection:
        open_stream(connection)
        send(connection, line(1))
        answer = connection.getresponse()
        first = answer.readline()
        send(connection, b"\n{}\n")
        last = answer.read()

    assert answer.status == 200
    assert texts_in(first) == [["In", "Bonn"]]
    assert json.loads(last)["error"]["where"] == "body, line 3"


def test_a_stream_that_stops_is_ended(place: str) -> None:
    with closing(http.client.HTTPConnection(place, timeout=20)) as connection:
        open_stream(connection)
        send(connection, line(1))
        answer = connection.getresponse()
        _, last = answer.read().splitlines()

    assert json.loads(last)["error"]["problem"] == "no line arrived within 0.5 s"


def test_a_client_that_leaves_costs_nothing_more() -> None:
    finder = Finder(seconds=0.05)
    service = make_service(finder)
    with running(build_application(service, Access())) as address:
        with closing(http.client.HTTPConnection(address.removeprefix("http://"), timeout=20)) as connection:
            open_stream(connection)
            send(connection, line(1))
            connection.getresponse().readline()
            send(connection, b"".join(line(number) for number in range(2, 900)))
        until = time.monotonic() + 20
        while service.models["finder"].batcher.waiting and time.monotonic() < until:
            time.sleep(0.01)

    assert finder.n_batches < 200
