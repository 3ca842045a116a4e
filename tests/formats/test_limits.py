"""No format keeps a document above the limit in memory (issue 27, row 6)."""

import gzip
import json
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest

from linnet.annotation.blocks import Failure
from linnet.contracts import Notes
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.inputs.lenient import read_leniently
from linnet.formats.inputs.reading import find_inputs
from linnet.formats.reading import read_documents

PARTS = 200  # of 20 kB each
LONG = "word " * 4000
ENDLESS: dict[str, tuple[str, str, str]] = {  # suffix, beginning, and what comes again and again
    "jsonl": (".jsonl", '{"id": "1", "text": "', LONG),
    "pubtator, one line": (".pubtator", "1|t|", LONG),
    "pubtator, many lines": (".pubtator", "1|t|" + "a" * 20_000 + "\n", "1\t0\t20000\t" + "a" * 20_000 + "\tX\n"),
    "conll, one line": (".tsv", "a\tB-X\n" * 9, LONG),
    "conll, a sentence": (".tsv", "", "a\tO\n" * 5000),
    "conll, a document": (".tsv", "-DOCSTART- 1\tO\n\n", "a\tO\n\n" * 4000),
    "bioc-xml": (".xml", "<collection><document><id>", LONG),
    "bioc-xml, many": (".xml", "<collection><document>", "<passage><offset>0</offset></passage>" * 500),
    "bioc-json": (".json", '{"documents": [{"id": "', LONG),
    "bioc-json, many": (".json", '{"documents": [{"passages": [1', ", {}" * 5000),
    "pubannotation": (".json", '{"sourceid": "1", "text": "', LONG),
    "label-studio": (".json", '[{"data": {"text": "', LONG),
    "doccano": (".json", '{"label": [[0, 1, "X"]], "text": "', LONG),
    "jats": (".nxml", "<article><front/><body><p>", LONG),
    "pubmed-xml": (".xml", "<PubmedArticleSet><PubmedArticle>", "<MedlineCitation/>" * 1000),
}


@pytest.mark.long
@pytest.mark.parametrize("name", ENDLESS)
def test_a_document_above_the_limit_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suffix, beginning, again = ENDLESS[name]
    path = tmp_path / f"endless{suffix}.gz"
    _write(path, chain([beginning], repeat(again, PARTS)))
    monkeypatch.setenv("LINNET_MAX_DOCUMENT_MB", "1")

    with pytest.raises(BadFile) as caught:
        list(read_documents(path))

    assert "is longer than 1 MB" in caught.value.problem
    assert "LINNET_MAX_DOCUMENT_MB=10" in caught.value.remedy


def test_a_brat_text_above_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.ann").write_text("T1\tX 0 4\tword\n" + "#1\tInfons -\t{}\n" * 100_000)
    (tmp_path / "a.txt").write_text("word")
    monkeypatch.setenv("LINNET_MAX_DOCUMENT_MB", "1")

    with pytest.raises(BadFile, match=r"a\.ann: a document is longer than 1 MB"):
        list(read_documents(tmp_path))


def test_a_long_file_of_short_documents_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.dumps({"id": str(number), "text": LONG}) + "\n" for number in range(100)]
    _write(tmp_path / "long.jsonl.gz", lines)
    monkeypatch.setenv("LINNET_MAX_DOCUMENT_MB", "1")

    assert sum(1 for _ in read_documents(tmp_path / "long.jsonl.gz")) == 100


@pytest.mark.parametrize(("format", "short"), [("jsonl", '{"id": "%s", "text": "x"}'), ("lines", "text %s")])
def test_annotate_records_a_long_line_and_reads_the_next(
    format: str, short: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "in.jsonl"
    _write(path, [short % 1 + "\n", "{" + "x" * 1_100_000 + "\n", short % 2 + "\n"])
    monkeypatch.setenv("LINNET_MAX_DOCUMENT_MB", "1")

    (file,) = find_inputs(path, format=format, notes=Notes())
    found = list(read_leniently(file, Notes()))

    assert [type(each) for each in found] == [Document, Failure, Document]
    assert "in.jsonl:2: a line is longer than 1 MB" in str(found[1])


def _write(path: Path, parts: Iterator[str] | list[str]) -> None:
    content = "".join(parts).encode()
    path.write_bytes(gzip.compress(content, 1) if path.suffix == ".gz" else content)
