"""A review is opened with its documents, its journal and its model, or says why not."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.serving.review import opening
from linnet.serving.review.opening import open_review
from linnet.settings.review import ReviewSettings
from tests.serving.http.services import Finder, Judge, served


def prepare(folder: Path, **given: Any) -> ReviewSettings:
    records = [{"id": "a", "text": "in Bonn"}, {"id": "b", "text": "A"}, {"id": "c", "text": "no"}]
    (folder / "in.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    values = {"source": str(folder / "in.jsonl"), "output": str(folder / "out.jsonl"), **given}
    return ReviewSettings(**values)


@pytest.fixture
def finder(monkeypatch: pytest.MonkeyPatch) -> None:
    models = {"finder": Finder(), "judge": Judge()}
    monkeypatch.setattr(opening, "open_models", lambda given, *_, **__: {given[0]: served(models[given[0]], given[0])})


@pytest.mark.usefixtures("finder")
def test_the_model_proposes_mentions_and_the_least_confident_document_is_first(tmp_path: Path) -> None:
    with open_review(prepare(tmp_path, model="finder", least_confident_first=True)) as opened:
        found = [opened.review.current(number)[0] for number in range(3)]

    assert [document.id for document in found] == ["b", "a", "c"]
    assert [len(document.spans) for document in found] == [1, 1, 0]


@pytest.mark.usefixtures("finder")
def test_a_review_goes_on_where_it_was_left(tmp_path: Path) -> None:
    settings = prepare(tmp_path, model="finder")
    with open_review(settings) as opened:
        opened.review.decide(1, [], 0)
        assert opened.write_output() == 1

    with open_review(settings) as opened:
        assert opened.review.next_undecided() == 0
        assert opened.review.progress().decided == 1
    with open_review(settings.model_copy(update={"overwrite": True})) as opened:
        assert opened.review.progress().decided == 0
    assert json.loads((tmp_path / "out.jsonl").read_text())["id"] == "b"


def test_nothing_is_written_before_the_first_decision(tmp_path: Path) -> None:
    with open_review(prepare(tmp_path)) as opened:
        assert opened.write_output() == 0

    assert not (tmp_path / "out.jsonl").exists()
    assert opened.describe_training()[0] == f"linnet split {tmp_path}/out.jsonl {tmp_path}/out-corpus"


@pytest.mark.usefixtures("finder")
def test_what_cannot_be_reviewed_is_refused(tmp_path: Path) -> None:
    def refuse(kind: type[LinnetError], problem: str, **given: Any) -> None:
        with pytest.raises(kind, match=problem), open_review(prepare(tmp_path, **given)):
            pass

    (tmp_path / "other.jsonl").write_text("{}\n")
    refuse(BadFile, "exists already", output=str(tmp_path / "other.jsonl"))
    refuse(BadSetting, "is the input", output=str(tmp_path / "in.jsonl"))
    refuse(BadFile, "there is no such folder", output=str(tmp_path / "no" / "out.jsonl"))
    refuse(BadFile, "there is no such file", source=str(tmp_path / "nowhere.jsonl"))
    refuse(BadSetting, "predicts values for whole texts", model="judge")
    with open_review(prepare(tmp_path)):
        refuse(BadFile, "another process has this review open")


@pytest.mark.usefixtures("finder")
def test_mentions_of_the_documents_are_replaced_only_if_wanted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = prepare(tmp_path, model="finder")
    own = {"id": "a", "text": "in Bonn", "spans": [{"start": 0, "end": 2, "label": "X"}]}
    (tmp_path / "in.jsonl").write_text(json.dumps(own) + "\n")

    with pytest.raises(BadSetting, match=r"own mentions \(1\)") as refused, open_review(settings):
        pass
    assert "leave `--model` out" in (refused.value.remedy or "")
    assert not (tmp_path / "out.jsonl.journal").exists()

    with open_review(settings.model_copy(update={"replace": True})) as opened:
        assert opened.replaced == 1
        assert [span.label for span in opened.review.current(0)[0].spans] == ["Name"]
    assert "the model replaces the documents' own mentions (1)" in caplog.text


def test_what_the_output_leaves_out_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    pieces = {"start": 0, "end": 7, "label": "X", "fragments": [[0, 1], [3, 7]]}
    with open_review(prepare(tmp_path, output=str(tmp_path / "out.pubtator"))) as opened:
        opened.review.decide(0, [pieces], 0)
        opened.write_output()
        said = opened.describe_output()

    assert said[0] == "1 of 3 documents decided; 2 undecided are left out"
    assert any(each.startswith("pubtator cannot hold") for each in said[1:])
    assert [record.getMessage() for record in caplog.records] == [f"note: {each}" for each in said]


@pytest.mark.usefixtures("finder")
def test_an_output_of_other_documents_is_refused_by_their_names(tmp_path: Path) -> None:
    settings = prepare(tmp_path)
    with open_review(settings):
        pass
    (tmp_path / "new.jsonl").write_text('{"id": "z", "text": "new"}\n')
    old, new = tmp_path / "in.jsonl", tmp_path / "new.jsonl"

    def refusal(**changed: Any) -> BadFile:
        with pytest.raises(BadFile) as found, open_review(settings.model_copy(update=changed)):
            pass
        return found.value

    other = refusal(source=str(new))
    assert other.problem.endswith(f"this is a review of other documents ({old}, now {new})")
    assert "`--overwrite`" in (other.remedy or "")
    assert refusal(model="finder").problem.endswith("a review of other model (no model, now finder)")
    old.write_text(new.read_text())
    assert refusal().problem.endswith(f"({old} has changed since)")
