"""Sentences are put together as they stood in the abstracts."""

import re
from pathlib import Path

import pytest

from linnet.corpora.documents import documents_of_sentences, sentence_documents
from linnet.corpora.table import known_corpora
from tests.shared_data import SHARED, needs_shared

KNOWN = ("ncbi-disease", "bc5cdr", "bc5cdr-chem", "bc5cdr-disease", "s800", "linnaeus")
SPLITS = ("train", "devel", "test")
ORIGINALS = {
    "ncbi-disease": ("NCBItrainset_corpus.txt", "NCBIdevelopset_corpus.txt", "NCBItestset_corpus.txt"),
    "bc5cdr": tuple(f"CDR_{each}Set.PubTator.txt" for each in ("Training", "Development", "Test")),
}
ORIGINALS |= dict.fromkeys(("bc5cdr-chem", "bc5cdr-disease"), ORIGINALS["bc5cdr"])


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("split", SPLITS)
def test_the_documents_take_all_sentences_of_a_split(name: str, split: str) -> None:
    corpus, found = known_corpora()[name], sentence_documents(name, split)

    assert sum(document.n_sentences for document in found) == corpus.splits[split]["sentences"]
    assert len({document.id for document in found}) == len(found)
    # of NCBI disease one abstract of 593 stands there twice
    assert len(found) == corpus.documents[split] - ((name, split) == ("ncbi-disease", "train"))


def test_of_other_corpora_nothing_is_known() -> None:
    assert sentence_documents("bc2gm", "train") == ()
    assert sentence_documents("ncbi-disease", "all") == ()


@needs_shared
@pytest.mark.parametrize("name", ORIGINALS)
@pytest.mark.parametrize("split", SPLITS)
def test_every_sentence_lies_in_its_abstract(name: str, split: str) -> None:
    folder = SHARED / "data" / "linking" / ("bc5cdr" if name.startswith("bc5cdr") else name)
    abstracts = abstracts_of(folder / ORIGINALS[name][SPLITS.index(split)])
    sentences = sentences_of(SHARED / "data" / "ner" / name / f"{split}.tsv")

    for document in sentence_documents(name, split):
        own, sentences = sentences[: document.n_sentences], sentences[document.n_sentences :]
        assert abstracts[document.id].startswith("".join(own))

    assert sentences == []


def abstracts_of(path: Path) -> dict[str, str]:
    """The texts of a PubTator file without blanks."""
    found: dict[str, str] = {}
    for id, text in re.findall(r"^(\d+)\|[ta]\|(.*)$", path.read_text(encoding="utf-8"), re.M):
        found[id] = found.get(id, "") + re.sub(r"\s", "", text)
    return found


def sentences_of(path: Path) -> list[str]:
    """The sentences of a file of tokens without blanks."""
    parts = re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip("\n"))
    return ["".join(line.split("\t")[0] for line in part.split("\n")) for part in parts]


@needs_shared
@pytest.mark.parametrize("name", ORIGINALS)
def test_the_sentences_of_a_split_are_recognised(name: str) -> None:
    sentences = sentences_of(SHARED / "data" / "ner" / name / "devel.tsv")

    assert documents_of_sentences(sentences) == sentence_documents(name, "devel")
    assert documents_of_sentences(sentences[1:]) == ()
