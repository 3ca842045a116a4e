"""The real corpora with concepts and relations, in PubTator and through brat."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile
from tests.shared_data import SHARED, needs_shared

PUBTATOR, BRAT = formats.get("pubtator"), formats.get("brat")
LINKING = SHARED / "data" / "linking"


def read(path: Path, *, repair: bool = False, notes: Notes | None = None) -> list[Document]:
    return list(PUBTATOR.read(path, ReadOptions(repair=repair), notes or Notes()))


@needs_shared
@pytest.mark.parametrize(
    ("name", "n_documents", "n_mentions", "n_relations"),
    [  # the numbers are those of the PROVENANCE.md files
        ("bc5cdr/CDR_TrainingSet.PubTator.txt", 500, {"Chemical": 5203, "Disease": 4182}, 1038),
        ("bc5cdr/CDR_DevelopmentSet.PubTator.txt", 500, {"Chemical": 5347, "Disease": 4244}, 1012),
        ("bc5cdr/CDR_TestSet.PubTator.txt", 500, {"Chemical": 5385, "Disease": 4424}, 1066),
        ("biored/Train.PubTator", 400, 13351, 4178),
        ("biored/Dev.PubTator", 100, 3533, 1162),
        ("ncbi-disease/NCBIdevelopset_corpus.txt", 100, 787, 0),
        ("ncbi-disease/NCBItestset_corpus.txt", 100, 960, 0),
    ],
)
def test_real_corpora_are_read_whole_and_written_back_as_they_were(
    tmp_path: Path, name: str, n_documents: int, n_mentions: int | dict[str, int], n_relations: int
) -> None:
    found = read(LINKING / name)
    PUBTATOR.write(found, tmp_path / "out", WriteOptions())

    labels = Counter(span.label for document in found for span in document.spans)
    assert len(found) == n_documents
    assert (labels if isinstance(n_mentions, dict) else labels.total()) == n_mentions
    assert sum(len(document.relations) for document in found) == n_relations
    assert not any(list(PUBTATOR.losses(document)) for document in found)
    assert (tmp_path / "out").read_text(encoding="utf-8").strip() == (LINKING / name).read_text(
        encoding="utf-8"
    ).strip()


@needs_shared
def test_ncbi_train_needs_repair_and_says_so() -> None:
    path = LINKING / "ncbi-disease" / "NCBItrainset_corpus.txt"
    notes = Notes()

    with pytest.raises(BadFile, match=r"corpus\.txt:3249: the mention 'generalized epilepsy.* should be at 711-761"):
        read(path)
    found = read(path, repair=True, notes=notes)

    assert len(found) == 592
    assert sum(len(document.spans) for document in found) == 5145 - 11  # the repeated document has 11 mentions
    assert sum(notes.counts.values()) == 2
    assert len(notes.counts) == 2


@needs_shared
@pytest.mark.parametrize(
    "name",
    ["bc5cdr/CDR_TrainingSet.PubTator.txt", "biored/Dev.PubTator", "ncbi-disease/NCBItrainset_corpus.txt"],
)
def test_pubtator_comes_back_from_brat_with_all_mentions_concepts_and_relations(tmp_path: Path, name: str) -> None:
    found = {document.id: document for document in read(LINKING / name, repair=True)}
    PUBTATOR.write([found[key] for key in sorted(found)], tmp_path / "before", WriteOptions())

    BRAT.write(found.values(), tmp_path / "brat", WriteOptions())
    back = list(BRAT.read(tmp_path / "brat", ReadOptions(), Notes()))
    PUBTATOR.write(back, tmp_path / "after", WriteOptions())

    assert [document.id for document in back] == sorted(found)
    assert not any(list(PUBTATOR.losses(document)) for document in back)
    assert (tmp_path / "after").read_bytes() == (tmp_path / "before").read_bytes()
    for document in back:
        spans = tuple(replace(span, id="") for span in document.spans)
        assert replace(document, spans=spans) == found[document.id]
