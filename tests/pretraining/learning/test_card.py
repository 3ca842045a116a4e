"""The model card of a pretrained encoder."""

from pathlib import Path
from typing import Any

import pytest

from linnet.pretraining.learning.card import write_pretraining_card
from tests.pretraining.small import settings

TEXT: dict[str, Any] = {
    "sources": {}, "n_documents": 2, "n_sentences": 3, "n_words": 9, "n_tokens": 12, "n_held_out_documents": 1,
    "n_sequences": 1, "fingerprint": "f", "cleaned": {}, "excluded": {}, "notes": {}, "vocabulary_size": 150,
    "n_new_words": 0, "tokens_per_word_before": 1.5, "tokens_per_word": 1.25,
}  # fmt: skip
FACTS: dict[str, Any] = {
    "family": "bert", "schedule": {"steps": 1}, "seed": 1, "optimiser": {}, "length": 16, "versions": {},
}  # fmt: skip
METRICS: dict[str, Any] = {
    "tokens": 9, "perplexity": 2.0, "perplexity_before": 3.0, "passes": 1.0, "held_out": {"before": {}, "after": {}},
    "warnings": [],
}  # fmt: skip
PER_WORD = "1.250 sub-words per word of held-out text"


def card(folder: Path, *, text: dict[str, Any], **given: Any) -> str:
    chosen = settings(folder, folder / "a.txt", encoder="bert-x", **given)
    write_pretraining_card(folder / "README.md", "run", chosen, {**FACTS, "text": {**TEXT, **text}}, METRICS)
    return (folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("vocabulary", "text", "expected"),
    [
        ({"train": 150}, {"n_new_words": 40}, f", learned from the text, 40 of them new; {PER_WORD} (before: 1.500)."),
        ({"extend": 50}, {"n_new_words": 40}, f", with words of the text, 40 of them new; {PER_WORD} (before: 1.500)."),
        ({}, {"tokens_per_word_before": 1.25}, f" of `bert-x`; {PER_WORD}."),
        ({"train": 150}, {"tokens_per_word_before": None}, f", learned from the text; {PER_WORD}."),
    ],
)
def test_the_card_says_where_the_vocabulary_is_from_and_what_it_changes(
    tmp_path: Path, vocabulary: dict[str, int], text: dict[str, Any], expected: str
) -> None:
    assert f"Vocabulary: 150 sub-words{expected}" in card(tmp_path, text=text, vocabulary=vocabulary)


def test_the_card_shows_every_excluded_corpus_and_says_where_there_is_none(tmp_path: Path) -> None:
    assert "| one:test | 1,200 |\n| two:test | 0 |" in card(
        tmp_path, text={"excluded": {"one:test": 1200, "two:test": 0}}
    )
    assert "No evaluation corpus was excluded" in card(tmp_path, text={})


def test_the_card_names_commands_that_work_where_the_run_was_started(tmp_path: Path) -> None:
    written = card(tmp_path, text={"notes": {"files of the folder left aside": 2}}, output="runs/one more")

    assert "linnet pretrain 'runs/one more/recipe.toml' --output NEW" in written
    assert "linnet train --encoder 'runs/one more'" in written
    assert "| files of the folder left aside | 2 |" in written
