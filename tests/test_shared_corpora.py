"""The real corpora are read whole, and conversions keep what is marked in them."""

from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.corpus import Corpus, read_corpus
from linnet.formats.reading import detect_format, read_documents
from linnet.labels.alignment import align
from tests.shared_data import SHARED, needs_shared

pytestmark = needs_shared
DATA = SHARED / "data"
LINKING = DATA / "linking"
CHAIN = ("bioc-xml", "bioc-json", "brat", "jsonl", "pubtator")

# sentences of train, devel and test, mentions in test: FACTS section 3; tokens and other mentions: PROVENANCE.md
NER = {
    "ner/ncbi-disease": ((5424, 923, 940), 960),
    "ner/bc5cdr-disease": ((4560, 4581, 4797), 4424),
    "ner/bc5cdr-chem": ((4560, 4581, 4797), 5385),
    "ner/bc2gm": ((12574, 2519, 5038), 6325),
    "ner/linnaeus": ((11935, 4078, 7142), 1433),
    "ner/jnlpba": ((16807, 1739, 3856), 8662),
    "general/conll2003": ((14041, 3250, 3453), 5648),
}
LINKED = {  # documents, mentions, relations: FACTS section 3 and the PROVENANCE.md files
    "bc5cdr/CDR_TrainingSet.PubTator.txt": (500, 5203 + 4182, 1038),
    "bc5cdr/CDR_DevelopmentSet.PubTator.txt": (500, 5347 + 4244, 1012),
    "bc5cdr/CDR_TestSet.PubTator.txt": (500, 5385 + 4424, 1066),
    # the BioC files also mark the parts of composite mentions: as many as "IndividualMention" occurs in them
    "bc5cdr/CDR_TrainingSet.BioC.xml": (500, 5203 + 4182 + 185, 1038),
    "bc5cdr/CDR_DevelopmentSet.BioC.xml": (500, 5347 + 4244 + 182, 1012),
    "bc5cdr/CDR_TestSet.BioC.xml": (500, 5385 + 4424 + 119, 1066),
    "ncbi-disease/NCBIdevelopset_corpus.txt": (100, 787, 0),
    "ncbi-disease/NCBItestset_corpus.txt": (100, 960, 0),
    "biored/Train.PubTator": (400, 13351, 4178),
    "biored/Dev.PubTator": (100, 3533, 1162),
    "biored/Dev.BioC.XML": (100, 3533, 1162),
    "biored/Dev.BioC.JSON": (100, 3533, 1162),
}
FAULTY = {  # annotations whose text differs from the text at their offsets, found with another reader
    "bc5cdr/CDR_TrainingSet.BioC.xml": 3,
    "bc5cdr/CDR_DevelopmentSet.BioC.xml": 1,
}
THROUGH_ALL_FORMATS = (
    "bc5cdr/CDR_TestSet.PubTator.txt",
    "ncbi-disease/NCBItrainset_corpus.txt",
    "ncbi-disease/NCBItestset_corpus.txt",
    "biored/Dev.PubTator",
    pytest.param("ncbi-disease/NCBIdevelopset_corpus.txt", marks=pytest.mark.slow),
    pytest.param("bc5cdr/CDR_TrainingSet.PubTator.txt", marks=pytest.mark.slow),
    pytest.param("bc5cdr/CDR_DevelopmentSet.PubTator.txt", marks=pytest.mark.slow),
    pytest.param("biored/Train.PubTator", marks=pytest.mark.slow),
)


def n_sentences(documents: Iterable[Document]) -> int:
    return sum(len(document.sentences) for document in documents)


def n_mentions(documents: Iterable[Document]) -> int:
    return sum(len(document.spans) for document in documents)


def marks(document: Document) -> dict[str, Hashable | Counter[Hashable]]:
    """Mentions with their text and ids, and relations, without the order they stand in."""
    return {
        "id": document.id,
        "mentions": Counter(
            (span.label, span.stretches, text, tuple(link.identifier for link in span.links))
            for span, text in document.mentions()
        ),
        "relations": Counter(
            (r.label, tuple(sorted(a.target for a in r.arguments)), tuple(sorted(r.infons.items())))
            for r in document.relations
        ),
    }


@pytest.mark.parametrize("name", NER)
def test_the_token_corpora_have_the_known_counts(name: str) -> None:
    sentences, mentions = NER[name]

    corpus = read_corpus(DATA / name)

    assert corpus.format == "conll"
    assert corpus.tagging == ("iob1" if "conll2003" in name else "iob2")
    found = {split: n_sentences(corpus.split(split)) for split in ("train", "devel")}
    assert (found["train"], found["devel"], n_sentences(corpus.test.documents)) == sentences
    assert n_mentions(corpus.test.documents) == mentions


@pytest.mark.parametrize(
    ("file", "sentences", "mentions"),
    [  # FACTS section 3 and PROVENANCE.md
        ("wnut17train.conll", 3394, 1975),
        ("emerging.dev.conll", 1009, 836),
        ("emerging.test.annotated", 1287, 1079),
    ],
)
def test_wnut_has_the_known_counts(file: str, sentences: int, mentions: int) -> None:
    found = list(read_documents(DATA / "general" / "wnut2017" / file))

    assert (n_sentences(found), n_mentions(found)) == (sentences, mentions)


