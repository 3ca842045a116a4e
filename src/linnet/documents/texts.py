"""What is asked about a text or a pair of texts, what is right, and what did a model say?"""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Answer", "Judged", "Output", "Plain", "TextExample"]

# what is right, or predicted: a label, several labels, a number, or answers with their synonyms
Plain = str | float | tuple[str, ...] | tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class TextExample:
    """A text or a pair of texts with the answer to be learned."""

    id: str
    first: str
    second: str | None = None
    gold: Plain | None = None  # None where it is not known
    group: str = ""  # the document or question that it is a part of; itself where empty
    place: str = ""  # file:line, for messages
    spans: tuple[tuple[int, int], ...] = ()  # characters that matter: a pair's mentions in `first`, or right answers in
    # `second` (in `first` where there is no second)
    details: Mapping[str, str] = field(default_factory=dict)  # what else a task wants to know again

    @property
    def last(self) -> str:
        """The text in which answers stand: the second of a pair."""
        return self.first if self.second is None else self.second

    @property
    def whole(self) -> str:
        """All that is read, as people are shown it."""
        return self.first if self.second is None else f"{self.first}\n{self.second}"


@dataclass(frozen=True, slots=True)
class Answer:
    """A stretch of a text as an answer; the empty text says that there is none."""

    text: str
    start: int
    end: int
    score: float  # a probability


# of one example: the probability of each label, a number, or answers, the best first
Output = Mapping[str, float] | float | tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One question with the right and the predicted answer; what is scored, shown and kept."""

    id: str
    text: str  # to show; a pair stands in two lines
    gold: Plain | None
    predicted: Plain
    group: str = ""
    score: float | None = None  # of the prediction, where it has one
    details: Mapping[str, str] = field(default_factory=dict)
