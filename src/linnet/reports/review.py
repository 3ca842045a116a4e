"""A sentence with its gold and predicted mentions, as reports and pages show it."""

from dataclasses import dataclass

from linnet.labels.mention import Mention

__all__ = ["ReviewedSentence"]


@dataclass(frozen=True, slots=True)
class ReviewedSentence:
    """A sentence with its true and its predicted mentions.

    `scores` has the score of each predicted mention; it is empty where predictions have no scores. Where `tokens` is
    None, mentions count characters of the text instead of tokens.
    """

    document: str
    number: int  # within the document, from 1
    text: str  # the sentence's own text
    tokens: tuple[tuple[int, int], ...] | None  # characters of that text
    gold: tuple[Mention, ...]
    predicted: tuple[Mention, ...]
    scores: tuple[float | None, ...] = ()
    start: int | None = 0  # of the text within its document, in characters; None where it is not known

    def score_of(self, mention: Mention | None) -> float | None:
        """Return the score of a predicted mention, None where it has none."""
        return self.scores[self.predicted.index(mention)] if mention and self.scores else None

    def place(self, mention: Mention) -> tuple[int, int]:
        """Return where the mention starts and ends, in characters of the sentence's text."""
        return self._characters(mention.start, mention.end)

    def pieces(self, mention: Mention) -> list[tuple[int, int]]:
        """Return where the pieces of the mention start and end, likewise; one that is whole is its only piece."""
        return [self._characters(first, end) for first, end in mention.fragments] or [self.place(mention)]

    def text_of(self, mention: Mention | None) -> str:
        """Return the mention's own characters, an ellipsis between pieces; nothing for no mention."""
        return " … ".join(self.text[start:end] for start, end in self.pieces(mention)) if mention else ""

    def _characters(self, first: int, end: int) -> tuple[int, int]:
        if self.tokens is None:
            return first, end
        if first < end:
            return self.tokens[first][0], self.tokens[end - 1][1]
        at = self.tokens[first][0] if first < len(self.tokens) else len(self.text)
        return at, at
