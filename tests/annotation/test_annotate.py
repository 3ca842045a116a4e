"""Annotating a file or folder: exact offsets, scores and order, whatever comes in and whatever goes out."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation import blocks
from linnet.annotation.annotate import Annotated, annotate_path, collect_settings
from linnet.annotation.work import Work
from linnet.batches.encoding import EncodedWindow, WordEncoder
from linnet.contracts import Notes, ReadOptions, WriteOptions, formats, readable_formats, writable_formats
from linnet.documents.document import Document, Span
from linnet.errors import BadFile, UnknownName
from linnet.settings.annotation import AnnotateSettings
from linnet.tasks.ner.predictor import load
from tests import tiny

BOTH_WAYS = [name for name in readable_formats() if name in writable_formats()]
TEXTS = [" ".join(word for word, _ in row) for row in tiny.sentences(5, 11)]
FOUND = [("cystic fibrosis", "Disease"), ("folic acid", "Chemical")]
TEXT = "cystic fibrosis was treated with folic acid ."


def read(path: Path, format: str) -> list[Document]:
    return list(formats.get(format).read(path, ReadOptions(), Notes()))


def mentions(document: Document) -> list[tuple[str, str]]:
    return [(text, span.label) for span, text in document.mentions()]


def expected() -> list[list[tuple[str, str]]]:
    """Return what the model finds in each text."""
    return [mentions(document) for document in load(tiny.trained()).annotate(TEXTS)]


def folder_of(texts: list[str], folder: Path) -> Path:
    folder.mkdir()
    for number, text in enumerate(texts, 1):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("format", BOTH_WAYS)
def test_every_format_holds_what_was_found(tmp_path: Path, format: str) -> None:
    output = tmp_path / f"out{(*formats.get(format).suffixes, '')[0]}"

    done = annotate_path(folder_of(TEXTS, tmp_path / "in"), model=tiny.trained(), output=output, target_format=format)

    documents = read(output, format)
    assert [mentions(document) for document in documents] == expected()
    assert [document.id for document in documents] == ["1", "2", "3", "4", "5"]
    assert (done.documents, done.mentions) == (5, sum(map(len, expected())))
    assert done.mentions > 4
    assert done.tokens == sum(len(row) for row in tiny.sentences(5, 11))


@pytest.mark.parametrize("format", BOTH_WAYS)
def test_every_format_can_be_annotated(tmp_path: Path, format: str) -> None:
    source = tmp_path / f"in{(*formats.get(format).suffixes, '')[0]}"
    documents = [Document(str(number), text, (Span(0, 2, "Old", id="T1"),)) for number, text in enumerate(TEXTS, 1)]
    formats.get(format).write(documents, source, WriteOptions())

    done = annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl", source_format=format)

    found = read(tmp_path / "out.jsonl", "jsonl")
    assert [mentions(document) for document in found] == expected()
    assert [document.id for document in found] == ["1", "2", "3", "4", "5"]
    assert any("mentions of the input, replaced by predicted ones: 5" in note for note in done.notes)
    scores = [span.score for document in found for span in document.spans]
    assert all(score is not None and 0 < score <= 1 for score in scores)


def test_offsets_refer_to_the_text_that_was_given(tmp_path: Path) -> None:
    text = f"\t{TEXT}\r\n\r\n\u00a0 {TEXT}\n"
    (tmp_path / "in.txt").write_bytes(text.encode())

    annotate_path(tmp_path / "in.txt", model=tiny.trained(), output=tmp_path / "out.jsonl")

    [document] = read(tmp_path / "out.jsonl", "jsonl")
    assert document.text == text
    assert mentions(document) == FOUND * 2


def test_long_empty_and_blank_documents_keep_their_place(tmp_path: Path) -> None:
    texts = ["", " \n\t ", "\n\n".join([TEXT] * 150), TEXT]

    done = annotate_path(folder_of(texts, tmp_path / "in"), model=tiny.trained(), output=tmp_path / "out.jsonl")

    found = read(tmp_path / "out.jsonl", "jsonl")
    assert [document.text for document in found] == texts
    assert [len(document.spans) for document in found] == [0, 0, 300, 2]
    assert set(mentions(found[2])) == set(FOUND)
    assert done.tokens == 151 * 8


def test_what_the_output_cannot_hold_is_said(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")

    done = annotate_path(tmp_path / "in.txt", model=tiny.trained(), output=tmp_path / "out.tsv")

    assert "conll cannot hold scores of mentions: 2 left out" in done.notes


def test_the_watcher_is_told_of_each_document(tmp_path: Path) -> None:
    told: list[int] = []

    annotate_path(
        folder_of(TEXTS, tmp_path / "in"),
        model=tiny.trained(),
        output=tmp_path / "out.jsonl",
        threads=1,
        watcher=told.append,
    )

    assert sum(told) == 5


def test_a_broken_document_is_recorded_and_the_others_are_annotated(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    good = json.dumps({"id": "1", "text": TEXT}), json.dumps({"id": "3", "text": TEXT})
    path.write_text(f'{good[0]}\n{{"id": \n{good[1]}\n{good[0]}\n', encoding="utf-8")

    done = annotate_path(path, model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert [document.id for document in read(tmp_path / "out.jsonl", "jsonl")] == ["1", "3"]
    rows = [json.loads(line) for line in (tmp_path / "errors.jsonl").read_text().splitlines()]
    assert [row["document"] for row in rows] == ["in:2", "1"]
    assert "in.jsonl:2: broken JSON" in rows[0]["reason"]
    assert "a document with this id came before" in rows[1]["reason"]
    assert (done.documents, done.failures) == (2, 2)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["errors.jsonl", "in.jsonl", "out.jsonl"]


def test_strictly_a_broken_document_stops_the_job_and_leaves_no_output(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"id": "1", "text": "No ataxia."}\n{"id": ', encoding="utf-8")

    with pytest.raises(BadFile, match=r"in\.jsonl:2") as refused:
        annotate_path(path, model=tiny.trained(), output=tmp_path / "out.jsonl", strict=True)

    assert "leave out `--strict`" in refused.value.remedy
    assert list(tmp_path.iterdir()) == [path]  # its only block was not done, so there is nothing to resume


@pytest.fixture
def picky(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the model break with a text in which there is poison."""
    encode = WordEncoder.encode

    def picky(self: WordEncoder, sentences: Sequence[Sequence[str]]) -> Iterator[EncodedWindow]:
        if any("poison" in words for words in sentences):
            raise RuntimeError("cannot read this")
        return encode(self, sentences)

    monkeypatch.setattr(WordEncoder, "encode", picky)


