"""The front has replicas answer, asks again where one is lost, and says what goes wrong as a single service does."""

import asyncio
import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from linnet.serving.cluster import front
from linnet.serving.cluster.exchange import Answer, Asked, ReplicaLost, ReplicasBusy, ask_application
from linnet.serving.cluster.front import build_front
from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from tests.serving.http.services import client_of, make_service, settings

TOKEN = "a-long-secret"


class Cluster:
    """One replica in this process, which is lost for the first requests."""

    def __init__(self, *, losses: int = 0, error: Exception | None = None, access: Access | None = None) -> None:
        self.losses, self.error, self.n_asked, self.n_cancelled = losses, error, 0, 0
        self._app = build_application(make_service(links=True), access or Access())

    async def ask(self, asked: Asked) -> Answer:
        self.n_asked += 1
        if self.error is not None:
            raise self.error
        if self.n_asked <= self.losses:
            raise ReplicaLost
        return await ask_application(self._app, asked)


def client_for(cluster: Cluster, access: Access | None = None, **given: Any) -> TestClient:
    app = build_front(cluster.ask, settings(**given), access or Access())
    return TestClient(app, base_url="http://localhost")


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "PAUSE_SECONDS", 0.0)


@pytest.mark.parametrize(
    ("path", "content", "kind"),
    [
        ("/annotate?to=pubtator", b'{"text": "In Bonn"}', "application/json"),
        ("/annotate", b'{"id": "1", "text": "In Bonn"}\n' * 1, "application/x-ndjson"),
        ("/annotate?labels=x", b"In Bonn", "text/plain"),
        ("/predict", b'{"texts": ["a b"]}', "application/json"),
        ("/nothing", b"", "text/plain"),
    ],
)
def test_answers_are_those_of_a_single_service(path: str, content: bytes, kind: str) -> None:
    with client_of(make_service(links=True)) as client:
        alone = client.post(path, content=content, headers={"content-type": kind})
    with client_for(Cluster()) as client:
        answer = client.post(path, content=content, headers={"content-type": kind})

    assert (answer.status_code, answer.content) == (alone.status_code, alone.content)
    for name in ("content-type", "content-security-policy", "x-frame-options"):
        assert answer.headers[name] == alone.headers[name]


def test_pages_and_models_come_from_a_replica() -> None:
    with client_for(Cluster()) as client:
        assert client.get("/").headers["content-type"] == "text/html; charset=utf-8"
        assert [model["name"] for model in client.get("/models").json()["models"]] == ["finder", "judge"]
        assert 'linnet_requests_total{route="/models",status="200"} 1' in client.get("/metrics").text


def test_another_replica_answers_what_a_lost_one_had() -> None:
    cluster = Cluster(losses=2)

    with client_for(cluster) as client:
        answer = client.post("/annotate", json={"text": "In Bonn"})

    assert len(answer.json()["documents"][0]["spans"]) == 2
    assert cluster.n_asked == 3


def test_a_request_that_loses_every_replica_is_given_up() -> None:
    cluster = Cluster(losses=100)

    with client_for(cluster) as client:
        answer = client.post("/annotate", json={"text": "In Bonn"})

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert cluster.n_asked == front.MOST_TRIES


@pytest.mark.parametrize(("error", "status"), [(ReplicasBusy(), 503), (KeyError("In Bonn"), 500)])
def test_other_problems_are_told(error: Exception, status: int) -> None:
    with client_for(Cluster(error=error)) as client:
        answer = client.post("/annotate", json={"text": "In Bonn"})

    assert answer.status_code == status
    assert "Bonn" not in answer.text


def test_the_front_checks_who_asks_and_how_much() -> None:
    access = Access(token=TOKEN)
    cluster = Cluster(access=access)

    with client_for(cluster, access, max_body_mb=0.001) as client:
        refused = client.post("/annotate", json={"text": "a"})
        allowed = {"authorization": f"Bearer {TOKEN}"}
        too_large = client.post("/annotate", json={"text": "a" * 2000}, headers=allowed)
        assert cluster.n_asked == 0
        answered = client.post("/annotate", json={"text": "a"}, headers=allowed)

    assert [refused.status_code, too_large.status_code, answered.status_code] == [401, 413, 200]


def test_a_client_that_leaves_stops_the_work() -> None:
    ends: list[str] = []

    async def ask(_: Asked) -> Answer:
        try:
            await asyncio.sleep(20)
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise
        raise AssertionError

    async def leave() -> None:
        messages = iter([{"type": "http.request", "body": b"{}"}, {"type": "http.disconnect"}])

        async def receive() -> Any:
            return next(messages)

        async def send(_: Any) -> None:
            return None

        head = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        scope = {"type": "http", "method": "POST", "path": "/annotate", "query_string": b"", "headers": head}
        await build_front(ask, settings(), Access())(scope, receive, send)

    started = time.monotonic()
    asyncio.run(leave())

    assert time.monotonic() - started < 10
    assert ends == ["cancelled"]
