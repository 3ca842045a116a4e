"""Examples, outputs and scored predictions of tasks about texts and pairs of texts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Answer", "Output", "Plain", "Prediction", "TextExample"]

# a gold or predicted value: a label, several labels, a number, or answers with their synonyms
Plain = str | float | tuple[str, ...] | tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class TextExample:
    """A text or a pair of texts with its gold value."""

    id: str
    first: str
    second: str | None = None
    gold: Plain | None = None  # None if unknown
    group: str = ""  # the document or question that the example belongs to; the example alone if empty
    place: str = ""  # file:line, for messages
    # offsets of the two mentions of a relation in `first`, or of gold answers in `last`
    spans: tuple[tuple[int, int], ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)  # further facts that the task needs later

    @property
    def last(self) -> str:
        """The text that holds the answers: the second of a pair, or the only text."""
        return self.first if self.second is None else self.second

    @property
    def whole(self) -> str:
        """All text of the example, as reports show it."""
        return self.first if self.second is None else f"{self.first}\n{self.second}"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer span; an empty text means that there is no answer."""

    text: str
    start: int
    end: int
    score: float  # a probability


# the output for one example: the probability of each label, a number, or answers, the best first
Output = Mapping[str, float] | float | tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Prediction:
    """An example with its gold and its predicted value, as it is scored, reported and saved."""

    id: str
    text: str  # for reports; the texts of a pair are on two lines
    gold: Plain | None
    predicted: Plain
    group: str = ""
    score: float | None = None  # the confidence of the prediction, if there is one
    details: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)  # of multi-label classification: of every label
