"""Another annotation is read for the documents of a review."""

import json
from pathlib import Path

import pytest

from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.serving.review.beside import read_beside

DOCUMENTS = [Document("a", "in Bonn"), Document("b", "A")]


def write(folder: Path, *texts: tuple[str, str]) -> str:
    lines = [
        json.dumps({"id": name, "text": text, "spans": [{"start": 0, "end": 1, "label": "X"}]}) for name, text in texts
    ]
    (folder / "other.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return str(folder / "other.jsonl")


def test_mentions_come_by_document_and_what_is_lacking_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = write(tmp_path, ("z", "not reviewed"), ("b", "A"))

    found = read_beside(place, DOCUMENTS, "in.jsonl")

    assert [(name, len(spans)) for name, spans in found.items()] == [("b", 1)]
    assert "other.jsonl has nothing on 1 document of in.jsonl (first: a)" in caplog.text


def test_other_documents_and_other_texts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"has none of the documents of in\.jsonl"):
        read_beside(write(tmp_path, ("z", "in Bonn")), DOCUMENTS, "in.jsonl")
    with pytest.raises(BadFile, match="document 'a' has another text than in"):
        read_beside(write(tmp_path, ("a", "in Born")), DOCUMENTS, "in.jsonl")
    with pytest.raises(BadFile, match="there is no such file"):
        read_beside(str(tmp_path / "nowhere.jsonl"), DOCUMENTS, "in.jsonl")