@pytest.mark.usefixtures("picky")
def test_a_document_that_breaks_the_model_does_not_take_its_neighbours_with_it(tmp_path: Path) -> None:
    source = folder_of([TEXT, "a poison pill", TEXT], tmp_path / "in")

    done = annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert [document.id for document in read(tmp_path / "out.jsonl", "jsonl")] == ["1", "3"]
    assert "RuntimeError: cannot read this" in (tmp_path / "errors.jsonl").read_text()
    assert done.failures == 1


@pytest.mark.usefixtures("picky")
def test_strictly_a_document_that_breaks_the_model_stops_the_job(tmp_path: Path) -> None:
    source = folder_of([TEXT, "a poison pill", TEXT], tmp_path / "in")

    with pytest.raises(BadFile, match="document '2': RuntimeError: cannot read this"):
        annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl", strict=True)

    assert list(tmp_path.iterdir()) == [source]


def test_shards_hold_so_many_documents_each_in_order(tmp_path: Path) -> None:
    source = folder_of(TEXTS, tmp_path / "in")

    annotate_path(source, model=tiny.trained(), output=tmp_path / "out", shard=2, target_format="pubtator")

    parts = sorted((tmp_path / "out").iterdir())
    assert [part.name for part in parts] == [f"part-0000{number}.pubtator" for number in range(3)]
    found = [document.id for part in parts for document in read(part, "pubtator")]
    assert found == ["1", "2", "3", "4", "5"]


def test_a_repeated_sentence_is_predicted_once(tmp_path: Path) -> None:
    predictor = load(tiny.trained())

    prepared = predictor.prepare([Document("1", f"{TEXT}\n\n{TEXT}"), Document("2", TEXT)])
    found = predictor.finish(prepared, predictor.infer(prepared))

    assert len(prepared.words) == len(prepared.windows) == 1
    assert [mentions(document) for document in found] == [FOUND * 2, FOUND]
    assert predictor.annotate_one(TEXT).spans == found[1].spans


def test_an_output_without_a_known_format_is_refused_before_the_model_is_loaded(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="which format to write"):
        annotate_path(tmp_path, model=tmp_path / "none", output=tmp_path / "out.xyz")


def test_an_input_that_is_not_there_is_refused_before_the_model_is_loaded(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"none\.txt: there is no such file"):
        annotate_path(tmp_path / "none.txt", model=tmp_path / "no model", output=tmp_path / "out.jsonl")


