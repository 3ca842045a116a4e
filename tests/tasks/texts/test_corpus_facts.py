"""Facts of a corpus of texts: fingerprints, sizes, and whether it has the score to be compared."""

from pathlib import Path

import pytest

from linnet.errors import BadSetting, UnknownName
from linnet.tasks.texts.corpus_facts import count_splits, facts_of_corpus
from tests import text_corpora


def test_fingerprints_and_sizes_are_those_of_the_splits(tmp_path: Path) -> None:
    settings = text_corpora.settings("similarity", tmp_path)

    facts = facts_of_corpus(text_corpora.task("similarity"), settings, "")

    assert set(facts.fingerprints) == set(text_corpora.SIZES)
    assert {name: n_texts for name, (n_texts, _) in facts.sizes().items()} == text_corpora.SIZES
    assert all(n_words > 2 * n_texts for n_texts, n_words in facts.sizes().values())  # of both texts of a pair


def test_a_score_that_the_texts_do_not_have_is_refused(tmp_path: Path) -> None:
    task, settings = text_corpora.task("similarity"), text_corpora.settings("similarity", tmp_path)

    facts_of_corpus(task, settings, "spearman")
    with pytest.raises(UnknownName, match="no score called 'f1'"):
        facts_of_corpus(task, settings, "f1")
    with pytest.raises(BadSetting, match="less is better"):
        facts_of_corpus(task, settings, "mse")


@pytest.mark.parametrize("kind", ["classification", "relations"])
def test_examples_of_each_split_are_counted(kind: str) -> None:
    found = count_splits(text_corpora.task(kind), text_corpora.corpus(kind), repair=False)

    assert found == {name: {"examples": number} for name, number in text_corpora.SIZES.items()}
