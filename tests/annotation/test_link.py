"""Linking the mentions of files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation import blocks, ray_job
from linnet.annotation.annotate import collect_settings
from linnet.annotation.link import link_path
from linnet.annotation.work import Work
from linnet.contracts import Notes, ReadOptions, WriteOptions, formats, readable_formats, writable_formats
from linnet.documents.document import Document, Link, Passage, Span
from linnet.errors import BadFile, BadSetting
from linnet.settings.annotation import AnnotateSettings
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.sources import build

BOTH_WAYS = [name for name in readable_formats() if name in writable_formats()]
WITH_CONCEPTS = [name for name in BOTH_WAYS if name not in ("conll", "doccano")]
TEXT = "breast cancer after tacrolimus"
SPANS = (Span(0, 13, "Disease"), Span(20, 30, "Chemical"))


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("link")).folder


def documents(number: int = 5) -> list[Document]:
    whole = (Passage(0, len(TEXT), {"type": "title"}),)
    return [Document(str(each), TEXT, SPANS, passages=whole, infons={"model": "m"}) for each in range(1, number + 1)]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    formats.get("jsonl").write(documents(), tmp_path / "in.jsonl", WriteOptions())
    return tmp_path / "in.jsonl"


def read(path: Path, format: str = "jsonl") -> list[Document]:
    return list(formats.get(format).read(path, ReadOptions(), Notes()))


@pytest.mark.parametrize("format", BOTH_WAYS)
def test_mentions_of_any_format_are_linked(tmp_path: Path, vocabulary: Path, format: str) -> None:
    given = tmp_path / f"in{(*formats.get(format).suffixes, '')[0]}"
    formats.get(format).write(documents(), given, WriteOptions())

    done = link_path(given, vocabulary=vocabulary, output=tmp_path / "out.jsonl", source_format=format)

    found = read(tmp_path / "out.jsonl")
    assert [[span.links for span in each.spans] for each in found] == [
        [
            (Link("mesh:D001943", "MESH", "Breast Neoplasms", 1.0),),
            (Link("mesh:D016559", "MESH", "Tacrolimus", 1.0),),
        ]
    ] * len(found)
    assert (done.mentions, done.linked) == (10, 10)


@pytest.mark.parametrize("format", WITH_CONCEPTS)
def test_formats_with_concepts_hold_the_identifiers(
    source: Path, tmp_path: Path, vocabulary: Path, format: str
) -> None:
    output = tmp_path / f"out{(*formats.get(format).suffixes, '')[0]}"

    link_path(source, vocabulary=vocabulary, output=output, target_format=format)

    first = read(output, format)[0]
    assert [[link.identifier for link in span.links] for span in first.spans] == [["mesh:D001943"], ["mesh:D016559"]]


def test_documents_name_the_vocabulary_and_keep_the_model_of_their_mentions(
    source: Path, tmp_path: Path, vocabulary: Path
) -> None:
    link_path(source, vocabulary=vocabulary, output=tmp_path / "out.jsonl")

    infons = read(tmp_path / "out.jsonl")[0].infons
    assert infons["vocabulary"] == open_vocabulary(vocabulary).hash
    assert infons["model"] == "m"
    assert "vocabulary vocabulary; links from a score of" in infons["linked_by"]
    assert "annotated_by" not in infons


def test_links_of_before_are_replaced_and_counted(tmp_path: Path, vocabulary: Path) -> None:
    old = Document("1", TEXT, (Span(0, 13, "Disease", links=(Link("D1"),)),))
    formats.get("jsonl").write([old], tmp_path / "in.jsonl", WriteOptions())

    done = link_path(tmp_path / "in.jsonl", vocabulary=vocabulary, output=tmp_path / "out.jsonl")

    assert read(tmp_path / "out.jsonl")[0].spans[0].links[0].identifier == "mesh:D001943"
    assert any("links of the input, replaced" in note and "`--keep-links`" in note for note in done.notes)


def test_links_of_before_are_kept_on_request_and_other_mentions_are_linked(tmp_path: Path, vocabulary: Path) -> None:
    old = Document("1", TEXT, (Span(0, 13, "Disease", links=(Link("D1"),)), SPANS[1]))
    formats.get("jsonl").write([old], tmp_path / "in.jsonl", WriteOptions())

    done = link_path(tmp_path / "in.jsonl", vocabulary=vocabulary, output=tmp_path / "out.jsonl", keep_links=True)

    (found,) = read(tmp_path / "out.jsonl")
    assert [[link.identifier for link in span.links] for span in found.spans] == [["D1"], ["mesh:D016559"]]
    assert (done.linked, done.notes) == (2, [])
    assert found.infons["linked_by"].endswith("; mentions with a link kept it")


def test_a_job_that_replaces_links_cannot_go_on_with_keeping_them(
    source: Path, tmp_path: Path, vocabulary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)
    with pytest.raises(KeyboardInterrupt):
        link_path(source, vocabulary=vocabulary, output=tmp_path / "out.jsonl", watcher=interrupt)

    with pytest.raises(BadFile, match="keep links"):
        link_path(source, vocabulary=vocabulary, output=tmp_path / "out.jsonl", keep_links=True, resume=True)


def test_an_interrupted_job_goes_on_and_ends_with_the_same_bytes(
    source: Path, tmp_path: Path, vocabulary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)
    whole, resumed = tmp_path / "whole.jsonl", tmp_path / "resumed.jsonl"
    link_path(source, vocabulary=vocabulary, output=whole)

    with pytest.raises(KeyboardInterrupt):
        link_path(source, vocabulary=vocabulary, output=resumed, watcher=interrupt)
    done = link_path(source, vocabulary=vocabulary, output=resumed, resume=True)

    assert done.kept_documents
    assert resumed.read_bytes() == whole.read_bytes()


def interrupt(_: int) -> None:
    raise KeyboardInterrupt


def test_another_vocabulary_cannot_go_on_with_a_job(
    source: Path, tmp_path: Path, vocabulary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)
    (tmp_path / "other").mkdir()
    other = build(tmp_path / "other", "id\tname\nmesh:D009369\tCancer\n").folder
    hashes = [open_vocabulary(each).hash for each in (vocabulary, other)]

    with pytest.raises(KeyboardInterrupt):
        link_path(source, vocabulary=vocabulary, output=tmp_path / "out.jsonl", watcher=interrupt)
    with pytest.raises(BadFile) as caught:
        link_path(source, vocabulary=other, output=tmp_path / "out.jsonl", resume=True)

    assert all(each in caught.value.problem for each in hashes)


def test_workers_of_a_cluster_write_the_same_bytes(
    source: Path, tmp_path: Path, vocabulary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 1)

    def rows(settings: AnnotateSettings, work: Work, done_before: frozenset[int]) -> Iterator[dict[str, Any]]:
        workers = [ray_job._Annotator(settings, str(work.folder)) for _ in range(2)]
        for row in ray_job._wait_for_blocks({}, str(work.folder), done_before):
            number = int(row["number"][0])
            yield workers[number % 2]({"number": number})

    monkeypatch.setattr(ray_job, "_annotate_on_actors", rows)
    link_path(source, vocabulary=vocabulary, output=tmp_path / "alone.jsonl", candidates=2)
    link_path(source, vocabulary=vocabulary, output=tmp_path / "ray.jsonl", candidates=2, ray="local")

    assert (tmp_path / "ray.jsonl").read_bytes() == (tmp_path / "alone.jsonl").read_bytes()


def test_a_document_with_a_mention_outside_its_text_fails_and_the_others_are_linked(
    tmp_path: Path, vocabulary: Path
) -> None:
    rows = [{"id": "bad", "text": "fever", "spans": [{"start": 0, "end": 99, "label": "X"}]}, {"id": "", "text": ""}]
    (tmp_path / "in.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    done = link_path(tmp_path / "in.jsonl", vocabulary=vocabulary, output=tmp_path / "out.jsonl")

    assert (done.documents, done.failures, done.mentions) == (1, 1, 0)
    assert "0 to 99" in (tmp_path / "errors.jsonl").read_text(encoding="utf-8")
    assert any("no document has a mention" in note for note in done.notes)


def test_a_vocabulary_that_is_cut_off_leaves_nothing_behind(source: Path, tmp_path: Path) -> None:
    (tmp_path / "v").mkdir()
    folder = build(tmp_path / "v").folder
    names = folder / "names.npy"
    names.write_bytes(names.read_bytes()[:-3])
    before = sorted(tmp_path.iterdir())

    with pytest.raises(BadFile, match=r"names\.npy: is cut off"):
        link_path(source, vocabulary=folder, output=tmp_path / "out.jsonl")

    assert sorted(tmp_path.iterdir()) == before


def test_a_vocabulary_is_named_alone_in_a_list_and_by_label(source: Path, tmp_path: Path, vocabulary: Path) -> None:
    given: list[Any] = [vocabulary, [str(vocabulary)], {"Disease": vocabulary}]

    alone, listed, by_label = (
        link_path(source, vocabulary=each, output=tmp_path / f"{number}.jsonl") for number, each in enumerate(given)
    )

    assert (tmp_path / "0.jsonl").read_bytes() == (tmp_path / "1.jsonl").read_bytes()
    assert alone.labels == listed.labels == by_label.labels
    assert collect_settings(source, output="o", link="demo").link == ("demo",)
    assert collect_settings(source, output="o", link={"Disease": "demo"}).link == ("Disease=demo",)


def test_settings_out_of_range_are_refused(source: Path, tmp_path: Path, vocabulary: Path) -> None:
    with pytest.raises(BadSetting, match="link: 1 problem with the settings\n  --min-score: "):
        link_path(source, vocabulary=vocabulary, output=tmp_path / "out.jsonl", min_score=2)
