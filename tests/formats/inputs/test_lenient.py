"""A document that cannot be read is a failure, and the others are read."""

from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.inputs.failures import Failure
from linnet.formats.inputs.lenient import checks_ids, read_leniently
from linnet.formats.inputs.named_fields import NamedFields
from linnet.formats.inputs.reading import InputFile, find_inputs

ARTICLE = (
    "<PubmedArticle><MedlineCitation>{}<Article><ArticleTitle>No ataxia.</ArticleTitle></Article></MedlineCitation>"
    "</PubmedArticle>"
)


@pytest.mark.parametrize(("format", "expected"), [("pubmed-xml", True), ("text", False), ("jsonl", False)])
def test_ids_are_compared_where_the_reader_goes_on_after_a_failure(format: str, expected: bool) -> None:
    assert checks_ids(InputFile(Path("a"), format, "a")) is expected


def pubmed(*pmids: str) -> str:
    articles = (ARTICLE.format(f"<PMID>{pmid}</PMID>" if pmid else "") for pmid in pmids)
    return f"<PubmedArticleSet>{''.join(articles)}</PubmedArticleSet>"


def read_all(path: Path) -> list[tuple[str, str]]:
    """Return the ids of documents, and the names and reasons of failures."""
    found = [each for file in find_inputs(path, format=None, notes=Notes()) for each in read_leniently(file, Notes())]
    return [(each.id, "") if isinstance(each, Document) else (each.document, each.reason) for each in found]


def test_an_article_without_a_pmid_is_a_failure_and_the_next_one_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(pubmed("1", "", "2"), encoding="utf-8")

    first, failed, third = read_all(tmp_path / "a.xml")

    assert (first[0], third[0]) == ("1", "2")
    assert failed[0] == "a:article 2"
    assert "found an article without a PMID; the last article before that is PMID 1" in failed[1]


def test_an_article_that_has_a_pmid_fails_under_it(tmp_path: Path) -> None:
    doubled = pubmed("1", "2").replace("<Article>", "<Article/><Article>", 1)
    (tmp_path / "a.xml").write_text(doubled, encoding="utf-8")

    assert [name for name, _ in read_all(tmp_path / "a.xml")] == ["1", "2"]
    assert "found 2 elements <Article>" in read_all(tmp_path / "a.xml")[0][1]


def test_a_damaged_file_in_a_folder_is_read_up_to_the_damage_and_the_next_file_too(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(pubmed("1", "2")[:-30], encoding="utf-8")
    (tmp_path / "b.xml.gz").write_bytes(b"\x1f\x8b\x08\x00")
    (tmp_path / "c.xml").write_text(pubmed("3"), encoding="utf-8")

    found = read_all(tmp_path)

    assert [name for name, _ in found] == ["1", "a", "b", "3"]
    assert "this is not well-formed XML" in found[1][1]
    assert "the gzip file is cut off after 0 bytes" in found[2][1]


def test_a_single_damaged_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(pubmed("1", "2")[:-30], encoding="utf-8")

    with pytest.raises(BadFile, match="not well-formed XML"):
        read_all(tmp_path / "a.xml")


def test_the_id_of_a_line_that_is_no_document_is_kept(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "7", "text": "a", "more": 1}\n{"id": 8}\nbroken\n', encoding="utf-8")
    (file,) = find_inputs(tmp_path / "in.jsonl", format=None, notes=Notes())

    failures = [each for each in read_leniently(file, Notes()) if isinstance(each, Failure)]

    assert [(each.document, each.id) for each in failures] == [("in:1", "7"), ("in:2", "8"), ("in:3", "")]


@pytest.mark.parametrize("value", [r'"\7"', "7" * 5000, "\u0663", r'"\u12"'])
def test_issue_27_an_id_that_cannot_be_read_is_a_failure_of_its_line_alone(tmp_path: Path, value: str) -> None:
    lines = f'{{"id": {value}, "text": "No ataxia."}}\n{{"id": "8", "text": "Ataxia."}}\n'
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")

    failed, read = read_leniently(InputFile(tmp_path / "a.jsonl", "jsonl", "a"), Notes())

    assert isinstance(failed, Failure)
    assert isinstance(read, Document)
    assert read.id == "8"


def test_the_id_is_that_of_the_named_field(tmp_path: Path) -> None:
    lines = [
        '{"pmid": 7, "text": null}',
        '{"pmid": "8", "text": ["a"]}',
        '{"pmid" : "9", "text": "cut o',
        '{"id": "1"}',
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (file,) = find_inputs(tmp_path / "in.jsonl", format="jsonl", notes=Notes())

    found = read_leniently(file, Notes(), fields=NamedFields(("text",), "pmid"))

    assert [each.id for each in found if isinstance(each, Failure)] == ["7", "8", "9", ""]
