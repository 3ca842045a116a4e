"""The base class of tasks about whole texts or pairs of texts: a subclass says how it reads, decides and scores.

Windows, networks, losses, training, reports and comparison are shared. `read` and `metrics` must be written; what else
a task may override has a default that suits classification.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal

from linnet.contracts import CorpusFacts, Notes, Outcomes, PublishedScore, Table
from linnet.documents.texts import Output, Prediction, TextExample
from linnet.errors import BadSetting, LinnetError
from linnet.metrics.texts.resampled import Metric
from linnet.tasks.texts.kinds import CLASSIFICATION, Kind
from linnet.tasks.texts.settings import S, TextSettings, TextTrainSettings, with_section

if TYPE_CHECKING:  # reading and scoring need no torch
    from linnet.tasks.texts.evaluation import TextEvaluation
    from linnet.tasks.texts.exporting import ExportableTextModel
    from linnet.tasks.texts.folds import TextFolds
    from linnet.tasks.texts.plan import TextPlan
    from linnet.tasks.texts.predictor import TextPredictor
    from linnet.tasks.texts.questions import Form, TextQuestions

__all__ = ["Decision", "Kind", "TextTask", "decide_each", "metrics_of_gold"]


LONGEST = 100  # characters of an answer, by default


@dataclass(frozen=True)
class Decision:
    """How the outputs of a network become predictions."""

    kind: Kind
    thresholds: Mapping[str, float]  # of each label, for multi-label classification; tuned on devel


class TextTask(ABC, Generic[S]):
    """A task about a text or a pair of texts: how it reads and scores, and what else is special about it."""

    name: str
    description: str  # one line for `linnet list tasks`
    pooling: Literal["cls", "mean", "markers"]  # the default
    needs_pairs: bool = False  # is every example two texts?
    has_percentages: bool = True  # are its scores shares? Correlations and errors are not
    section: type[TextSettings] = TextSettings  # of the section `text` in its recipes

    default_metric: str = ""  # the first score of the corpus
    score_title: str = "score"
    unlearnable: str = ""  # why examples are left out of training, for the report
    forms: tuple[str, ...] = ()  # in which it writes predictions, besides rows

    @property
    def settings(self) -> type[TextTrainSettings]:
        """The settings of its recipes."""
        return with_section(self.section)

    @abstractmethod
    def read(
        self, place: Path, settings: S, notes: Notes | None = None, *, repair: bool = False
    ) -> dict[str, list[TextExample]]:
        """Return the examples of each split of a corpus (`train`, `devel`, `test`, or `all` for a single file).

        Examples of a file without labels or answers have no gold. Examples that are left out are counted in the notes,
        and so are repairs of documents with `repair`.

        Raises:
            BadFile: with file and line where something cannot be read whole.
        """

    @abstractmethod
    def metrics(self, predictions: Sequence[Prediction], settings: S) -> list[Metric]:
        """Return the scores; the first chooses the epoch and is what grids compare, so a higher one must be better."""

    def kind(self, examples: Sequence[TextExample], settings: S) -> Kind:
        """Return the kind of prediction for such examples: here classification."""
        return CLASSIFICATION

    def decide(
        self, examples: Sequence[TextExample], outputs: Sequence[Output], decision: Decision, settings: S
    ) -> list[Prediction]:
        """Return the predictions that are scored and saved: one for each example, or for each question of several."""
        return decide_each(examples, outputs, decision)

    def complete_settings(self, settings: S, training: Sequence[TextExample]) -> S:
        """Return the settings that the model keeps, with what only the training split can tell: as they are."""
        return settings

    def sample_training(self, training: Sequence[TextExample], settings: S) -> list[TextExample]:
        """Return the examples to learn from, after devel was held out: all."""
        return list(training)

    def label_group(self, example: TextExample) -> str:
        """Return the group by which thresholds of multi-label classification are tuned: the document of the example."""
        return example.group or example.id

    def form(self, questions: "TextQuestions", target: Path, to: str | None, *, is_folder: bool) -> "Form | None":
        """Return a form of its own for an output, None for rows of predictions."""
        return None

    def reads_documents(self, place: Path, split: str = "") -> bool:
        """Are there documents at this place, rather than rows? Predictions then belong into the documents."""
        return False

    def why_empty(self, place: Path, split: str, settings: S, *, repair: bool) -> list[str]:
        """Return what may explain that there is nothing to predict."""
        return []

    def method(self, settings: S) -> Literal["cross", "bi"]:
        """Return how a pair of texts is read: both together."""
        return "cross"

    def longest_answer(self, settings: S) -> int:
        """Return how many characters an answer may have, where answers are spans of the text."""
        return LONGEST

    def is_learnable(self, example: TextExample, settings: S) -> bool:
        """Can the example be learned from? Others are left out of training, with `unlearnable` as the reason."""
        return True

    def prepare_text(self, example: TextExample, settings: S) -> TextExample:
        """Return a text that a Python user gave to `predict`, with what `read` would have added to it: nothing."""
        return example

    def problems(self, settings: TextTrainSettings, /) -> list[LinnetError]:
        """Return the problems of the settings that need neither corpus nor encoder."""
        from linnet.tasks.texts.checks import text_problems

        return text_problems(settings)

    def plan(self, settings: TextTrainSettings, /) -> "TextPlan":
        """Read and check everything that can be checked before a network is loaded."""
        from linnet.tasks.texts.plan import prepare_texts

        return prepare_texts(settings, self)

    def folds(self, settings: TextTrainSettings, /) -> "TextFolds | None":
        """Return the folds of a cross-validation, None where the settings ask for a single run."""
        if not settings.text.folds:
            return None
        from linnet.tasks.texts.folds import find_folds

        return find_folds(self, settings)

    def load(self, folder: Path, /, **options: Any) -> "TextPredictor":
        """Open a model folder."""
        from linnet.tasks.texts.predictor import load_texts

        known = {name: options.pop(name) for name in ("device", "engine", "threads") if name in options}
        self._refuse_options(folder, options)
        return load_texts(folder, **known)

    def exportable(
        self, folder: Path, /, *, check: str | Path | None, split: str, label: str | None, repair: bool
    ) -> "ExportableTextModel":
        """Open a model to be written as ONNX."""
        from linnet.tasks.texts.exporting import open_exportable

        self._refuse_options(folder, {"label": label})
        return open_exportable(folder, check=check, split=split, repair=repair)

    def evaluate(self, model: str | Path, corpus: str | Path, /, **options: Any) -> "TextEvaluation":
        """Score a model on a corpus."""
        from linnet.tasks.texts.evaluation import evaluate_texts

        known = {name: options.pop(name) for name in ("split", "repair", "threads") if name in options}
        self._refuse_options(model, options)
        return evaluate_texts(model, corpus, **known)

    def tables(self, metrics: Mapping[str, Any], /) -> list[Table]:
        """Return all scores, and those of each label."""
        from linnet.tasks.texts.reports.tables import score_tables

        return score_tables(metrics, has_percentages=self.has_percentages)

    def corpora(self, settings: TextTrainSettings, metric: str, /) -> dict[str, CorpusFacts]:
        """Return the corpus of a run; refuse a metric that its texts do not have."""
        from linnet.tasks.texts.reading.corpus_facts import facts_of_corpus

        return {settings.corpus_key: facts_of_corpus(self, settings, metric)}

    def count(self, folder: Path, /, *, label: str | None, repair: bool) -> dict[str, dict[str, int]]:
        """Return how many examples each split has."""
        from linnet.tasks.texts.reading.corpus_facts import count_splits

        return count_splits(self, folder, repair=repair)

    def sections(self, files: Mapping[str, Sequence[str]] | None) -> list[S]:
        """Return the settings to try where it is not known how a file is meant: the defaults."""
        section: Any = self.section
        return [section(files=files)]

    def texts(self, place: Path, /, *, files: Mapping[str, Sequence[str]] | None) -> dict[str, list[str]]:
        """Return the texts of each split; a pair stands in two lines."""
        found: dict[str, list[str]] = {}
        refusals: list[LinnetError] = []
        for section in self.sections(files):
            try:
                for name, examples in self.read(place, section).items():
                    found.setdefault(name, []).extend("\n".join(filter(None, (e.first, e.second))) for e in examples)
            except LinnetError as refusal:
                refusals.append(refusal)
        if not found and refusals:
            raise refusals[0]
        return found

    def outcomes(
        self,
        runs: Sequence[tuple[Path, TextTrainSettings]],
        /,
        *,
        metric: str,
        n_resamples: int,
        seed: int,
        split: str = "test",
    ) -> Outcomes:
        """Return how finished runs on the same texts score."""
        from linnet.tasks.texts.outcomes import read_text_outcomes

        return read_text_outcomes(self, runs, metric=metric or None, n_resamples=n_resamples, seed=seed, split=split)

    def metric_title(self, metric: str, /) -> str:
        """Return what tables call a score."""
        return metric.replace("_", " ").replace("f1", "F1") if metric else f"the first score of {self.name}"

    def published(self, settings: TextTrainSettings, metric: str, /) -> PublishedScore | None:
        """Return None: no published scores are known."""
        return None

    def _refuse_options(self, model: str | Path, options: Mapping[str, Any]) -> None:
        """Refuse options that mean nothing to a model about texts."""
        unknown = [f"--{name}" for name, value in options.items() if value is not None]
        if unknown:
            raise BadSetting(f"{model}: the task {self.name!r} does not know {', '.join(unknown)}", "leave it out")


def decide_each(examples: Sequence[TextExample], outputs: Sequence[Output], decision: Decision) -> list[Prediction]:
    """Return the prediction of each example by itself."""
    return [
        Prediction(
            id=example.id,
            text=example.whole,
            gold=example.gold,
            predicted=predicted,
            group=example.group or example.id,
            score=score,
            details=example.details,
            scores=decision.kind.scores_of(output),
        )
        for example, output in zip(examples, outputs, strict=True)
        for predicted, score in [decision.kind.decide(output, decision.thresholds)]
    ]


def metrics_of_gold(
    task: TextTask[Any], examples: Sequence[TextExample], kind: Kind, settings: TextSettings
) -> list[Metric]:
    """Return the scores that such examples will have, before anything is predicted, to find one by its name."""
    outputs = [kind.output_of_gold(example.gold) for example in examples]
    return task.metrics(task.decide(examples, outputs, Decision(kind, {}), settings), settings)
