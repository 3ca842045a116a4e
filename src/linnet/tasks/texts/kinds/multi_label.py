"""Multi-label classification: any number of labels for each text, each with a threshold."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from linnet.documents.texts import Output, Plain, Prediction, TextExample
from linnet.tasks.texts.kinds.base import Decoding, Scale, join_windows
from linnet.tasks.texts.kinds.labelled import LabelKind, list_labels
from linnet.tasks.texts.read_texts import FloatArray, LabelledText, ReadText
from linnet.tasks.texts.reading.known_labels import labels_of
from linnet.tasks.texts.reports.answers import texts_of

if TYPE_CHECKING:
    from torch import Tensor

    from linnet.contracts import Loss
    from linnet.losses.weighting import Weighting
    from linnet.settings.training import LossSettings
    from linnet.tasks.texts.reports.facts import TextFacts

__all__ = ["MULTI_LABEL"]

HALF = 0.5  # the threshold of a label that has none of its own


class _MultiLabel(LabelKind):
    name: ClassVar[str] = "labels"
    title: ClassVar[str] = "any number of labels"
    problem_type: ClassVar[str | None] = "multi_label_classification"
    pipeline_options: ClassVar[str] = ", top_k=None"
    has_thresholds: ClassVar[bool] = True
    least_labels: ClassVar[int] = 1

    def targets(
        self, example: TextExample, read: ReadText, labels: Sequence[str], scale: Scale
    ) -> Iterator[LabelledText]:
        own = labels_of(example)
        yield LabelledText(read, [int(label in own) for label in labels])

    def loss(
        self, settings: "LossSettings", labels: Sequence[str], training: Sequence[TextExample]
    ) -> "tuple[Loss, Weighting]":
        from linnet.tasks.texts.losses import multi_label_loss

        return multi_label_loss(settings, labels, training)

    def arrange(self, joined: "Tensor") -> "Tensor":
        """Return the scores of `no` and `yes` for each label."""
        import torch

        return torch.stack([torch.zeros_like(joined), joined], dim=-1)

    def output(self, example: TextExample, read: ReadText, scores: Sequence[FloatArray], decoding: Decoding) -> Output:
        shares = 1 / (1 + np.exp(-join_windows(scores, decoding.shape.windows)))
        return {label: float(share) for label, share in zip(decoding.labels, shares, strict=True)}

    def decide(self, output: Any, thresholds: Mapping[str, float]) -> tuple[Plain, float | None]:
        chosen = tuple(label for label, value in output.items() if value >= thresholds.get(label, HALF))
        return chosen, min((output[label] for label in chosen), default=None)

    def scores_of(self, output: Any) -> dict[str, float]:
        return dict(output)

    def output_of_gold(self, gold: Plain | None) -> Output:
        return dict.fromkeys(map(str, gold), 1.0) if isinstance(gold, tuple) else {str(gold): 1.0}

    def nothing(self, negative: str) -> Plain:
        return ()

    def is_right(self, prediction: Prediction) -> bool:
        return prediction.gold is not None and set(texts_of(prediction.gold)) == set(texts_of(prediction.predicted))

    def report_sections(self, facts: "TextFacts", predictions: Sequence[Prediction]) -> Iterator[str]:
        yield from ()

    def summary(self, labels: Sequence[str]) -> str:
        return f"Its answer is any number of {len(labels)} labels: {list_labels(labels)}."

    def limits(self, corpus: str) -> Iterator[str]:
        yield f"It knows only the labels of {corpus}, as its annotators gave them. Rare labels are found worst."
        yield "The thresholds were tuned on the devel split; texts with other shares of labels want others."

    def difference(self, windows: str) -> str:
        common = super().difference(windows)
        return (
            f"{common} Linnet gives the labels that reach their thresholds, see below; the pipeline gives all of them."
        )


MULTI_LABEL = _MultiLabel()
