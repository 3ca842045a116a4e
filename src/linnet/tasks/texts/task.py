"""What must a task about whole texts, or pairs of them, say of itself?

Reading, deciding and scoring are the task's; windows, networks, losses, training, reports and comparing are shared.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from linnet.contracts import Notes
from linnet.documents.texts import Judged, Output, Plain, TextExample
from linnet.metrics.texts.resampled import Metric
from linnet.settings.training import TextSettings

__all__ = ["Decision", "Kind", "TextTask", "decided", "judged_one_by_one", "metrics_of_gold"]

# what the network says of a text: one of several labels, any number of labels, a number, or a stretch of the text
Kind = Literal["classes", "labels", "number", "spans"]
HALF = 0.5


@dataclass(frozen=True)
class Decision:
    """How the outputs of a network become predictions."""

    kind: Kind
    thresholds: Mapping[str, float]  # of each label, for `labels`; tuned on devel


class TextTask(ABC):
    """A kind of question about a text or a pair of texts: it says how it reads and scores, and where it is special."""

    name: str
    description: str  # one line for `linnet list tasks`
    pooling: Literal["cls", "mean", "markers"]  # where the recipe does not say
    needs_pairs: bool = False  # is every example two texts?

    @abstractmethod
    def read(
        self, place: Path, settings: TextSettings, notes: Notes | None = None, *, repair: bool = False
    ) -> dict[str, list[TextExample]]:
        """Return the examples of each split of a corpus (`train`, `devel`, `test`, or `all` for a single file).

        Examples of a file that does not say what is right have no gold. What is left out is counted in the notes; so
        is what is mended with `repair`, where the files hold documents.

        Raises:
            BadFile: with file and line where something cannot be read whole.
        """

    @abstractmethod
    def metrics(self, judged: Sequence[Judged], settings: TextSettings) -> list[Metric]:
        """Return the scores; the first is the one that chooses the epoch."""

    def kind(self, examples: Sequence[TextExample], settings: TextSettings) -> Kind:
        """Return what the network must say of such examples: one label."""
        return "classes"

    def judge(
        self, examples: Sequence[TextExample], outputs: Sequence[Output], decision: Decision, settings: TextSettings
    ) -> list[Judged]:
        """Return what is scored and kept: each example with its prediction; several may also make one question."""
        return judged_one_by_one(examples, outputs, decision)

    def settled(self, settings: TextSettings, training: Sequence[TextExample]) -> TextSettings:
        """Return the settings with what training says about how new texts are to be read: nothing."""
        return settings

    def thinned(self, training: Sequence[TextExample], settings: TextSettings) -> list[TextExample]:
        """Return the examples that are learned from, when devel was set aside: all."""
        return list(training)

    def label_group(self, example: TextExample) -> str:
        """Return what has the labels of an example, for the thresholds of several labels: its document."""
        return example.group or example.id

    def made(self, example: TextExample) -> TextExample:
        """Return a text as Python users give it, with what the task looks for in it: nothing."""
        return example


def judged_one_by_one(examples: Sequence[TextExample], outputs: Sequence[Output], decision: Decision) -> list[Judged]:
    """Return each example with the prediction that its output says."""
    return [
        Judged(
            example.id,
            example.whole,
            example.gold,
            predicted,
            example.group or example.id,
            score,
            example.details,
        )
        for example, output in zip(examples, outputs, strict=True)
        for predicted, score in [decided(output, decision)]
    ]


def metrics_of_gold(
    task: TextTask, examples: Sequence[TextExample], kind: Kind, settings: TextSettings
) -> list[Metric]:
    """Return the scores that such examples will have, before anything was predicted: to look for one by its name."""
    outputs = [_saying(example.gold, kind) for example in examples]
    return task.metrics(task.judge(examples, outputs, Decision(kind, {}), settings), settings)


def _saying(gold: Plain | None, kind: Kind) -> Output:
    """Return an output that says what is right; of answers none, for their places do not matter here."""
    if kind == "number":
        return gold if isinstance(gold, float) else 0.0
    if kind == "spans":
        return ()
    return dict.fromkeys(map(str, gold), 1.0) if isinstance(gold, tuple) else {str(gold): 1.0}


def decided(output: Output, decision: Decision) -> tuple[Plain, float | None]:
    """Return the prediction that an output says, and its score."""
    if isinstance(output, float):
        return output, None
    if isinstance(output, tuple):
        best = output[0] if output else None
        return (best.text, best.score) if best else ("", None)
    if decision.kind == "labels":
        chosen = tuple(label for label, value in output.items() if value >= decision.thresholds.get(label, HALF))
        return chosen, min((output[label] for label in chosen), default=None)
    label = max(output, key=lambda name: output[name])
    return label, output[label]
