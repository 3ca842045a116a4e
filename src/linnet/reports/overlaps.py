"""Overlap of two splits: sentences of one that are also in another, and can raise its scores."""

from collections.abc import Collection, Mapping

from linnet.documents.counted import counted

__all__ = ["can_raise_scores", "overlap_warning", "rising_sentences"]

LEAST_WORDS = 5  # a sentence without a mention counts from here on: shorter ones are mostly headings


def can_raise_scores(sentence: str, *, has_mention: bool) -> bool:
    """Return whether knowing a sentence can raise the score on it: it has a mention, or five words.

    >>> can_raise_scores("RESULTS .", has_mention=False), can_raise_scores("Ataxia .", has_mention=True)
    (False, True)
    """
    return has_mention or sum(any(map(str.isalnum, word)) for word in sentence.split()) >= LEAST_WORDS


def rising_sentences(
    sentences: Mapping[str, int], with_mentions: Collection[str], other: Collection[str]
) -> dict[str, int]:
    """Return the sentences (with their numbers) of a split that are also in another and can raise its scores.

    Args:
        sentences: of the split, with how often each is in it.
        with_mentions: those of them that have a gold mention.
        other: sentences of the other split.
    """
    return {
        sentence: number
        for sentence, number in sentences.items()
        if sentence in other and can_raise_scores(sentence, has_mention=sentence in with_mentions)
    }


def overlap_warning(number: int, share: float, *, unit: str, names: tuple[str, str], first: str = "") -> str:
    """Return the sentence that says how much of a split is also in another; `first` is one such text."""
    known, scored = names
    is_are = "is" if number == 1 else "are"
    example = f' (first: "{first}")' if first else ""
    return (
        f"{counted(number, unit)} of {scored} ({share:.1%}) {is_are} also in {known}{example}: "
        f"scores on {scored} are too high"
    )