def test_the_two_test_files_of_wnut_are_not_guessed_between() -> None:
    with pytest.raises(
        BadFile, match=r"two files for the split 'test', emerging\.test\.conll and emerging\.test\.annotated, and"
    ):
        read_corpus(DATA / "general" / "wnut2017")


def test_counts_of_tags_are_those_that_the_weighting_schemes_were_checked_with() -> None:
    counts = read_corpus(DATA / "ner" / "ncbi-disease").train.counts

    assert counts == {"O": 124452, "B-Disease": 5134, "I-Disease": 6115}  # FACTS section 1


@pytest.mark.parametrize("name", ["ner/ncbi-disease", "ner/jnlpba", "general/conll2003"])
def test_a_token_corpus_is_written_as_it_was_read(name: str, tmp_path: Path) -> None:
    split = read_corpus(DATA / name).test

    split.format.write(split, tmp_path / split.path.name, WriteOptions(tagging=split.tagging))

    before, after = words_and_tags(split.path), words_and_tags(tmp_path / split.path.name)
    assert after == before


def words_and_tags(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    kept = [line.split() if line.strip() and not line.startswith("-DOCSTART-") else [] for line in lines]
    return [kept[0], *(row for before, row in pairwise(kept) if row or before)]


@pytest.mark.parametrize("name", LINKED)
def test_the_linking_corpora_have_the_known_counts(name: str) -> None:
    documents, mentions, relations = LINKED[name]
    notes = Notes()

    found = list(read_documents(LINKING / name, options=ReadOptions(repair=name in FAULTY), notes=notes))

    assert len(found) == documents
    assert n_mentions(found) == mentions
    assert sum(len(document.relations) for document in found) == relations
    assert notes.counts.total() == FAULTY.get(name, 0)


def test_the_training_set_of_ncbi_disease_needs_repair_and_says_what_was_done() -> None:
    path = LINKING / "ncbi-disease" / "NCBItrainset_corpus.txt"
    notes = Notes()

    with pytest.raises(BadFile, match=r"NCBItrainset_corpus\.txt:\d+"):
        list(read_documents(path))
    found = list(read_documents(path, options=ReadOptions(repair=True), notes=notes))

    assert len(found) == 592  # FACTS section 3; one of 593 is there twice
    assert notes.counts.total() == 2  # the repeated document and one shifted mention
    assert n_mentions(found) == 5134  # as many as the token version of the corpus has


@pytest.mark.parametrize("name", ["bc5cdr", "biored", "ncbi-disease"])
def test_a_folder_with_several_formats_is_read_by_the_one_that_is_named(name: str) -> None:
    corpus: Corpus = read_corpus(LINKING / name, format="pubtator", options=ReadOptions(repair=True))

    assert corpus.format == "pubtator"
    assert len(corpus.devel.documents) == {"bc5cdr": 500}.get(name, 100)


@pytest.mark.parametrize("name", THROUGH_ALL_FORMATS)
def test_mentions_ids_and_relations_survive_the_way_through_all_formats(name: str, tmp_path: Path) -> None:
    before = list(read_documents(LINKING / name, options=ReadOptions(repair=True)))
    at = tmp_path / "0"
    formats.get("pubtator").write(before, at, WriteOptions())

    for number, to in enumerate(CHAIN, 1):
        source, at = at, tmp_path / f"{number}"
        assert detect_format(source).name == ("pubtator", *CHAIN)[number - 1]
        formats.get(to).write(read_documents(source), at, WriteOptions())

    after = {document.id: document for document in read_documents(at)}  # brat folders are read by name
    assert after.keys() == {document.id for document in before}
    for document in before:
        assert after[document.id].text == document.text
        assert marks(after[document.id]) == marks(document)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bc5cdr/CDR_TestSet.PubTator.txt", "bc5cdr/CDR_TestSet.BioC.xml"),
        ("biored/Dev.PubTator", "biored/Dev.BioC.XML"),
        ("biored/Dev.BioC.XML", "biored/Dev.BioC.JSON"),
    ],
)
def test_two_official_files_of_one_corpus_say_the_same(one: str, other: str) -> None:
    ours, theirs = list(read_documents(LINKING / one)), list(read_documents(LINKING / other))

    assert [document.id for document in ours] == [document.id for document in theirs]
    for a, b in zip(ours, theirs, strict=True):
        assert whole_mentions(a) == whole_mentions(b)


def whole_mentions(document: Document) -> Counter[Hashable]:
    return Counter(
        (span.label, span.stretches)
        for span in document.spans
        if span.infons.get("CompositeRole") != "IndividualMention"
    )


def test_hardly_a_mention_cuts_one_of_our_tokens() -> None:
    path = LINKING / "bc5cdr" / "CDR_TestSet.PubTator.txt"
    rows = [row for document in read_documents(path) for row in align(document)]

    assert sum(len(row.widened) for row in rows) < 0.02 * (5385 + 4424)
    assert 4700 < len(rows) < 4900  # 4,797 sentences in the token version of the corpus
