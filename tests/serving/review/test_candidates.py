"""Mentions of a document that was decided on have candidates again."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from linnet.documents.document import Document, Link, Span
from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from linnet.serving.http.linking import SharedLinker
from linnet.serving.http.reviewing import ReviewRoutes
from linnet.serving.http.service import Service
from linnet.serving.review import opening
from linnet.serving.review.candidates import add_candidates
from linnet.serving.review.opening import open_review
from linnet.settings.review import ReviewSettings
from tests.serving.http.page_actions import Lister
from tests.serving.http.services import Marker
from tests.serving.http.services import settings as serve_settings


def test_identifiers_stay_and_candidates_are_added_to_old_and_new_mentions() -> None:
    own = Link("mesh:D000002", "MESH", name="Third")
    document = Document("1", "Mesh Gene", (Span(0, 4, "X", links=(own,), infons={"note": "n"}), Span(5, 9, "X")))

    found = add_candidates(document, SharedLinker(Lister))

    assert [span.links for span in found.spans] == [(own,), ()]
    assert [len(json.loads(span.infons["candidates"])[0]) for span in found.spans] == [3, 3]
    assert found.spans[0].infons["note"] == "n"


def test_a_document_that_is_opened_again_has_candidates_and_the_output_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "open_shared_linker", lambda _: SharedLinker(Lister, ["letters"]))
    (tmp_path / "in.jsonl").write_text('{"id": "a", "text": "Mesh", "spans": [{"start": 0, "end": 4, "label": "X"}]}\n')
    settings = ReviewSettings(source=str(tmp_path / "in.jsonl"), output=str(tmp_path / "out.jsonl"), link=("letters",))

    with open_review(settings) as opened:
        before = opened.show(0)[0].spans[0].infons["candidates"]
        opened.review.decide(0, [{"start": 0, "end": 4, "label": "X", "links": [{"identifier": "mesh:D000002"}]}], 0)
        (span,) = opened.show(0)[0].spans
        opened.write_output()

    assert span.infons["candidates"] == before
    assert [link.identifier for link in span.links] == ["mesh:D000002"]
    assert "candidates" not in (tmp_path / "out.jsonl").read_text()


def test_a_linker_without_candidates_changes_nothing() -> None:
    document = Document("1", "Mesh", (Span(0, 4, "X"),))

    class Plain(Marker):
        def __init__(self, _: int) -> None:
            super().__init__(0)

    assert add_candidates(document, SharedLinker(Plain)) == document


def test_a_program_that_sends_back_what_it_was_shown_leaves_no_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "open_shared_linker", lambda _: SharedLinker(Lister, ["letters"]))
    (tmp_path / "in.jsonl").write_text(
        '{"id": "a", "text": "Mesh", "spans": [{"start": 0, "end": 4, "label": "X", "infons": {"note": "n"}}]}\n'
    )
    settings = ReviewSettings(source=str(tmp_path / "in.jsonl"), output=str(tmp_path / "out.jsonl"), link=("letters",))

    with open_review(settings) as opened:
        routes = ReviewRoutes(opened, serve_settings())
        app = build_application(Service(serve_settings(), {}, opened.linker), Access(), routes)
        with TestClient(app, base_url="http://localhost") as client:
            shown = client.get("/review/0").json()["document"]["spans"]
            answer = client.post("/review/0", json={"version": 0, "spans": shown})
            again = client.get("/review/0").json()["document"]["spans"]
            client.post("/review/output")

    assert answer.status_code == 200
    assert again[0]["infons"].keys() == {"note", "candidates"} == shown[0]["infons"].keys()
    decided = json.loads((tmp_path / "out.jsonl.journal").read_text().splitlines()[1])["spans"]
    written = json.loads((tmp_path / "out.jsonl").read_text())["spans"]
    assert decided[0]["infons"] == written[0]["infons"] == {"note": "n"}


def test_candidates_in_the_journal_of_an_earlier_version_do_not_reach_the_output(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "a", "text": "Mesh"}\n')
    settings = ReviewSettings(source=str(tmp_path / "in.jsonl"), output=str(tmp_path / "out.jsonl"))
    journal = tmp_path / "out.jsonl.journal"
    with open_review(settings) as opened:
        opened.review.decide(0, [{"start": 0, "end": 4, "label": "X", "infons": {"other": "[]"}}], 0)
    journal.write_text(journal.read_text().replace('"other"', '"candidates"'))

    with open_review(settings) as opened:
        opened.write_output()

    assert "candidates" not in (tmp_path / "out.jsonl").read_text()


def test_mentions_keep_the_identifiers_that_they_bring_and_others_are_linked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "open_shared_linker", lambda _: SharedLinker(Lister, ["letters"]))
    own = {"identifier": "omim:1", "database": "OMIM"}
    spans = [{"start": 0, "end": 4, "label": "X", "links": [own]}, {"start": 5, "end": 9, "label": "X"}]
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "text": "Mesh Mesh", "spans": spans}) + "\n")
    settings = ReviewSettings(source=str(tmp_path / "in.jsonl"), output=str(tmp_path / "out.jsonl"), link=("letters",))

    with open_review(settings) as opened:
        given, filled = opened.show(0)[0].spans

    assert [link.identifier for link in given.links] == ["omim:1"]
    assert filled.links
    assert [len(json.loads(span.infons["candidates"])[0]) for span in (given, filled)] == [3, 3]
