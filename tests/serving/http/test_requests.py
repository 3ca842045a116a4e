"""Bodies are taken within limits of size and time, and a client that is gone costs nothing more."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from starlette.requests import Request

from linnet.documents.document import Document
from linnet.serving.http.batching import Limits
from linnet.serving.http.refusals import Refusal
from linnet.serving.http.requests import Gone, compute, parse_options, read_content, wait_until_gone
from tests.serving.http.services import Finder, client_of, make_service, served, settings

Message = dict[str, Any]


def request_of(receive: Callable[[], Awaitable[Message]], **headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "POST", "path": "/", "headers": raw, "query_string": b""}, receive)


def receiving(*messages: Message) -> Callable[[], Awaitable[Message]]:
    async def receive() -> Message:
        return next(found)

    found = iter(messages)
    return receive


async def wait_forever() -> Message:
    await asyncio.sleep(60)
    return {}


def chunk(body: bytes, *, more: bool = True) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_body_in_pieces_is_put_together() -> None:
    request = request_of(receiving(chunk(b"a"), chunk(b"b", more=False)))

    assert asyncio.run(read_content(request, settings())) == b"ab"


@pytest.mark.parametrize(
    ("receive", "headers", "status"),
    [
        (receiving(chunk(b"a" * 3000)), {}, 413),
        (receiving(), {"content_length": "3000"}, 413),
        (receiving(), {"content_length": "-1"}, 413),
        (wait_forever, {}, 408),
        (receiving(chunk(b"a", more=False)), {"content_encoding": "gzip"}, 415),
        (receiving(chunk(b"\x28\xb5\x2f\xfd", more=False)), {}, 415),
    ],
)
def test_large_slow_and_compressed_bodies_are_refused(
    receive: Callable[[], Awaitable[Message]], headers: dict[str, str], status: int
) -> None:
    with pytest.raises(Refusal) as caught:
        asyncio.run(read_content(request_of(receive, **headers), settings(max_body_mb=0.002, body_seconds=0.01)))

    assert caught.value.status == status


def test_a_client_that_leaves_while_it_sends_is_no_error() -> None:
    with pytest.raises(Gone):
        asyncio.run(read_content(request_of(receiving({"type": "http.disconnect"})), settings()))


def test_a_client_that_leaves_stops_the_work() -> None:
    finder = Finder(seconds=0.01)
    model = served(finder, "m")
    documents = [(Document(str(number), f"A{number}"), None) for number in range(500)]

    async def leave() -> None:
        async def receive() -> Message:
            while not finder.n_batches:
                await asyncio.sleep(0.001)
            return {"type": "http.disconnect"}

        await compute(documents, model.batcher, partial(wait_until_gone, request_of(receive)), settings())

    with pytest.raises(Gone):
        asyncio.run(leave())
    model.batcher.close()
    assert finder.n_batches < 100
    assert model.batcher.waiting == 0


def test_what_takes_too_long_is_refused_and_stopped() -> None:
    finder = Finder(seconds=0.01)
    model = served(finder, "m")
    documents = [(Document(str(number), f"A{number}"), None) for number in range(500)]

    with pytest.raises(Refusal) as caught:
        asyncio.run(
            compute(
                documents, model.batcher, partial(wait_until_gone, request_of(wait_forever)), settings(seconds=0.02)
            )
        )

    model.batcher.close()
    assert (caught.value.status, caught.value.limits["seconds"]) == (504, 0.02)
    assert finder.n_batches < 100


def test_a_full_queue_answers_when_to_try_again() -> None:
    service = make_service(Finder(seconds=0.3), limits=Limits(wait_seconds=0.0, waiting=4))
    with client_of(service) as client:
        first = threading.Thread(target=client.post, args=("/annotate",), kwargs={"json": {"text": "abc"}})
        first.start()
        while not service.models["finder"].batcher.waiting:
            time.sleep(0.001)
        answer = client.post("/annotate", json={"text": "abc"})
        first.join()

    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1
    assert answer.json()["error"]["limits"] == {"waiting_characters": 10_000_000}


def test_concurrent_requests_are_computed_together_and_answered_apart() -> None:
    finder = Finder(seconds=0.05)
    service = make_service(finder, limits=Limits(wait_seconds=0.0))
    answers: dict[int, Any] = {}

    def ask(number: int) -> None:
        answers[number] = client.post("/annotate", json={"text": f"Name{number}"}).json()

    with client_of(service) as client:
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert {n: found["documents"][0]["spans"][0]["text"] for n, found in answers.items()} == {
        n: f"Name{n}" for n in range(6)
    }
    assert len(finder.calls) < 6


def test_parameters_are_parsed() -> None:
    options = parse_options(
        {"labels": "A, B,,", "min_score": "0.5", "offsets": "utf16"}, ("labels", "min_score", "offsets")
    )

    assert (options.labels, options.min_score, options.is_utf16) == (("A", "B"), 0.5, True)
