"""The task `linking`: what the rails call for it. Heavy imports stand inside the methods."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from linnet.contracts import CorpusFacts, Outcomes, PublishedScore, Table
from linnet.errors import BadSetting, LinnetError

if TYPE_CHECKING:
    from linnet.tasks.linking.evaluation.evaluating import LinkingEvaluation
    from linnet.tasks.linking.model import LinkingModel
    from linnet.tasks.linking.settings import LinkingSettings
    from linnet.tasks.linking.training.plan import LinkingPlan

__all__ = ["Linking"]

EVALUATED_WITH = ("split", "repair", "vocabulary", "documents", "label", "format", "threads")  # options of `evaluate`


class Linking:
    """Links from mentions to the concepts of a vocabulary."""

    name = "linking"
    description = "linking: from mentions to the identifiers of a vocabulary"
    default_metric = "any"
    score_title = "recall@1"
    folder_marker = "vocabulary.json"  # a vocabulary is a linker without training
    embedded_names = ("demo",)  # vocabularies that come with Linnet
    judging_option = "vocabulary"  # with it, models that find mentions are evaluated end to end

    @property
    def settings(self) -> "type[LinkingSettings]":
        """The settings of its recipes."""
        from linnet.tasks.linking.settings import LinkingSettings

        return LinkingSettings

    def has_network(self, settings: "LinkingSettings", /) -> bool:
        """Does a training with these settings train a network? Only contrastive training of an encoder does."""
        return settings.contrastive > 0

    def problems(self, settings: "LinkingSettings", /) -> list[LinnetError]:
        """Return the problems of the settings that need neither corpus nor vocabulary."""
        if settings.contrastive and not settings.meaning:
            return [
                BadSetting(
                    f"contrastive = {settings.contrastive}, but no encoder is named that could learn",
                    "name one: `--set meaning=minilm`",
                )
            ]
        return []

    def plan(self, settings: "LinkingSettings", /) -> "LinkingPlan":
        """Read and check corpus and vocabulary."""
        from linnet.tasks.linking.training.plan import LinkingPlan
        from linnet.tasks.linking.training.prepared import prepare

        return LinkingPlan(prepare(settings))

    def folds(self, settings: "LinkingSettings", /) -> None:
        """Return None: a linker is trained in a single run."""
        return

    def load(self, folder: Path, /, **options: Any) -> "LinkingModel":
        """Open a run with the vocabulary that it was trained with."""
        from linnet.models.model_folder import read_facts
        from linnet.tasks.linking.linker import open_linker
        from linnet.tasks.linking.model import LinkingModel

        return LinkingModel(open_linker(folder), read_facts(folder).text.get("label"))

    def exportable(
        self, folder: Path, /, *, check: str | Path | None, split: str, label: str | None, repair: bool
    ) -> NoReturn:
        """Refuse: there is no network."""
        raise BadSetting(f"{folder}: a linker has no network", "use the run as it is; it needs no torch")

    def evaluate(self, model: str | Path, corpus: str | Path, /, **options: Any) -> "LinkingEvaluation":
        """Score a vocabulary, a trained linker, or (with `vocabulary`) a model that finds mentions."""
        from linnet.tasks.linking.evaluation.opening import evaluate_model

        unknown = [f"--{name}" for name, value in options.items() if name not in EVALUATED_WITH and value is not None]
        if unknown:
            raise BadSetting(f"{model}: the task {self.name!r} does not know {', '.join(unknown)}", "leave it out")
        return evaluate_model(model, corpus, **{name: options[name] for name in EVALUATED_WITH if name in options})

    def tables(self, metrics: Mapping[str, Any], /) -> list[Table]:
        """Return the scores by protocol."""
        from linnet.tasks.linking.evaluation.scores import linking_tables

        return linking_tables(metrics)

    def corpora(self, settings: "LinkingSettings", metric: str, /) -> dict[str, CorpusFacts]:
        """Return the corpus of a run, found but not yet counted."""
        from linnet.tasks.linking.corpora import facts_of_corpus
        from linnet.tasks.linking.outcomes import check_metric

        check_metric(metric)
        return {settings.corpus_key: facts_of_corpus(settings)}

    def count(self, folder: Path, /, *, label: str | None, repair: bool) -> dict[str, dict[str, int]]:
        """Return documents, mentions and linked mentions of each split."""
        from linnet.tasks.linking.corpora import count_splits

        return count_splits(folder, label=label, repair=repair)

    def texts(self, place: Path, /, *, files: Mapping[str, Sequence[str]] | None) -> dict[str, list[str]]:
        """Return the texts of the documents of each split."""
        from linnet.formats.corpus import read_corpus

        chosen = None if files is None else {name: listed[0] for name, listed in files.items()}
        splits = read_corpus(place, files=chosen).splits
        return {name: [document.text for document in split] for name, split in splits.items()}

    def outcomes(
        self,
        runs: "Sequence[tuple[Path, LinkingSettings]]",
        /,
        *,
        metric: str,
        n_resamples: int,
        seed: int,
        split: str = "test",
    ) -> Outcomes:
        """Return how finished runs on the same documents score, by a protocol."""
        from linnet.tasks.linking.outcomes import read_linking_outcomes

        folders = [folder for folder, _ in runs]
        return read_linking_outcomes(folders, metric=metric, n_resamples=n_resamples, seed=seed, split=split)

    def metric_title(self, metric: str, /) -> str:
        """Return what tables call the score of a protocol."""
        from linnet.tasks.linking.evaluation.protocols import TITLES

        return TITLES.get(metric, metric)

    def published(self, settings: "LinkingSettings", metric: str, /) -> PublishedScore | None:
        """Return None: published figures have other protocols and vocabularies."""
        return None
