"""The routes answer as they are described, and every error has one shape."""

import logging
import sys
from typing import Any

import pytest

from tests.serving.http.services import Finder, client_of, make_service


def test_what_is_read_without_a_body() -> None:
    with client_of(make_service()) as client:
        about = client.get("/models").json()
        formats = {each["name"]: each for each in client.get("/formats").json()["formats"]}

        assert [model["name"] for model in about["models"]] == ["finder", "judge"]
        assert about["default"] == {"annotate": "finder", "predict": "judge"}
        assert formats["jats"] == {
            "name": "jats",
            "media_type": "application/jats+xml",
            "suffix": "",
            "read": True,
            "write": False,
        }
        assert formats["jsonl"]["suffix"] == ".jsonl"
        assert client.get("/health").json()["status"] == "UP"
        assert client.get("/ready").json() == {"ready": True}
        assert client.get("/openapi.json").json()["openapi"].startswith("3.")


def test_a_format_whose_package_is_missing_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with client_of(make_service()) as client:
        names = {each["name"] for each in client.get("/formats").json()["formats"]}
        refused = client.post("/annotate", params={"to": "parquet"}, json={"text": "Bonn"})

    assert "pubtator" in names
    assert "parquet" not in names
    assert (refused.status_code, refused.json()["error"]["where"]) == (400, "parameter to")


def test_requests_are_counted_for_prometheus() -> None:
    with client_of(make_service()) as client:
        client.post("/annotate", json={"text": "Bonn"})
        client.get("/nowhere/at/all")
        text = client.get("/metrics").text

    assert 'linnet_requests_total{route="/annotate",status="200"} 1' in text
    assert 'linnet_requests_total{route="other",status="404"} 1' in text
    assert 'linnet_documents_total{model="finder"} 1' in text


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/nowhere", 404), ("GET", "/annotate", 405), ("PUT", "/models", 405)]
)
def test_other_addresses_and_methods_are_refused_in_the_same_shape(method: str, path: str, status: int) -> None:
    with client_of(make_service()) as client:
        answer = client.request(method, path)

    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"problem", "remedy", "where"}


def test_a_bug_is_answered_without_the_text_and_logged_without_it(caplog: pytest.LogCaptureFixture) -> None:
    service = make_service()

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("cannot read Secret")

    service.models["finder"].batcher.submit = fail  # type: ignore[method-assign, assignment]
    with caplog.at_level(logging.DEBUG), client_of(service) as client:
        answer = client.post("/annotate", json={"text": "Secret"})

    assert answer.status_code == 500
    assert answer.json()["error"]["problem"] == "an error of the service (RuntimeError)"
    assert "RuntimeError at" in caplog.text
    assert "Secret" not in caplog.text


def test_nothing_of_a_text_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), client_of(make_service(Finder(breaks_on="Broken"))) as client:
        for text in ("Secret Bonn", "Broken Secret"):
            client.post("/annotate", json={"text": text})

    assert "Secret" not in caplog.text


def test_the_service_finishes_its_work_when_it_ends() -> None:
    service = make_service()
    with client_of(service):
        pass

    assert not service.is_ready
    with client_of(service) as client:
        assert client.get("/ready").status_code == 503
        assert client.post("/annotate", json={"text": "a"}).status_code == 503
