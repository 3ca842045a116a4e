"""Regression: a number for each text or pair of texts."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from linnet.documents.texts import Output, Plain, Prediction, TextExample
from linnet.errors import BadFile
from linnet.reports.markdown import escape, markdown_table
from linnet.storage.cells import first_words
from linnet.tasks.texts.kinds.base import Decoding, Kind, Numbers, Scale, join_windows
from linnet.tasks.texts.read_texts import FloatArray, LabelledText, ReadText
from linnet.tasks.texts.reports.answers import plain_text, round_score

if TYPE_CHECKING:
    from linnet.contracts import Loss
    from linnet.losses.weighting import Weighting
    from linnet.settings.training import LossSettings
    from linnet.tasks.texts.reports.facts import TextFacts

__all__ = ["REGRESSION", "error_of"]

ROUNDING = 1e-3  # between two numbers that count as the same
CLOSE = 0.5  # how far a number may be from the right one
MOST_SHOWN = 15  # errors in the report
MOST_TEXT = 240  # characters of an example


class _Regression(Kind):
    name: ClassVar[str] = "number"
    title: ClassVar[str] = "a number"
    pipeline_of_pairs: ClassVar[str] = "sentence-similarity"
    problem_type: ClassVar[str | None] = "regression"
    pipeline_options: ClassVar[str] = ', function_to_apply="none"'
    has_percentages: ClassVar[bool] = False
    can_compare_apart: ClassVar[bool] = True

    def labels(self, training: Sequence[TextExample], scored: Mapping[str, Sequence[TextExample]]) -> tuple[str, ...]:
        return ("score",)

    def scale(self, training: Sequence[TextExample]) -> Scale:
        """Return the lowest and highest number of training.

        Raises:
            BadFile: where there are no two different numbers.
        """
        values = [float(example.gold) for example in training if isinstance(example.gold, int | float)]
        lowest, highest = min(values, default=0.0), max(values, default=0.0)
        if lowest == highest:
            found = f"all {len(values):,} scores are {lowest:g}" if values else "there are no scores"
            first = f"{training[0].place}: " if values and training[0].place else ""
            raise BadFile(
                f"{first}{found}, so there is nothing to learn and no scale to learn it on",
                "give pairs with at least two different scores",
            )
        return Scale(lowest, highest)

    def targets(
        self, example: TextExample, read: ReadText, labels: Sequence[str], scale: Scale
    ) -> Iterator[LabelledText]:
        assert isinstance(example.gold, int | float)
        yield LabelledText(read, [scale.share(example.gold)])

    def loss(
        self, settings: "LossSettings", labels: Sequence[str], training: Sequence[TextExample]
    ) -> "tuple[Loss, Weighting]":
        from linnet.tasks.texts.losses import regression_loss

        return regression_loss(settings)

    def loss_title(self, name: str) -> str:
        return "squared error"

    def output(self, example: TextExample, read: ReadText, scores: Sequence[FloatArray], decoding: Decoding) -> Output:
        if decoding.shape.method != "bi":
            return decoding.scale.value(float(join_windows(scores, decoding.shape.windows)[0]))
        rows, sides = np.stack(scores), np.array(read.sides)
        return decoding.scale.value(_cosine(rows[sides == 0].mean(axis=0), rows[sides == 1].mean(axis=0)))

    def decide(self, output: Any, thresholds: Mapping[str, float]) -> tuple[Plain, float | None]:
        return output, None

    def output_of_gold(self, gold: Plain | None) -> Output:
        return float(gold) if isinstance(gold, int | float) else 0.0

    def is_same(self, first: Plain, second: Plain) -> bool:
        """Are two numbers the same, but for rounding?"""
        if not isinstance(first, int | float) or not isinstance(second, int | float):
            return False
        return abs(first - second) <= ROUNDING

    def is_right(self, prediction: Prediction) -> bool:
        """Is the number within half a point?"""
        return prediction.gold is not None and abs(error_of(prediction)) <= CLOSE

    def mistakes(self, predictions: Sequence[Prediction]) -> list[Prediction]:
        """Return all examples with gold, for numbers are never quite right: the largest absolute error first."""
        return sorted((each for each in predictions if each.gold is not None), key=lambda each: -abs(error_of(each)))

    def report_sections(self, facts: "TextFacts", predictions: Sequence[Prediction]) -> Iterator[str]:
        yield "## Gold and predicted numbers"
        yield "![predictions](predictions.png)"

    def mistake_sections(self, predictions: Sequence[Prediction]) -> Iterator[str]:
        errors = self.mistakes(predictions)
        yield "## Largest errors"
        yield f"The largest of {len(errors):,} errors; `mistakes.tsv` has them all."
        yield _error_table(errors[:MOST_SHOWN])

    def plot(self, predictions: Sequence[Prediction], labels: Sequence[str], path: Path, *, title: str) -> None:
        from linnet.reports.plots import plot_numbers

        known = [each for each in predictions if each.gold is not None]
        gold: list[Any] = [each.gold for each in known]
        predicted: list[Any] = [each.predicted for each in known]
        plot_numbers(gold, predicted, path, title=title)

    def summary(self, labels: Sequence[str]) -> str:
        return "Its answer is a number, on the scale of the corpus."

    def limits(self, corpus: str) -> Iterator[str]:
        yield f"Its numbers are on the scale of {corpus}, as its annotators used it."

    def difference(self, windows: str) -> str:
        common = super().difference(windows)
        own = "The pipeline's number is a share: 0 is the lowest and 1 the highest of the training data's scale."
        return f"{common} {own}"

    def page_answer(self, value: Plain, numbers: Numbers) -> Any:
        return round_score(value if isinstance(value, int | float) else None)


def error_of(prediction: Prediction) -> float:
    """Return predicted minus gold of a number."""
    assert isinstance(prediction.gold, int | float)
    assert isinstance(prediction.predicted, int | float)
    return prediction.predicted - prediction.gold


def _error_table(errors: Sequence[Prediction]) -> str:
    rows = [
        (
            escape(each.id),
            plain_text(each.gold),
            plain_text(each.predicted),
            f"{error_of(each):+.4g}",
            escape(first_words(" / ".join(each.text.splitlines()), MOST_TEXT)),
        )
        for each in errors
    ]
    return markdown_table(("id", "gold", "predicted", "error", "text"), rows) if rows else ""


def _cosine(first: FloatArray, second: FloatArray) -> float:
    return float(first @ second / max(float(np.linalg.norm(first) * np.linalg.norm(second)), 1e-12))


REGRESSION = _Regression()
