"""Facts about the text of a pretraining, as the card and `pretraining.json` report them."""

from dataclasses import asdict, dataclass
from typing import Any

from linnet.pretraining.text.cleaned import CleanedText, SourceFacts
from linnet.pretraining.text.packing import PackedText
from linnet.pretraining.text.shards import TokenisedText

__all__ = ["TextFacts", "VocabularyFacts", "collect_facts"]


@dataclass(frozen=True)
class TextFacts:
    """Counts of the prepared text and its vocabulary."""

    fingerprint: str
    sources: dict[str, SourceFacts]
    n_lines: int  # before cleaning
    n_documents: int  # kept, like the counts below
    n_held_out_documents: int
    n_sentences: int
    n_words: int
    n_tokens: int  # sub-words
    n_unknown: int
    n_sequences: int
    n_held_out_sequences: int
    n_left_over: int  # sub-words that are too few for a sequence
    cleaned: dict[str, int]  # removed by cleaning, by rule
    excluded: dict[str, int]  # sentences of evaluation corpora, by corpus; 0 if none was found
    notes: dict[str, int]
    vocabulary_size: int
    n_new_words: int  # sub-words that the previous vocabulary did not have; 0 if there was none
    tokens_per_word_before: float | None  # on held-out text; None without a previous vocabulary
    tokens_per_word: float

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class VocabularyFacts:
    """Size and granularity of the vocabulary, compared with the previous one."""

    size: int
    n_new: int  # sub-words
    per_word_before: float | None  # sub-words per word of held-out text
    per_word: float


def collect_facts(
    cleaned: CleanedText,
    tokenised: TokenisedText,
    vocabulary: VocabularyFacts,
    *,
    training: PackedText,
    held_out: PackedText,
) -> TextFacts:
    """Return the facts about prepared text."""
    counted = cleaned.facts
    return TextFacts(
        fingerprint=tokenised.folder.name.removeprefix("tokens-"),
        sources=counted.sources,
        n_lines=counted.n_lines,
        n_documents=counted.n_documents,
        n_held_out_documents=held_out.n_documents,
        n_sentences=counted.n_sentences,
        n_words=counted.n_words,
        n_tokens=len(tokenised.tokens),
        n_unknown=tokenised.n_unknown,
        n_sequences=len(training),
        n_held_out_sequences=len(held_out),
        n_left_over=training.n_left_over + held_out.n_left_over,
        cleaned=counted.cleaned,
        excluded=counted.excluded,
        notes=counted.notes,
        vocabulary_size=vocabulary.size,
        n_new_words=vocabulary.n_new,
        tokens_per_word_before=vocabulary.per_word_before,
        tokens_per_word=vocabulary.per_word,
    )
