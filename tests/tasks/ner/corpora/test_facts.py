"""Facts of the corpora of a tagger: fingerprints, sizes and counts."""

from pathlib import Path

import pytest

from linnet.contracts import WriteOptions, formats
from linnet.documents.document import Document, Span
from linnet.errors import BadFile, BadSetting
from linnet.tasks.ner.corpora.facts import count_splits, facts_of_corpora
from tests import tiny
from tests.tasks.ner import several


def test_every_corpus_of_a_recipe_has_facts(tmp_path: Path) -> None:
    settings = tiny.settings(tmp_path, **several.joint())

    found = facts_of_corpora(settings)

    assert set(found) == {settings.corpus_key, *(each.corpus_key for each in settings.corpora)}


def test_sizes_are_sentences_and_words_of_each_split(tmp_path: Path) -> None:
    (facts,) = facts_of_corpora(tiny.settings(tmp_path)).values()

    rows = tiny.sentences(8, 1)
    assert facts.sizes()["devel"] == (8, sum(map(len, rows)))
    assert set(facts.fingerprints) == {"train", "devel", "test"}


def test_a_missing_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="nowhere"):
        facts_of_corpora(tiny.settings(tmp_path, data=str(tmp_path / "nowhere")))


def test_sentences_and_mentions_are_counted() -> None:
    found = count_splits(tiny.corpus(), label=None, repair=False)

    n_mentions = sum(tag.startswith("B-") for row in tiny.sentences(8, 1) for _, tag in row)
    assert found["devel"] == {"sentences": 8, "mentions": n_mentions}


def test_documents_without_sentences_are_counted_as_documents(tmp_path: Path) -> None:
    document = Document("1", "ataxia", (Span(0, 6, "Disease"),))
    formats.get("jsonl").write([document], tmp_path / "test.jsonl", WriteOptions())

    assert count_splits(tmp_path, label=None, repair=False) == {"test": {"documents": 1, "mentions": 1}}


def test_documents_of_a_split_are_known_from_the_corpus_or_from_a_file_beside_it(tmp_path: Path) -> None:
    def has_documents(split: str, **given: object) -> bool:
        (facts,) = facts_of_corpora(tiny.settings(tmp_path, **given)).values()
        return facts.has_documents(split)

    assert not has_documents("devel")  # a file of sentences
    assert has_documents("devel", documents={"devel": str(tmp_path / "devel.ids")})
    assert has_documents("devel", data="demo")
    assert not has_documents("train_dev", data="demo")  # there is no such split


@pytest.mark.parametrize("setting", ["train_sentences", "devel_sentences"])
def test_samples_of_whole_documents_need_documents(tmp_path: Path, setting: str) -> None:
    given = {setting: 4, "sample_documents": True}
    (plain,) = facts_of_corpora(tiny.settings(tmp_path, **given)).values()  # a file of sentences
    (marked,) = facts_of_corpora(tiny.settings(tmp_path, data="demo", **given)).values()

    marked.check()
    with pytest.raises(BadSetting, match=f"{setting} is to be whole documents, but the file does not say"):
        plain.check()
