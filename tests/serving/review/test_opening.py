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


def test_an_order_by_confidence_needs_confidences(tmp_path: Path) -> None:
    settings = prepare(tmp_path, least_confident_first=True)
    span = {"start": 3, "end": 7, "label": "L"}
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "text": "in Bonn", "spans": [span]}) + "\n")

    with pytest.raises(BadSetting, match="no mention has a confidence"), open_review(settings):
        pass


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


@pytest.mark.usefixtures("finder")
def test_labels_are_the_chosen_ones_those_of_the_model_and_those_of_the_documents(tmp_path: Path) -> None:
    settings = prepare(tmp_path)
    spans = [{"start": 0, "end": 2, "label": label} for label in ("Zone", "Area")]
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "text": "in Bonn", "spans": spans}) + "\n")

    def labels(**changed: Any) -> list[str]:
        with open_review(settings.model_copy(update={"overwrite": True, **changed})) as opened:
            return opened.review.labels

    assert labels() == ["Area", "Zone"]
    assert labels(labels=("Sea", "Zone")) == ["Sea", "Zone", "Area"]
    assert labels(model="finder", replace=True) == ["Letter", "Name"]


def test_labels_that_a_person_gave_keep_their_order_when_the_review_is_opened_again(tmp_path: Path) -> None:
    settings = prepare(tmp_path, labels=("City",))
    with open_review(settings) as opened:
        opened.review.decide(2, [{"start": 0, "end": 2, "label": "Zone"}], 0)
        opened.review.decide(0, [{"start": 0, "end": 2, "label": "Area"}], 0)
        opened.review.decide(2, [{"start": 0, "end": 2, "label": "City"}], 1)

    with open_review(settings) as opened:
        assert opened.review.labels == ["City", "Zone", "Area"]


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
    with open_review(settings) as opened:
        opened.review.decide(0, [], 0)
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


def test_an_output_of_other_mentions_in_the_same_texts_is_refused(tmp_path: Path) -> None:
    settings = prepare(tmp_path)
    with open_review(settings) as opened:
        opened.review.decide(0, [{"start": 3, "end": 7, "label": "City"}], 0)
    kept = (tmp_path / "out.jsonl.journal").read_bytes()
    others = [json.loads(line) for line in (tmp_path / "in.jsonl").read_text().splitlines()]
    others[1]["spans"] = [{"start": 0, "end": 1, "label": "Letter"}]
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(each) + "\n" for each in others))

    with (
        pytest.raises(BadFile, match=r"a review of other mentions \(.*in\.jsonl, now .*gold\.jsonl\)"),
        open_review(settings.model_copy(update={"source": str(tmp_path / "gold.jsonl")})),
    ):
        pass

    assert (tmp_path / "out.jsonl.journal").read_bytes() == kept


def test_a_journal_of_an_earlier_version_goes_on_and_a_note_says_what_it_does_not_know(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = prepare(tmp_path)
    with open_review(settings) as opened:
        opened.review.decide(0, [], 0)
    path = tmp_path / "out.jsonl.journal"
    head, rest = path.read_text().split("\n", 1)
    earlier = {key: value for key, value in json.loads(head).items() if key != "mentions"}
    path.write_text(json.dumps(earlier) + "\n" + rest)

    with open_review(settings) as opened:
        assert opened.review.progress().decided == 1

    assert "does not say with which mentions it began" in caplog.text


@pytest.mark.parametrize("name", ["source", "output"])
def test_a_link_that_leads_to_itself_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")

    with (
        pytest.raises(BadFile, match=r"loop\.jsonl: cannot be accessed"),
        open_review(prepare(tmp_path, **{name: str(tmp_path / "loop.jsonl")})),
    ):
        pass


@pytest.mark.parametrize(
    ("output", "given"),
    [("z.csv", {}), ("z.csv.gz", {}), ("z.parquet", {}), ("z.out", {"target_format": "csv"})],
)
def test_an_output_that_can_only_be_written_is_refused_at_the_start(
    tmp_path: Path, output: str, given: dict[str, Any]
) -> None:
    settings = prepare(tmp_path, output=str(tmp_path / output), **given)

    with pytest.raises(BadSetting, match="can only be written") as refused, open_review(settings):
        pass

    assert f"{tmp_path / 'z.jsonl'}" in refused.value.remedy
    assert [each.name for each in tmp_path.iterdir()] == ["in.jsonl"]
