"""Facts about prepared text: counts of every stage in one record."""

import json
from pathlib import Path

import numpy as np

from linnet.pretraining.text.cleaned import CleanedText, CleaningFacts, SourceFacts
from linnet.pretraining.text.facts import TextFacts, VocabularyFacts, collect_facts
from linnet.pretraining.text.packing import PackedText
from linnet.pretraining.text.shards import TokenisedText


def facts() -> TextFacts:
    """Return the facts of two documents of 12 and 5 sub-words, of which the second is held out."""
    counted = CleaningFacts(
        sources={"a.txt": SourceFacts(files=1, documents=2, words=9)},
        n_lines=4,
        n_documents=2,
        n_sentences=3,
        n_words=9,
        cleaned={"tags": 1},
        notes={"files without text": 2},
    )
    cleaned = CleanedText(Path(), np.array([1, 2], np.uint64), counted)
    starts = np.array([0, 12])
    tokens = TokenisedText(
        folder=Path("tokens-0123456789abcdef"),
        tokens=np.arange(17, dtype=np.uint16),
        sentence_starts=starts,
        document_starts=starts,
        n_unknown=3,
    )
    training = PackedText(tokens, capacity=10, documents=np.array([0]), least=3)
    held_out = PackedText(tokens, capacity=10, documents=np.array([1]), least=3)
    vocabulary = VocabularyFacts(100, 7, 1.5, 1.25)
    return collect_facts(cleaned, tokens, vocabulary, training=training, held_out=held_out)


def test_counts_come_from_cleaning_tokenising_and_packing() -> None:
    found = facts()

    assert (found.n_lines, found.n_documents, found.n_words, found.cleaned) == (4, 2, 9, {"tags": 1})
    assert (found.n_tokens, found.n_unknown) == (17, 3)
    assert (found.n_sequences, found.n_held_out_sequences, found.n_held_out_documents) == (1, 1, 1)
    assert found.n_left_over == 2  # 12 are a sequence of 10 and a leftover that is too short
    assert (found.vocabulary_size, found.n_new_words) == (100, 7)
    assert (found.tokens_per_word_before, found.tokens_per_word) == (1.5, 1.25)


def test_the_fingerprint_is_that_of_the_tokenised_text() -> None:
    assert facts().fingerprint == "0123456789abcdef"


def test_facts_are_json_with_plain_values() -> None:
    values = json.loads(json.dumps(facts().as_dict()))

    assert values["sources"] == {"a.txt": {"files": 1, "documents": 2, "words": 9}}
    assert values["notes"] == {"files without text": 2}
