"""A review goes through documents, keeps decisions, and refuses those of a window that is behind."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from linnet.serving.http import application
from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from linnet.serving.http.reviewing import ReviewRoutes
from linnet.serving.http.service import Service
from linnet.serving.review.opening import OpenReview, open_review
from linnet.settings.review import ReviewSettings
from tests.serving.http.services import make_service, settings

BONN = {"start": 3, "end": 7, "label": "City"}


def write_documents(folder: Path, records: Sequence[dict[str, Any]] = (), **given: Any) -> ReviewSettings:
    records = records or [
        {"id": "a", "text": "😀 Bonn", "spans": [{"start": 2, "end": 6, "label": "City", "score": 0.9}]},
        {"id": "b", "text": "Paris", "spans": [{"start": 0, "end": 5, "label": "City", "score": 0.4}]},
    ]
    (folder / "in.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    return ReviewSettings(source=str(folder / "in.jsonl"), output=str(folder / "out.jsonl"), **given)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenReview]:
    with open_review(write_documents(tmp_path)) as found:
        yield found


@pytest.fixture
def client(opened: OpenReview) -> Iterator[TestClient]:
    app = build_application(Service(settings(), {}), Access(), ReviewRoutes(opened, settings()))
    with TestClient(app, base_url="http://localhost") as found:
        yield found


def test_documents_are_shown_and_decided_on(client: TestClient, opened: OpenReview) -> None:
    assert client.get("/review").json()["next"] == 0
    shown = client.get("/review/0", params={"offsets": "utf16"}).json()
    assert (shown["version"], shown["document"]["spans"][0]["start"]) == (0, 3)

    done = client.post("/review/0", params={"offsets": "utf16"}, json={"version": 0, "spans": [BONN]}).json()

    assert (done["version"], done["decided"], done["documents"], done["next"]) == (1, 1, 2, 1)
    assert done["agreement"]["f1"] == 1.0
    assert client.post("/review/output").json() == {
        "documents": 1, "output": "out.jsonl", "notes": ["1 of 2 documents decided; 1 undecided is left out"],
    }  # fmt: skip
    (line,) = opened.output.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["spans"][0]["start"] == 2


def test_the_output_is_written_with_the_last_decision(client: TestClient, opened: OpenReview) -> None:
    for number in range(2):
        assert not opened.output.exists()
        client.post(f"/review/{number}", json={"version": 0, "spans": []})

    assert len(opened.output.read_text(encoding="utf-8").splitlines()) == 2


def test_a_decision_is_kept_where_the_output_cannot_be_written(
    client: TestClient, opened: OpenReview, caplog: pytest.LogCaptureFixture
) -> None:
    opened.output.mkdir()

    answers = [client.post(f"/review/{number}", json={"version": 0, "spans": []}) for number in range(2)]

    assert [each.status_code for each in answers] == [200, 200]
    assert "the output could not be written yet" in caplog.text


def test_documents_are_listed_by_their_ids(client: TestClient) -> None:
    assert client.get("/review/documents").json() == {"ids": ["a", "b"]}


def test_another_annotation_comes_with_its_document(tmp_path: Path) -> None:
    chosen = write_documents(tmp_path)
    other = {"id": "a", "text": "😀 Bonn", "spans": [{"start": 2, "end": 6, "label": "Town"}]}
    (tmp_path / "other.jsonl").write_text(json.dumps(other) + "\n")

    with open_review(chosen.model_copy(update={"beside": str(tmp_path / "other.jsonl")})) as found:
        app = build_application(make_service(), Access(), ReviewRoutes(found, settings()))
        with TestClient(app, base_url="http://localhost") as client:
            described = client.get("/review").json()
            shown = [client.get(f"/review/{number}", params={"offsets": "utf16"}).json() for number in (0, 1)]

    assert (described["beside"], described["labels"]) == ("other.jsonl", ["City", "Town"])
    assert [(each["label"], each["start"]) for each in shown[0]["beside"]] == [("Town", 3)]
    assert shown[1]["beside"] is None


def test_the_docs_have_every_route_of_a_review(opened: OpenReview) -> None:
    review = ReviewRoutes(opened, settings())
    paths = {"GET": application._build_review_pages(review), "POST": application._build_review_verbs(review)}
    routes = {f"{method} {path.replace('{number:int}', 'N')}" for method, found in paths.items() for path in found}

    text = (Path(__file__).parents[3] / "docs" / "reviewing.md").read_text(encoding="utf-8")
    assert routes == set(re.findall(r"^\| `((?:GET|POST) /review[^`]*)` \|", text, re.MULTILINE))


def test_the_docs_have_every_field_of_a_progress(client: TestClient) -> None:
    described = client.get("/review").json()

    text = (Path(__file__).parents[3] / "docs" / "reviewing.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[a-z0-9_.`, ]+`) \|", text, re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"[a-z0-9_.]+", row)}
    inner = {f"agreement.{name}" for name in described["agreement"]}
    assert documented == {*described, *inner} - {"agreement"}


def test_a_review_without_a_model_says_what_annotates(client: TestClient) -> None:
    refused = client.post("/annotate", json={"text": "Bonn"}).json()["error"]

    assert refused["problem"] == "no model is loaded"
    assert refused["remedy"] == "start `linnet serve`, which has a model, or the review with `--model MODEL`"


def test_a_window_that_is_behind_cannot_overwrite(client: TestClient) -> None:
    client.post("/review/1", json={"version": 0, "spans": []})

    answer = client.post("/review/1", json={"version": 0, "spans": [{"start": 0, "end": 1, "label": "X"}]})

    assert (answer.status_code, answer.json()["error"]["where"]) == (409, "version")
    assert client.get("/review/1").json()["document"]["spans"] == []


def test_all_labels_are_offered_in_one_order(client: TestClient, opened: OpenReview) -> None:
    assert client.get("/review").json()["labels"] == ["City"]

    client.post("/review/1", json={"version": 0, "spans": [{"start": 0, "end": 1, "label": "Zone"}]})
    client.post("/review/0", json={"version": 0, "spans": [{"start": 2, "end": 3, "label": "Area"}]})

    assert client.get("/review").json()["labels"] == ["City", "Zone", "Area"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/review/2", {"version": 0, "spans": []}, 404),
        ("/review/0", [], 400),
        ("/review/0", {"version": "0", "spans": []}, 400),
        ("/review/0", {"version": 0, "spans": {}}, 400),
        ("/review/0", {"version": 0, "spans": [{"start": 0, "end": 99, "label": "X"}]}, 422),
        ("/review/0?offsets=utf16", {"version": 0, "spans": [{"start": 1, "end": 2, "label": "X"}]}, 400),
    ],
)
def test_wrong_decisions_are_refused(client: TestClient, path: str, body: Any, status: int) -> None:
    assert client.post(path, json=body).status_code == status
    assert client.get("/review").json()["decided"] == 0


def test_a_full_disk_is_said(client: TestClient, opened: OpenReview, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(opened.review, "decide", fail)

    answer = client.post("/review/0", json={"version": 0, "spans": []})

    assert answer.status_code == 507
    assert "No space left" in answer.json()["error"]["problem"]


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"origin": "https://a.org"}])
def test_a_foreign_host_or_page_is_told_where_the_review_is_and_of_no_option(
    client: TestClient, headers: dict[str, str]
) -> None:
    refused = client.get("/review", headers=headers)

    assert refused.status_code == 403
    assert "--" not in refused.json()["error"]["remedy"]
    assert "http://localhost" in refused.json()["error"]["remedy"]
