"""What a grid and the list of corpora know of a corpus of texts before anything is trained."""

from pathlib import Path

import pytest

from linnet.errors import BadFile, LinnetError
from linnet.tasks.texts.reading.corpus_facts import count_splits, facts_of_corpus
from tests import text_corpora

SIZES = {"train": {"examples": 24}, "devel": {"examples": 8}, "test": {"examples": 8}}


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_examples_are_counted_in_every_form_that_a_task_reads(kind: str) -> None:
    assert count_splits(text_corpora.task(kind), text_corpora.corpus(kind), repair=False) == SIZES


def test_files_that_no_settings_fit_are_refused_as_the_defaults_do(tmp_path: Path) -> None:
    (tmp_path / "train.json").write_text("[", encoding="utf-8")

    with pytest.raises(BadFile) as by_default:
        text_corpora.task("answering").read(tmp_path, text_corpora.task("answering").section())
    with pytest.raises(BadFile) as counted:
        count_splits(text_corpora.task("answering"), tmp_path, repair=False)

    assert counted.value.problem == by_default.value.problem


def test_sizes_are_examples_and_their_words(tmp_path: Path) -> None:
    text_corpora.write_table(tmp_path / "train.tsv", [("we gave aspirin .", "a"), ("in mice .", "b")])

    found = facts_of_corpus(
        text_corpora.task("classification"), text_corpora.settings("classification", tmp_path, data=str(tmp_path)), ""
    )

    assert found.sizes() == {"train": (2, 7)}
    assert found.fingerprints.keys() == {"train"}


@pytest.mark.parametrize(("kind", "metric"), [("classification", "pearson"), ("similarity", "mse")])
def test_a_score_that_the_texts_do_not_have_or_of_which_less_is_better_is_refused(kind: str, metric: str) -> None:
    with pytest.raises(LinnetError):
        facts_of_corpus(text_corpora.task(kind), text_corpora.settings(kind, Path("unused")), metric)
