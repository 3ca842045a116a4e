"""A sentence with its gold and predicted mentions, as reports and pages show it."""

from dataclasses import dataclass

__all__ = ["ReviewedMention", "ReviewedSentence"]


@dataclass(frozen=True, slots=True)
class ReviewedMention:
    """A typed mention by the positions of its tokens, end exclusive; only predicted ones have a score.

    A mention in pieces has the tokens of each as well; one that touches no token has `first` equal to `end`.
    """

    first: int
    end: int
    label: str
    score: float | None = None
    pieces: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewedSentence:
    """A sentence with its true and its predicted mentions."""

    document: str
    number: int  # within the document, from 1
    text: str  # the sentence's own text
    tokens: tuple[tuple[int, int], ...]  # characters of that text
    gold: tuple[ReviewedMention, ...]
    predicted: tuple[ReviewedMention, ...]

    def place(self, mention: ReviewedMention) -> tuple[int, int]:
        """Return where the mention starts and ends, in characters of the sentence's text."""
        return self._characters(mention.first, mention.end)

    def pieces(self, mention: ReviewedMention) -> list[tuple[int, int]]:
        """Return where the pieces of the mention start and end, likewise; one that is whole is its only piece."""
        return [self._characters(first, end) for first, end in mention.pieces] or [self.place(mention)]

    def text_of(self, mention: ReviewedMention | None) -> str:
        """Return the mention's own characters, an ellipsis between pieces; nothing for no mention."""
        return " … ".join(self.text[start:end] for start, end in self.pieces(mention)) if mention else ""

    def _characters(self, first: int, end: int) -> tuple[int, int]:
        if first < end:
            return self.tokens[first][0], self.tokens[end - 1][1]
        at = self.tokens[first][0] if first < len(self.tokens) else len(self.text)
        return at, at
