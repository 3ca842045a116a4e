"""Models are loaded once under their names, and answer as `linnet annotate` does, byte for byte."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from linnet.annotation.annotate import annotate_path
from linnet.batches.encoding import WordEncoder
from linnet.contracts import WriteOptions, formats, readable_formats, writable_formats
from linnet.documents.document import Document, Passage
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.serving.http.batching import Limits
from linnet.serving.http.linking import open_shared_linker
from linnet.serving.http.media_types import media_type_of
from linnet.serving.http.served_models import ServedModel, open_models
from linnet.serving.http.service import Service
from tests import text_corpora, tiny
from tests.serving.http.services import Judge, client_of, served, settings

TITLES = [" ".join(word for word, _ in row) for row in tiny.sentences(6, 11)]
BOTH_WAYS = [name for name in readable_formats() if name in writable_formats() and formats.get(name).suffixes]


@pytest.fixture(scope="module")
def model() -> ServedModel:
    return open_models([str(tiny.trained())], Limits(wait_seconds=0.0))["trained"]


def documents() -> list[Document]:
    return [
        Document(
            str(number),
            f"{title}\n{title} 😀",
            passages=(Passage(0, len(title), {"type": "title"}), Passage(len(title) + 1, 2 * len(title) + 3)),
        )
        for number, title in enumerate(TITLES, 101)
    ]


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_answers_equal_those_of_the_command_byte_for_byte(name: str, model: ServedModel, tmp_path: Path) -> None:
    source = tmp_path / f"in{formats.get(name).suffixes[0]}"
    formats.get(name).write(documents(), source, WriteOptions())
    service = Service(settings(), {"trained": model})

    for to in sorted({name, "jsonl", "parquet"}):
        output = tmp_path / f"out.{to}"
        annotate_path(source, model=tiny.trained(), output=output, source_format=name, target_format=to)
        answer = client_of(service).post(  # without `with`, which would end the service
            "/annotate",
            content=source.read_bytes(),
            headers={"content-type": media_type_of(name)},
            params={"to": to, "from": name},
        )
        assert answer.status_code == 200, answer.text
        assert answer.content == output.read_bytes()


def test_linked_answers_equal_those_of_the_command_byte_for_byte(model: ServedModel, tmp_path: Path) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    formats.get("jsonl").write(documents(), source, WriteOptions())
    client = client_of(Service(settings(), {"trained": model}, open_shared_linker(["demo"], 0.3)))

    for candidates in (0, 2):
        annotate_path(
            source,
            model=tiny.trained(),
            output=output,
            link=["demo"],
            min_link_score=0.3,
            candidates=candidates,
            overwrite=True,
        )
        headers = {"content-type": "application/x-ndjson"}
        params = {"candidates": candidates}
        answer = client.post("/annotate", content=source.read_bytes(), headers=headers, params=params)
        assert answer.content == output.read_bytes()
    assert b'"links"' in answer.content
    linked = client.post("/link", content=answer.content, headers=headers, params=params)
    assert linked.content == answer.content


def test_models_have_names() -> None:
    place = tiny.trained()

    found = open_models([f"ner={place}", str(place)], Limits())

    assert list(found) == ["ner", "trained"]
    about = found["ner"].as_dict()
    assert (about["task"], about["annotates"], about["labels"]) == ("ner", True, ["Chemical", "Disease"])
    assert str(place.parent) not in str(about)


@pytest.mark.parametrize(("given", "kind"), [(["nowhere/at/all"], LinnetError), (["a=nowhere/at/all"], LinnetError)])
def test_a_missing_model_is_refused(given: list[str], kind: type[LinnetError]) -> None:
    with pytest.raises(kind, match="nowhere"):
        open_models(given, Limits())


def test_chosen_mentions_are_those_that_the_command_chooses(tmp_path: Path) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"  # with the thresholds, PD has the score of its name
    text = "Parkinson disease (PD) is common. PD was seen in mice with breast cancer (BC). Aspirin for BC."
    formats.get("jsonl").write([Document("1", text)], source, WriteOptions())
    service = Service(settings(), open_models(["bio"], Limits(wait_seconds=0.0)))

    with client_of(service) as client:
        for least, labels in ((0.962, ()), (0.962, ("Disease", "Species")), (0.0, ()), (None, ("Species", "Disease"))):
            chosen: dict[str, Any] = {} if least is None else {"min_score": least}
            annotate_path(source, output=output, keep_labels=labels, overwrite=True, **chosen)
            asked: dict[str, Any] = {**chosen, **({"labels": ",".join(labels)} if labels else {})}
            headers = {"content-type": "application/x-ndjson"}
            answer = client.post("/annotate", content=source.read_bytes(), headers=headers, params=asked)
            assert answer.content == output.read_bytes(), asked


@pytest.mark.parametrize(
    "least", [["0.962"], ["Disease=0.97"], ["0.9", "Disease=0.99"]], ids=["all", "one label", "both"]
)
def test_thresholds_of_the_service_give_what_those_of_the_command_give(least: list[str], tmp_path: Path) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    text = "Parkinson disease (PD) is common. PD was seen in mice with breast cancer (BC). Aspirin for BC."
    formats.get("jsonl").write([Document("1", text)], source, WriteOptions())
    chosen = settings(min_score=least)
    service = Service(chosen, open_models(["bio"], Limits(wait_seconds=0.0), min_score=chosen.min_score))
    headers = {"content-type": "application/x-ndjson"}

    with client_of(service) as client:
        annotate_path(source, output=output, min_score=least)
        assert client.post("/annotate", content=source.read_bytes(), headers=headers).content == output.read_bytes()
        assert client.get("/models").json()["models"][0]["min_score"] == chosen.min_score
        annotate_path(source, output=output, overwrite=True, min_score=0.0)
        params = {"min_score": "0"}  # a request's own threshold stands in place of all of them
        answer = client.post("/annotate", content=source.read_bytes(), headers=headers, params=params)
        assert answer.content == output.read_bytes()


def test_each_model_has_the_thresholds_of_its_labels(model: ServedModel) -> None:
    place = str(tiny.trained())

    found = open_models([place, "bio"], Limits(), min_score={"Gene": 0.7, "Disease": 0.5})

    assert [each.min_score for each in found.values()] == [{"Disease": 0.5}, {"Gene": 0.7, "Disease": 0.5}]
    assert model.min_score == {}


def test_a_threshold_that_no_model_can_use_is_refused() -> None:
    for others in ({}, {"*": 0.5}):
        with pytest.raises(BadSetting, match="for Planet, and no model finds such mentions") as refused:
            open_models(["bio"], Limits(), min_score={"Planet": 0.7, **others})
        assert refused.value.remedy == "choose from CellLine, Chemical, Disease, Gene, Species, Variant"
    with pytest.raises(BadSetting, match="for all labels, and no model"):
        open_models([str(text_corpora.trained("classification"))], Limits(), min_score={"*": 0.5})


def test_requests_with_other_thresholds_are_annotated_together() -> None:
    given = [(Document("1", "Parkinson disease (PD). PD"), least) for least in (None, 0.999, None)]
    compute = open_models(["bio"], Limits())["bio"].batcher._work.compute

    found = compute([given[:2], given[2:]])

    assert [[bool(document.spans) for document in group] for group in found] == [[True, False], [True]]


def test_two_models_of_one_name_are_refused() -> None:
    with pytest.raises(BadSetting, match="two models are called 'trained'"):
        open_models([str(tiny.trained())] * 2, Limits())


def test_texts_of_several_requests_are_predicted_together() -> None:
    model = served(Judge(), "judge")
    compute = model.batcher._work.compute

    found = compute([["a b", "c"], ["d"]])

    assert [[(each.id, each.predicted) for each in group] for group in found] == [
        [("1", 2.0), ("2", 1.0)],
        [("1", 1.0)],
    ]


def test_a_link_that_leads_to_itself_is_refused(tmp_path: Path) -> None:  # found by the campaign: a traceback
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(BadFile, match="loop: cannot be accessed"):
        open_models([str(tmp_path / "loop")], Limits())


def test_a_request_that_is_cancelled_while_its_only_document_is_prepared_stops_costing(
    model: ServedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n".join(f"Word{number} has caused pain." for number in range(20_000))
    started, go_on = Event(), Event()
    encoded: list[int] = []
    encode_some = WordEncoder._encode_some

    def encode(encoder: WordEncoder, sentences: Sequence[Sequence[str]]) -> Iterator[Any]:
        for encoding in encode_some(encoder, sentences):
            encoded.append(1)
            started.set()
            assert go_on.wait(5)
            yield encoding

    monkeypatch.setattr(WordEncoder, "_encode_some", encode)
    job = model.batcher.submit([(Document("1", text), None)])
    assert started.wait(10)
    job.cancel()
    go_on.set()

    with pytest.raises(LinnetError, match="cancelled"):
        job.future.result(5)
    assert len(encoded) < 2000
    assert model.batcher.waiting == 0
