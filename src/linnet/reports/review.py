"""What must be known of a sentence to show where a model went wrong in it?"""

from dataclasses import dataclass

__all__ = ["ReviewedMention", "ReviewedSentence"]


@dataclass(frozen=True, slots=True)
class ReviewedMention:
    """A typed mention by the positions of its tokens, end exclusive; only predicted ones have a score."""

    first: int
    end: int
    label: str
    score: float | None = None


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
        return self.tokens[mention.first][0], self.tokens[mention.end - 1][1]

    def text_of(self, mention: ReviewedMention | None) -> str:
        """Return the mention's own characters; nothing for no mention."""
        if mention is None:
            return ""
        start, end = self.place(mention)
        return self.text[start:end]
