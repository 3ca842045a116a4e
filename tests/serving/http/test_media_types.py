"""Media types and names are understood as formats."""

import sys

import pytest

from linnet.extras import install_command
from linnet.serving.http.media_types import answer_format, media_type_of, readable_names, request_format, writable_names
from linnet.serving.http.refusals import Refusal


@pytest.mark.parametrize(
    ("content_type", "wanted", "expected"),
    [
        ("application/json; charset=utf-8", None, "json"),
        ("TEXT/PLAIN", None, "text"),
        ("application/jsonl", None, "jsonl"),
        ("text/xml", None, "auto"),
        ("", None, "auto"),
        ("application/x-www-form-urlencoded", "PubTator", "pubtator"),
        ("text/plain", "lines", "lines"),
    ],
)
def test_the_format_of_a_body(content_type: str, wanted: str | None, expected: str) -> None:
    assert request_format(content_type, wanted) == expected


@pytest.mark.parametrize(
    ("accept", "wanted", "expected"),
    [
        ("", None, "pubtator"),
        ("*/*", None, "pubtator"),
        ("text/x-pubtator", None, "pubtator"),
        ("application/json;q=0.5, application/bioc+xml", None, "bioc-xml"),
        ("text/html, application/json;q=0.1", None, "json"),
        ("application/xml", None, "bioc-xml"),
        ("image/png", "jsonl", "jsonl"),
    ],
)
def test_the_format_of_an_answer(accept: str, wanted: str | None, expected: str) -> None:
    assert answer_format(accept, wanted, "pubtator") == expected


@pytest.mark.parametrize("accept", ["image/png", "application/json;q=0", "application/json;q=much"])
def test_what_cannot_be_answered_is_refused(accept: str) -> None:
    with pytest.raises(Refusal) as caught:
        answer_format(accept, None, "pubtator")

    assert caught.value.status == 406


def test_folders_are_not_sent() -> None:
    assert "brat" not in (*readable_names(), *writable_names())
    assert {"json", "text", "lines", "jats"} <= set(readable_names())
    assert "jats" not in writable_names()
    assert media_type_of("brackets") == "text/plain; charset=utf-8"  # a format of another package


def test_a_format_whose_package_is_missing_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "parquet" not in readable_names()
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    assert "parquet" not in writable_names()
    with pytest.raises(Refusal, match="no answer can be given as"):
        answer_format("application/vnd.apache.parquet", None, "json")
    with pytest.raises(Refusal, match="parquet needs pyarrow") as caught:
        answer_format("", "parquet", "json")
    assert (caught.value.status, caught.value.where) == (400, "parameter to")
    assert caught.value.remedy == f"where the service runs: {install_command('pyarrow')}"