def test_speed_is_words_by_seconds() -> None:
    assert Annotated(tokens=10, seconds=4.0).as_dict()["tokens_per_second"] == 2.5
    assert Annotated().tokens_per_second == 0


def make_folder_with_bad_items(folder: Path) -> Path:
    """Return two texts, and beside them what cannot be annotated."""
    folder_of([TEXT, TEXT], folder)
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt")).write_text(TEXT, encoding="utf-8")
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    score = {"start": 0, "end": 1, "label": "X", "score": int("9" * 400)}
    rows = [{"id": "score", "text": TEXT, "spans": [score]}, {"id": "3", "text": TEXT}]
    (folder / "scores.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder


@pytest.mark.parametrize("shard", [None, 1])
def test_a_bad_item_is_recorded_and_the_rest_is_done_also_when_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shard: int | None
) -> None:
    """Issue 27: a file name that is not UTF-8, a link to itself, a score of 400 digits."""
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)
    source, output = make_folder_with_bad_items(tmp_path / "in"), tmp_path / "out"
    settings: dict[str, Any] = {"model": tiny.trained(), "output": output, "target_format": "jsonl", "shard": shard}
    with monkeypatch.context() as patched:
        patched.setattr(Work, "remove", interrupt)
        with pytest.raises(KeyboardInterrupt):
            annotate_path(source, **settings, input_watcher=lambda _: None)

    done = annotate_path(source, **settings, resume=True, input_watcher=lambda _: None)

    assert (done.documents, done.failures) == (3, 3)
    errors = (output if shard else tmp_path) / "errors.jsonl"
    rows = [json.loads(line) for line in errors.read_text(encoding="utf-8").splitlines()]
    assert [row["document"] for row in rows] == ["caf\udce9", "loop", "scores:1"]
    assert "name that is not UTF-8" in rows[0]["reason"]


def interrupt(_: Work) -> None:
    raise KeyboardInterrupt


def test_a_folder_may_have_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))

    done = annotate_path(folder_of(TEXTS, folder), model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert (done.documents, done.failures) == (5, 0)


@pytest.mark.parametrize("format", ["pubtator", "bioc-xml"])
def test_a_second_document_of_the_same_id_in_one_file_stops_the_job(tmp_path: Path, format: str) -> None:
    source = tmp_path / "in"
    formats.get(format).write([Document("1", TEXT), Document("2", TEXT)], source, WriteOptions())
    content = source.read_text(encoding="utf-8")
    source.write_text(content.replace("2|t|", "1|t|").replace("<id>2<", "<id>1<"), encoding="utf-8")

    with pytest.raises(BadFile, match="a second document is called '1'"):
        annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl", source_format=format)


def test_a_damaged_file_of_pubmed_is_recorded_and_the_other_files_are_annotated(tmp_path: Path) -> None:
    """Issue 22: one broken article, or one broken file of the folder, stopped the whole job."""
    article = f"<PubmedArticle><MedlineCitation>{{}}<Article><ArticleTitle>{TEXT}</ArticleTitle></Article>"
    end, source = "</MedlineCitation></PubmedArticle>", tmp_path / "in"
    source.mkdir()
    articles = [article.format(f"<PMID>{number}</PMID>") + end for number in range(3)]
    (source / "a.xml").write_text(f"<PubmedArticleSet>{articles[0]}<Pubmed", encoding="utf-8")
    without_pmid = f"{articles[1]}{article.format('')}{end}{articles[2]}"
    (source / "b.xml").write_text(f"<PubmedArticleSet>{without_pmid}</PubmedArticleSet>", encoding="utf-8")

    done = annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert [document.id for document in read(tmp_path / "out.jsonl", "jsonl")] == ["0", "1", "2"]
    assert done.failures == 2
    rows = [json.loads(line) for line in (tmp_path / "errors.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["document"] for row in rows] == ["a", "b:article 2"]


def test_the_help_in_python_names_every_setting() -> None:
    described = annotate_path.__doc__ or ""

    assert [name for name in AnnotateSettings.model_fields if f"`{name}`" not in described and name != "source"] == []


@pytest.mark.parametrize("name", ["link", "also_names"])
def test_vocabularies_may_be_one_or_by_label(name: str) -> None:
    one = collect_settings("in", output="out", **{name: "demo"})
    by_label = collect_settings("in", output="out", **{name: {"Disease": "demo"}})

    assert (getattr(one, name), getattr(by_label, name)) == (("demo",), ("Disease=demo",))
