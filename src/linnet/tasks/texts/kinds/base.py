"""The base class of the kinds of prediction about a text."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from linnet.documents.texts import Output, Plain, Prediction, TextExample
from linnet.tasks.texts.read_texts import FloatArray, LabelledText, ReadText, ScoredText
from linnet.tasks.texts.reading.known_labels import labels_of

if TYPE_CHECKING:  # reading, deciding and reporting need no torch
    from torch import Tensor

    from linnet.contracts import Loss, Notes
    from linnet.losses.weighting import Weighting
    from linnet.settings.training import LossSettings
    from linnet.tasks.texts.networks.shape import Shape
    from linnet.tasks.texts.reports.facts import TextFacts
    from linnet.training.devel_loss import Batch

__all__ = ["Decoding", "Kind", "Numbers", "Scale", "join_windows"]

Numbers = Mapping[str, int]  # of labels on a page


@dataclass(frozen=True)
class Scale:
    """Lowest and highest of the numbers that were learned from; the network predicts shares of it."""

    lowest: float = 0.0
    highest: float = 1.0

    def value(self, share: float) -> float:
        """Return the number of a share."""
        return self.lowest + share * (self.highest - self.lowest)

    def share(self, value: float) -> float:
        """Return the share that a number is."""
        return (value - self.lowest) / (self.highest - self.lowest)


@dataclass(frozen=True)
class Decoding:
    """What turns the scores of a network into an output."""

    shape: "Shape"
    labels: Sequence[str]  # in the order of the outputs
    scale: Scale  # of the numbers that were learned from
    longest: int  # characters of an answer


class Kind(ABC):
    """A kind of prediction."""

    name: ClassVar[str]  # in `linnet.json` and on pages
    title: ClassVar[str]  # of a prediction, in the report
    pipeline: ClassVar[str] = "text-classification"  # what the hub calls it
    pipeline_of_pairs: ClassVar[str] = ""  # for pairs of texts, where the hub calls that something else
    problem_type: ClassVar[str | None] = None  # what transformers calls it
    pipeline_options: ClassVar[str] = ""  # of the pipeline of transformers
    has_labels: ClassVar[bool] = False  # is a prediction made of labels?
    has_thresholds: ClassVar[bool] = False  # does each label have a threshold?
    has_positions: ClassVar[bool] = False  # does the network score tokens instead of texts?
    has_percentages: ClassVar[bool] = True  # are scores shares, and predictions right or wrong?
    can_compare_apart: ClassVar[bool] = False  # can the two texts of a pair be read apart and compared (`bi`)?
    may_lack_gold: ClassVar[bool] = False  # may some examples have no known answer?
    input_suffix: ClassVar[str] = "tsv"  # of the files that are predicted
    unit: ClassVar[str] = "examples"

    def __repr__(self) -> str:
        return self.name

    # learning

    @abstractmethod
    def labels(self, training: Sequence[TextExample], scored: Mapping[str, Sequence[TextExample]]) -> tuple[str, ...]:
        """Return the names of the network's outputs, or refuse splits that do not fit together."""

    def scale(self, training: Sequence[TextExample]) -> Scale:
        """Return the scale of the numbers to be learned."""
        return Scale()

    def stratum(self, example: TextExample) -> object:
        """Return what a sample keeps the shares of: the labels."""
        return labels_of(example)

    @abstractmethod
    def targets(
        self, example: TextExample, read: ReadText, labels: Sequence[str], scale: Scale
    ) -> Iterator[LabelledText]:
        """Yield what is learned from an example."""

    @abstractmethod
    def loss(
        self, settings: "LossSettings", labels: Sequence[str], training: Sequence[TextExample]
    ) -> "tuple[Loss, Weighting]":
        """Return the loss with the class weights of its labels, or refuse what cannot be combined."""

    def loss_title(self, name: str) -> str:
        """Return what reports call the loss."""
        return name

    def note_unplaced(self, examples: Sequence[TextExample], read: Sequence[ReadText], notes: "Notes") -> None:
        """Note examples whose answer no window holds."""
        return

    # the network

    def pool(self, chosen: Any) -> Any:
        """Return the pooling, which may be fixed."""
        return chosen

    def arrange(self, joined: "Tensor") -> "Tensor":
        """Return the scores (texts, outputs) in the shape that the loss wants."""
        return joined.unsqueeze(1)

    def devel_batches(
        self, scored: Sequence[ScoredText], targets: Sequence[Sequence[float]], shape: "Shape"
    ) -> "Iterator[Batch]":
        """Yield batches for the loss on devel: all texts at once."""
        from linnet.tasks.texts.devel_batches import batch_of_texts

        if scored:
            yield batch_of_texts([(read, scores) for _, read, scores in scored], targets, shape)

    # predicting

    @abstractmethod
    def output(self, example: TextExample, read: ReadText, scores: Sequence[FloatArray], decoding: Decoding) -> Output:
        """Return the output for a text, from the scores of its windows."""

    @abstractmethod
    def decide(self, output: Any, thresholds: Mapping[str, float]) -> tuple[Plain, float | None]:
        """Return the prediction of an output, and its confidence."""

    def scores_of(self, output: Any) -> dict[str, float]:
        """Return the probability of every label, where they do not depend on each other; else nothing."""
        return {}

    @abstractmethod
    def output_of_gold(self, gold: Plain | None) -> Output:
        """Return an output that is decided as gold."""

    def is_same(self, first: Plain, second: Plain) -> bool:
        """Are two predictions the same?"""
        return first == second

    def nothing(self, negative: str) -> Plain:
        """Return the prediction that there is no relation."""
        return negative

    # reporting

    @abstractmethod
    def is_right(self, prediction: Prediction) -> bool:
        """Is the prediction right? Where gold is not known, it is not."""

    def mistakes(self, predictions: Sequence[Prediction]) -> list[Prediction]:
        """Return the examples with a wrong prediction, in their order; those without gold are left out."""
        return [each for each in predictions if each.gold is not None and not self.is_right(each)]

    @abstractmethod
    def report_sections(self, facts: "TextFacts", predictions: Sequence[Prediction]) -> Iterator[str]:
        """Yield what the report shows of right and wrong predictions before the classes of training."""

    @abstractmethod
    def mistake_sections(self, predictions: Sequence[Prediction]) -> Iterator[str]:
        """Yield what the report shows of mistakes."""

    def plot(self, predictions: Sequence[Prediction], labels: Sequence[str], path: Path, *, title: str) -> None:
        """Draw gold and predicted values, where a picture shows them."""
        return

    @abstractmethod
    def summary(self, labels: Sequence[str]) -> str:
        """Return a sentence for the card: what the model answers."""

    @abstractmethod
    def limits(self, corpus: str) -> Iterator[str]:
        """Yield the limits of the model, for its card."""

    def difference(self, windows: str) -> str:
        """Return how Linnet and a pipeline of transformers differ."""
        return (
            f"The two can differ: Linnet reads long texts in overlapping windows and joins them ({windows}), while the "
            "plain pipeline does not."
        )

    def page_labels(self, labels: Mapping[str, Any], predictions: Sequence[Prediction]) -> list[str]:
        """Return the labels of the page."""
        return list(labels)

    def page_matrix(self, predictions: Sequence[Prediction], names: Sequence[str], numbers: Numbers) -> list[int]:
        """Return the labels of the page's confusion matrix."""
        return []

    def page_gold(self, gold: Plain, numbers: Numbers) -> Any:
        """Return gold as the page's program reads it."""
        return self.page_answer(gold, numbers)

    @abstractmethod
    def page_answer(self, value: Plain, numbers: Numbers) -> Any:
        """Return a prediction as the page's program reads it."""


def join_windows(scores: Sequence[FloatArray], how: str) -> FloatArray:
    """Return the scores of a text from those of its windows, by their mean or their maximum."""
    import numpy as np

    rows = np.stack(scores)
    joined: FloatArray = rows.max(axis=0) if how == "max" else rows.mean(axis=0)
    return joined
