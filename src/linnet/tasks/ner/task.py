"""The task `ner`: what the rails call for named-entity recognition. Heavy imports stand inside the methods."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linnet.contracts import CorpusFacts, Outcomes, PublishedScore, Table
from linnet.errors import LinnetError

if TYPE_CHECKING:
    from linnet.tasks.ner.evaluation import Evaluation
    from linnet.tasks.ner.exporting import ExportableTagger
    from linnet.tasks.ner.plan import TaggingPlan
    from linnet.tasks.ner.predictor import Predictor
    from linnet.tasks.ner.settings import NerSettings

__all__ = ["NamedEntityRecognition"]


class NamedEntityRecognition:
    """Mentions and their labels, one tag per word."""

    name = "ner"
    description = "named-entity recognition: mentions and their labels, one tag per word"
    default_metric = "strict"
    score_title = "F1"

    @property
    def settings(self) -> "type[NerSettings]":
        """The settings of its recipes."""
        from linnet.tasks.ner.settings import NerSettings

        return NerSettings

    def problems(self, settings: "NerSettings", /) -> list[LinnetError]:
        """Return the problems of the settings that need neither corpus nor encoder."""
        from linnet.tasks.ner.checks import settings_problems

        return settings_problems(settings)

    def plan(self, settings: "NerSettings", /) -> "TaggingPlan":
        """Read and check everything that can be checked before a network is loaded."""
        from linnet.tasks.ner.plan import TaggingPlan
        from linnet.tasks.ner.prepared import prepare

        return TaggingPlan(prepare(settings))

    def folds(self, settings: "NerSettings", /) -> None:
        """Return None: a tagger is trained in a single run."""
        return

    def load(self, folder: Path, /, **options: Any) -> "Predictor":
        """Open a model folder of `linnet train` or `linnet export`, or a tagger of others."""
        from linnet.tasks.ner.predictor import load

        return load(folder, **options)

    def exportable(
        self, folder: Path, /, *, check: str | Path | None, split: str, label: str | None, repair: bool
    ) -> "ExportableTagger":
        """Open a tagger to be written as ONNX."""
        from linnet.tasks.ner.exporting import open_exportable

        return open_exportable(folder, check=check, split=split, label=label, repair=repair)

    def evaluate(self, model: str | Path, corpus: str | Path, /, **options: Any) -> "Evaluation":
        """Score a tagger on a corpus."""
        from linnet.tasks.ner.evaluation import evaluate

        return evaluate(model, corpus, **options)

    def tables(self, metrics: Mapping[str, Any], /) -> list[Table]:
        """Return the scores by matching, by label and by tag."""
        from linnet.reports.tables import score_tables

        return score_tables(metrics)

    def corpora(self, settings: "NerSettings", metric: str, /) -> dict[str, CorpusFacts]:
        """Return the corpora of a run, found but not yet counted."""
        from linnet.metrics.mentions.matching import matchings
        from linnet.tasks.ner.corpora.facts import facts_of_corpora

        matchings.get(metric)
        return facts_of_corpora(settings)

    def count(self, folder: Path, /, *, label: str | None, repair: bool) -> dict[str, dict[str, int]]:
        """Return documents, sentences and mentions of each split."""
        from linnet.tasks.ner.corpora.facts import count_splits

        return count_splits(folder, label=label, repair=repair)

    def texts(self, place: Path, /, *, files: Mapping[str, Sequence[str]] | None) -> dict[str, list[str]]:
        """Return the texts of the documents of each split."""
        from linnet.formats.corpus import read_corpus

        chosen = None if files is None else {name: listed[0] for name, listed in files.items()}
        splits = read_corpus(place, files=chosen).splits
        return {name: [document.text for document in split] for name, split in splits.items()}

    def outcomes(
        self,
        runs: "Sequence[tuple[Path, NerSettings]]",
        /,
        *,
        metric: str,
        n_resamples: int,
        seed: int,
        split: str = "test",
    ) -> Outcomes:
        """Return how finished runs on the same sentences score, by a matching."""
        from linnet.tasks.ner.outcomes import read_outcomes

        return read_outcomes(runs, metric=metric, n_resamples=n_resamples, seed=seed, split=split)

    def keep_predictions(self, folder: Path, split: str, /) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the gold tags of a split and the predictions of a run, without words."""
        from linnet.tasks.ner.kept import keep_predictions

        return keep_predictions(folder, split)

    def restore_predictions(
        self,
        runs: Sequence[tuple[Path, dict[str, Any]]],
        shared: dict[str, Any],
        settings: "NerSettings",
        split: str,
        /,
    ) -> bool:
        """Write predictions that were kept; return whether the words of the corpus were found."""
        from linnet.tasks.ner.kept import restore_predictions

        return restore_predictions(runs, shared, settings, split)

    def metric_title(self, metric: str, /) -> str:
        """Return what tables call the F1 of a matching."""
        return "token F1" if metric == "tokens" else f"{metric.replace('_', ' ')} F1"

    def published(self, settings: "NerSettings", metric: str, /) -> PublishedScore | None:
        """Return what the tables of the WeLT paper have for such a run."""
        from linnet.tasks.ner.published import published_score

        return published_score(settings, metric)
