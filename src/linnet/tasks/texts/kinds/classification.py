"""Classification: one of several labels for each text."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from linnet.documents.texts import Output, Plain, Prediction, TextExample
from linnet.reports.confusion import count_confusion
from linnet.reports.markdown import escape, markdown_table
from linnet.tasks.texts.kinds.base import Decoding, Numbers, Scale, join_windows
from linnet.tasks.texts.kinds.labelled import LabelKind, list_labels
from linnet.tasks.texts.read_texts import FloatArray, LabelledText, ReadText
from linnet.tasks.texts.reading.known_labels import labels_of

if TYPE_CHECKING:
    from linnet.contracts import Loss
    from linnet.losses.weighting import Weighting
    from linnet.settings.training import LossSettings
    from linnet.tasks.texts.reports.facts import TextFacts

__all__ = ["CLASSIFICATION"]


class _Classification(LabelKind):
    name: ClassVar[str] = "classes"
    title: ClassVar[str] = "one label"
    problem_type: ClassVar[str | None] = "single_label_classification"
    least_labels: ClassVar[int] = 2

    def targets(
        self, example: TextExample, read: ReadText, labels: Sequence[str], scale: Scale
    ) -> Iterator[LabelledText]:
        yield LabelledText(read, [list(labels).index(label) for label in labels_of(example)])

    def loss(
        self, settings: "LossSettings", labels: Sequence[str], training: Sequence[TextExample]
    ) -> "tuple[Loss, Weighting]":
        from linnet.tasks.texts.losses import classification_loss

        return classification_loss(settings, labels, training)

    def output(self, example: TextExample, read: ReadText, scores: Sequence[FloatArray], decoding: Decoding) -> Output:
        joined = join_windows(scores, decoding.shape.windows)
        shares = np.exp(joined - joined.max())
        shares = shares / shares.sum()
        return {label: float(share) for label, share in zip(decoding.labels, shares, strict=True)}

    def decide(self, output: Any, thresholds: Mapping[str, float]) -> tuple[Plain, float | None]:
        label = max(output, key=lambda name: output[name])
        return label, output[label]

    def output_of_gold(self, gold: Plain | None) -> Output:
        return {str(gold): 1.0}

    def is_right(self, prediction: Prediction) -> bool:
        return prediction.gold is not None and prediction.gold == prediction.predicted

    def report_sections(self, facts: "TextFacts", predictions: Sequence[Prediction]) -> Iterator[str]:
        table = count_confusion(*_known_labels(predictions), facts.labels)
        yield "## Confusion"
        yield "![predictions](predictions.png)"
        yield "Rows are gold labels, columns predicted ones."
        names = [escape(label) for label in table.labels]
        rows = [(name, *(f"{n:,}" if n else "·" for n in row)) for name, row in zip(names, table.counts, strict=True)]
        yield markdown_table(("gold", *names), rows)
        if len(names) < table.n_labels:
            yield (
                f"Shown are the {len(names)} most frequent of {table.n_labels:,} labels; {table.n_left_out:,} examples "
                "have another gold or predicted label."
            )

    def plot(self, predictions: Sequence[Prediction], labels: Sequence[str], path: Path, *, title: str) -> None:
        from linnet.reports.plots import plot_confusion

        plot_confusion(*_known_labels(predictions), list(labels), path, title=title)

    def summary(self, labels: Sequence[str]) -> str:
        return f"Its answer is one of {len(labels)} labels: {list_labels(labels)}."

    def limits(self, corpus: str) -> Iterator[str]:
        yield f"It always chooses one of its labels, as the annotators of {corpus} did, also where none of them fits."

    def page_matrix(self, predictions: Sequence[Prediction], names: Sequence[str], numbers: Numbers) -> list[int]:
        table = count_confusion(*_known_labels(predictions), names)
        return [numbers[label] for label in table.labels]


def _known_labels(predictions: Sequence[Prediction]) -> tuple[list[str], list[str]]:
    """Return gold and predicted labels where gold is known."""
    known = [each for each in predictions if each.gold is not None]
    return [str(each.gold) for each in known], [str(each.predicted) for each in known]


CLASSIFICATION = _Classification()
