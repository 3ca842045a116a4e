"""Requests and answers travel whole, and an application in this process answers them."""

import asyncio
import pickle

from linnet.serving.cluster.exchange import Asked, ask_application
from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from tests.serving.http.services import make_service

HEADERS = ((b"host", b"localhost"), (b"content-type", b"text/plain"))
ASKED = Asked("POST", "/annotate", b"to=pubtator", HEADERS, b"In Bonn")


def test_a_request_survives_the_way_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(ASKED)) == ASKED


def test_an_application_answers_a_whole_request() -> None:
    app = build_application(make_service(), Access())

    answer = asyncio.run(ask_application(app, ASKED))

    assert answer.status == 200
    assert answer.body.startswith(b"1|t|In Bonn")
    assert dict(answer.headers)[b"content-type"].startswith(b"text/x-pubtator")
