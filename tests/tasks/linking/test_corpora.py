"""Facts of corpora with identifiers."""

from pathlib import Path

from linnet.tasks.linking.corpora import count_splits, facts_of_corpus
from tests.tasks.linking.corpora import corpus_folder, linking_settings


def test_splits_are_counted() -> None:
    assert count_splits(corpus_folder(), label=None, repair=False)["train"] == {
        "documents": 8, "mentions": 16, "linked mentions": 14,
    }  # fmt: skip


def test_a_corpus_has_fingerprints_and_sizes(tmp_path: Path) -> None:
    facts = facts_of_corpus(linking_settings(tmp_path))

    assert facts.fingerprints.keys() == {"train", "devel", "test"}
    assert facts.sizes()["train"][0] == 8
