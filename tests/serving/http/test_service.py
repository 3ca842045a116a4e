"""Texts and documents in any format are annotated, linked and predicted, and wrong requests are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import WriteOptions, formats
from linnet.documents.document import Document, Span
from tests.serving.http.services import Finder, Judge, client_of, make_service

BONN = {"start": 3, "end": 7, "label": "Name", "text": "Bonn", "score": 0.9, "id": "T1"}


def post(content: Any, path: str = "/annotate", *, kind: str = "application/json", **options: Any) -> Any:
    service = options.pop("service", None) or make_service()
    body = content if isinstance(content, str | bytes) else json.dumps(content)
    headers = {"content-type": kind, **options.pop("headers", {})}
    with client_of(service) as client:
        return client.post(path, content=body, headers=headers, params=options)


def error_of(answer: Any) -> tuple[int, str, str]:
    found = answer.json()["error"]
    return answer.status_code, found["problem"], found["where"]


def test_one_text_is_annotated() -> None:
    answer = post({"text": "in Bonn"})

    assert answer.status_code == 200
    assert answer.json() == {
        "documents": [{"id": "1", "text": "in Bonn", "spans": [BONN]}],
        "model": "finder",
        "fingerprint": "fingerprint-of-finder",
        "vocabulary": None,
    }


@pytest.mark.parametrize(
    ("content", "kind", "ids"),
    [
        ({"texts": ["a", "b"]}, "application/json", ["1", "2"]),
        ({"texts": ["a"], "ids": ["x"]}, "application/json", ["x"]),
        (["a", "b"], "application/json", ["1", "2"]),
        ({"documents": [{"id": "d", "text": "a"}]}, "application/json; charset=utf-8", ["d"]),
        ("In Bonn", "text/plain", ["1"]),
        ("In Bonn\n", "", ["1"]),
    ],
)
def test_texts_come_in_several_shapes(content: Any, kind: str, ids: list[str]) -> None:
    assert [document["id"] for document in post(content, kind=kind).json()["documents"]] == ids


def test_mentions_are_chosen_by_label_and_confidence() -> None:
    def texts(**options: Any) -> list[str]:
        found = post({"text": "A Bonn"}, **options).json()["documents"][0]["spans"]
        return [span["text"] for span in found]

    assert texts() == ["A", "Bonn"]
    assert texts(min_score=0.5) == ["Bonn"]
    assert texts(labels="Letter") == ["A"]
    assert texts(labels="Letter,Name", min_score="0.95") == []


def test_offsets_can_be_counted_as_javascript_does() -> None:
    (span,) = post({"text": "😀 Bonn"}, offsets="utf16").json()["documents"][0]["spans"]

    assert (span["start"], span["end"]) == (3, 7)


def test_answers_come_in_the_format_of_the_request_or_the_one_that_is_wanted() -> None:
    pubtator = "1|t|In Bonn\n1|a|A\n\n"

    same = post(pubtator, kind="text/x-pubtator")
    named = post(pubtator, kind="text/x-pubtator", to="bioc-xml")
    accepted = post({"text": "In Bonn"}, headers={"accept": "text/html;q=0.2, application/x-ndjson"})

    assert same.headers["content-type"].startswith("text/x-pubtator")
    assert "1\t3\t7\tBonn\tName" in same.text
    assert same.headers["linnet-notes"].startswith("pubtator cannot hold scores")
    assert named.headers["content-type"] == "application/bioc+xml"
    assert json.loads(accepted.text)["infons"]["model"] == "fingerprint-of-finder"


@pytest.mark.parametrize("name", ["bioc-xml", "bioc-json", "pubannotation", "label-studio", "doccano", "jsonl"])
def test_documents_of_a_format_are_recognised_without_its_name(name: str, tmp_path: Path) -> None:
    formats.get(name).write([Document("d7", "In Bonn")], tmp_path / "x", WriteOptions())

    for kind in ("application/octet-stream", "application/json" if name != "bioc-xml" else "text/xml"):
        answer = post((tmp_path / "x").read_bytes(), kind=kind, to="json")
        assert [document["id"] for document in answer.json()["documents"]] == ["d7"], answer.text


def test_several_models_are_chosen_by_name() -> None:
    assert post({"text": "A b c"}, "/predict", model="judge").json()["predictions"] == [
        {"id": "1", "predicted": 3.0, "score": None}
    ]
    assert error_of(post({"text": "a"}, model="judge"))[0] == 422
    assert error_of(post({"text": "a"}, model="nobody")) == (
        404,
        "there is no model called 'nobody'",
        "parameter model",
    )


def test_a_model_that_cannot_do_this_says_what_it_does() -> None:
    status, problem, _ = error_of(post({"text": "a"}, service=make_service(Judge())))

    assert (status, problem) == (422, "the model 'judge' predicts values for texts (task counting)")
    assert error_of(post({"texts": ["a"]}, "/predict", service=make_service(Finder())))[0] == 422


def test_mentions_are_linked_where_a_vocabulary_is_loaded() -> None:
    linked = post({"text": "Bonn"}, service=make_service(links=True)).json()
    more = post({"text": "Bonn"}, service=make_service(links=True), candidates=3).json()
    without = post({"text": "Bonn"}, service=make_service(links=True), link="false").json()

    assert linked["documents"][0]["spans"][0]["links"] == [{"identifier": "bonn", "database": "X"}]
    assert (linked["vocabulary"], without["vocabulary"]) == ("v1", None)
    assert more["documents"][0]["spans"][0]["infons"] == {"candidates": "3"}
    assert "links" not in without["documents"][0]["spans"][0]


def test_mentions_of_documents_are_linked_alone() -> None:
    document = {"id": "1", "text": "In Bonn", "spans": [{"start": 3, "end": 7, "label": "City"}]}

    answer = post({"documents": [document]}, "/link", service=make_service(links=True))

    assert answer.json()["documents"][0]["spans"][0]["links"][0]["identifier"] == "bonn"
    assert answer.json()["model"] is None
    assert error_of(post({"documents": [document]}, "/link"))[:2] == (409, "no vocabulary is loaded")


def test_documents_are_converted_as_they_are() -> None:
    document = {"id": "1", "text": "😀 Bonn", "spans": [{"start": 3, "end": 7, "label": "City"}]}

    pubtator = post({"documents": [document]}, "/convert", to="pubtator", offsets="utf16")
    same = post({"documents": [document]}, "/convert", to="json", offsets="utf16")

    assert "1\t2\t6\tBonn\tCity" in pubtator.text
    assert [(span["start"], span["end"]) for span in same.json()["documents"][0]["spans"]] == [(3, 7)]
    inside = {**document, "spans": [{"start": 1, "end": 7, "label": "City"}]}
    assert error_of(post({"documents": [inside]}, "/convert", to="pubtator", offsets="utf16")) == (
        400, "the offset 1 lies inside of a character", "documents[0]",
    )  # fmt: skip


def test_the_name_of_a_file_is_its_id_and_a_hint() -> None:
    def post_file(content: str, name: str) -> Any:
        return post(content, kind="application/octet-stream", name=name, to="json").json()["documents"][0]["id"]

    assert post_file("In Bonn", "C:\\texts\\letter.txt") == "letter"
    assert post_file("In Bonn", "../../etc/passwd") == "passwd"
    assert post_file("In\tO\nBonn\tB-City\n", "a.conll") != "a"


def test_label_studio_gets_predictions_for_its_tasks() -> None:
    config = '<View><Labels name="l" toName="t"><Label value="NAME"/></Labels><Text name="t" value="$body"/></View>'
    body = {"tasks": [{"id": 5, "data": {"body": "A Bonn"}}], "label_config": config, "project": "1.2", "params": {}}

    with client_of(make_service()) as client:
        setup = client.post("/setup", json={"project": "1.2", "schema": config, "hostname": "", "access_token": ""})
        answer = client.post("/predict", json=body)

    version = setup.json()["model_version"]
    assert version == "finder-fingerprint-"
    assert answer.json()["model_version"] == version
    (result,) = answer.json()["results"][0]["result"]
    assert (result["from_name"], result["to_name"], result["type"]) == ("l", "t", "labels")
    assert result["value"] == {"start": 2, "end": 6, "text": "Bonn", "labels": ["NAME"]}
    assert answer.json()["results"][0]["score"] == 0.9


def test_doccano_gets_the_labels_of_a_text() -> None:
    assert post({"text": "😀 Bonn"}, "/doccano").json() == [{"label": "Name", "start_offset": 3, "end_offset": 7}]


@pytest.mark.parametrize(
    ("content", "kind", "options", "expected"),
    [
        ("", "application/json", {}, (400, "the body is empty", "body")),
        (" \n", "text/plain", {}, (400, "the body is empty", "body")),
        (b"a\n\xff", "text/plain", {}, (400, "this is not UTF-8 text (invalid start byte)", "body, line 2")),
        (b"a\0", "text/plain", {}, (400, "found a NUL character", "body, line 1")),
        ("x", "application/x-www-form-urlencoded", {}, (415, None, "header Content-Type")),
        ({"text": "a"}, "application/json", {"to": "brat"}, (400, None, "parameter to")),
        ({"text": "a"}, "application/json", {"from": "word"}, (400, None, "parameter from")),
        ({"text": "a"}, "application/json", {"size": "1"}, (400, None, "parameter size")),
        ({"text": "a"}, "application/json", {"min_score": "2"}, (400, "min_score is '2'", "parameter min_score")),
        ({"text": "a"}, "application/json", {"labels": "Gene"}, (400, None, "parameter labels")),
        ({"text": "a"}, "application/json", {"offsets": "bytes"}, (400, "offsets are 'bytes'", "parameter offsets")),
        ({"text": "a"}, "application/json", {"offsets": "utf16", "to": "bioc-xml"}, (400, None, "parameter offsets")),
        ({"text": "a"}, "application/json", {"headers": {"accept": "image/png"}}, (406, None, "header Accept")),
        ({"text": "a"}, "application/json", {"candidates": "21"}, (400, "candidates are '21'", "parameter candidates")),
        ({"text": "a"}, "application/json", {"link": "perhaps"}, (400, "link is 'perhaps'", "parameter link")),
        ({"text": "a"}, "application/json", {"link": "true"}, (409, "no vocabulary is loaded", "parameter link")),
        ({"text": 1}, "application/json", {}, (400, "the texts are no list of texts", "body")),
        ({"text": "a", "texts": []}, "application/json", {}, (400, "the body has text, texts", "body")),
        ({"texts": ["a", "b"], "ids": ["x", "x"]}, "application/json", {"to": "jsonl"}, (422, None, "documents")),
        ({"text": "a\ud800"}, "application/json", {}, (400, None, "body, line 1, column 12")),
        ({"text": "a"}, "application/json", {"labels": ["Name", "Letter"]}, (400, None, "parameter labels")),
        ('{"id": "1", "text": "a"}\n{"id": "2"}', "application/x-ndjson", {}, (400, None, "body, line 2")),
        (
            {"documents": [{"text": "a", "spans": [{"start": 0, "end": 9, "label": "X"}]}]},
            "application/json",
            {},
            (400, "document '1' has 0 to 9 marked, its text ends at 1", "documents[0]"),
        ),
        ("<a>", "application/bioc+xml", {}, (400, None, "body, line 1")),
        (b"\x1f\x8b\x08aaa", "application/x-ndjson", {}, (415, "the body is compressed", "body")),
    ],
)  # fmt: skip
def test_wrong_requests_are_refused_with_their_place(
    content: Any, kind: str, options: dict[str, Any], expected: tuple[int, str | None, str]
) -> None:
    status, problem, where = error_of(post(content, kind=kind, **options))

    assert (status, where) == (expected[0], expected[2])
    assert problem == (expected[1] or problem)
    assert "/tmp" not in problem


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/predict", {"texts": ["\ud800"]}),
        ("/predict", {"tasks": [{"data": {"text": "\ud800"}}]}),
        ("/predict", {"tasks": [{"data": {"text": "a"}}], "label_config": "\ud800"}),
        ("/setup", {"schema": "\ud800"}),
        ("/annotate", {"documents": [{"text": "a", "infons": {"k": "\ud800"}}]}),
        ("/convert", {"documents": [{"text": "a", "spans": [{"start": 0, "end": 1, "label": "\ud800"}]}]}),
    ],
)
def test_half_of_a_character_is_no_error_of_ours(path: str, content: Any) -> None:
    assert error_of(post(content, path))[:2] == (400, "found half of a character (a lone surrogate)")


def test_limits_are_stated_in_the_answer() -> None:
    large = post({"text": "a" * 3000}, service=make_service(max_body_mb=0.002))
    many = post({"texts": ["a", "b", "c"]}, service=make_service(max_documents=2))
    long = post({"text": "abc"}, service=make_service(max_characters=2))

    for answer, key, limit in ((large, "body_bytes", 2000), (many, "documents", 2), (long, "characters", 2)):
        assert answer.status_code == 413
        assert answer.json()["error"]["limits"][key] == limit


def test_a_document_that_breaks_the_model_is_named() -> None:
    answer = post({"texts": ["fine", "Broken one"]}, service=make_service(Finder(breaks_on="Broken")))

    status, problem, where = error_of(answer)
    assert (status, where) == (422, "documents")
    assert problem.startswith("document '2': RuntimeError")


def test_former_mentions_are_replaced() -> None:
    document = Document("1", "In Bonn", (Span(0, 2, "Old"),))
    body = {"documents": [{"text": document.text, "spans": [{"start": 0, "end": 2, "label": "Old"}]}]}

    labels = [span["label"] for span in post(body).json()["documents"][0]["spans"]]

    assert labels == ["Name", "Name"]
