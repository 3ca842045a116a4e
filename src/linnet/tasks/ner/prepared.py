"""Prepares the training of a tagger: reads and checks its corpora and settings before any network is loaded."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from linnet.batches.encoding import EncodedWindow, WordEncoder
from linnet.errors import LinnetError, problems_of, refuse
from linnet.formats.corpus import Corpus
from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import split_tag
from linnet.losses.class_weights import compute_class_weights
from linnet.losses.cost_sensitive import IGNORED
from linnet.losses.weighting import Weighting
from linnet.metrics.mentions.shared_labels import SharedLabels
from linnet.models.encoders import Encoder, find_encoder
from linnet.models.families.layers import check_kept_layers
from linnet.settings.training import LossSettings
from linnet.tasks.ner.checks import loss_problems, name_corpora, settings_problems
from linnet.tasks.ner.corpora.agreement import label_sets_of, unannotated_tags
from linnet.tasks.ner.corpora.sources import Source, read_sources
from linnet.tasks.ner.distillation.soft_corpus import (
    SoftCorpus,
    add_taught_labels,
    distillation_problems,
    prepare_soft_corpus,
)
from linnet.tasks.ner.examples import Examples
from linnet.tasks.ner.losses import build_weighted_loss
from linnet.tasks.ner.settings import NerSettings
from linnet.training.checks import check_encoder
from linnet.training.job import LabelledWindow

__all__ = ["PreparedTraining", "TrainingCorpus", "prepare"]


@dataclass(frozen=True)
class TrainingCorpus:
    """One corpus to learn from: its sentences as windows, their tags, the head that learns them, and its loss."""

    name: str
    head: str
    corpus: Corpus
    training: Examples
    label_set: LabelSet  # of the head
    weighting: Weighting
    loss: LossSettings
    weight: float
    unannotated: tuple[str, ...]  # tags of the head that this corpus says nothing about
    examples: list[LabelledWindow]


@dataclass(frozen=True)
class PreparedTraining:
    """Everything that training needs, read and checked; no network is loaded yet.

    The single corpus, training split, label set and weighting are those of the target.
    """

    settings: NerSettings
    corpora: tuple[TrainingCorpus, ...]  # the target first
    scored: dict[str, Examples]  # devel and test of the target, where it has them
    encoder: Encoder
    word_encoder: WordEncoder
    soft: SoftCorpus | None = None  # unlabelled texts with the soft targets of teachers

    @property
    def target(self) -> TrainingCorpus:
        """The corpus that is evaluated."""
        return self.corpora[0]

    @property
    def corpus(self) -> Corpus:
        """The target's corpus."""
        return self.target.corpus

    @property
    def training(self) -> Examples:
        """The target's sentences to learn from."""
        return self.target.training

    @property
    def label_set(self) -> LabelSet:
        """The tags of the target's head."""
        return self.target.label_set

    @property
    def weighting(self) -> Weighting:
        """The target's weights."""
        return self.target.weighting

    @property
    def shared_labels(self) -> SharedLabels | None:
        """What is scored where the target's head has learned labels that the target does not annotate."""
        outside = {split_tag(tag)[1] for tag in self.target.unannotated}
        own = tuple(label for label in self.label_set.labels if label not in outside)
        return SharedLabels({}, own) if outside else None

    @property
    def examples(self) -> list[LabelledWindow]:
        """All windows, corpus by corpus, and those of unlabelled texts."""
        found = [example for corpus in self.corpora for example in corpus.examples]
        return found if self.soft is None else [*found, *self.soft.examples]


def prepare(settings: NerSettings) -> PreparedTraining:
    """Read and check everything that can be checked before a network is loaded.

    Raises:
        BadSetting: with all problems of the settings together.
    """
    sources, unreadable = read_sources(settings)
    heads, disagreements = label_sets_of(sources, settings)
    student = heads.get(sources[0].head) if sources else None
    if student is not None:
        student = heads[sources[0].head] = add_taught_labels(student, settings)
    unfit_losses = _loss_problems(sources, heads, settings)
    unfit_teachers = distillation_problems(settings, student)
    refuse([*settings_problems(settings), *unreadable, *disagreements, *unfit_losses, *unfit_teachers])
    encoder = find_encoder(settings.encoder, settings.lower_case)
    check_encoder(settings, encoder)
    check_kept_layers(encoder.config, settings.keep_layers, encoder=encoder.name)
    word_encoder = WordEncoder(encoder.backend, max_length=settings.window.max_length, overlap=settings.window.overlap)
    corpora = tuple(_prepare_corpus(source, heads[source.head], word_encoder, settings) for source in sources)
    scored = sources[0].scored
    return PreparedTraining(
        settings=settings,
        corpora=corpora,
        scored=scored,
        encoder=encoder,
        word_encoder=word_encoder,
        soft=prepare_soft_corpus(settings, corpora[0].label_set, word_encoder, scored.values()),
    )


def _loss_problems(
    sources: Sequence[Source], heads: Mapping[str, LabelSet], settings: NerSettings
) -> list[LinnetError]:
    """Return the problems of the losses with the tags of their heads, each once, with the names of its corpora.

    Problems that a loss has with any tags are problems of the settings, and are reported there.
    """

    def build_loss(source: Source) -> None:
        label_set = heads[source.head]
        unannotated = unannotated_tags(source, label_set)
        counts = {tag: source.training.counts[tag] for tag in label_set.names if tag not in unannotated}
        build_weighted_loss(settings, label_set, compute_class_weights(source.loss, counts), source.loss, unannotated)

    refused: dict[str, LinnetError] = {}
    corpora: dict[str, list[str]] = {}
    for source in sources:
        if source.head in heads and not loss_problems(source.loss, settings):
            for error in problems_of(partial(build_loss, source)):
                refused[str(error)] = error
                corpora.setdefault(str(error), []).append(source.name)
    return [name_corpora(error, settings, *corpora[text]) for text, error in refused.items()]


def _prepare_corpus(
    source: Source, label_set: LabelSet, word_encoder: WordEncoder, settings: NerSettings
) -> TrainingCorpus:
    windows = word_encoder.encode(source.training.words)
    labelled = _label_windows(
        windows, source.training, label_set, source.name, all_subwords=settings.window.all_subwords
    )
    examples = list(labelled)
    unannotated = unannotated_tags(source, label_set)
    counts = {tag: n for tag, n in _counts(examples, label_set).items() if tag not in unannotated}
    return TrainingCorpus(
        name=source.name,
        head=source.head,
        corpus=source.corpus,
        training=source.training,
        label_set=label_set,
        weighting=compute_class_weights(source.loss, counts),
        loss=source.loss,
        weight=source.weight,
        unannotated=unannotated,
        examples=examples,
    )


def _counts(examples: Iterable[LabelledWindow], label_set: LabelSet) -> dict[str, int]:
    """Return how often the loss sees each tag; one that the tagging has but the corpus does not counts zero."""
    counts = Counter(label for example in examples for label in example.labels)
    return {tag: counts[number] for tag, number in label_set.id_by_name.items()}


def _label_windows(
    windows: Iterable[EncodedWindow], training: Examples, label_set: LabelSet, corpus: str, *, all_subwords: bool
) -> Iterable[LabelledWindow]:
    ids = label_set.id_by_name
    for window in windows:
        labels = [IGNORED] * len(window.ids)
        tags = training.rows[window.sentence].tags[window.own_first : window.own_end]
        for tag, start, end in zip(tags, window.starts, window.ends, strict=True):
            labels[start] = ids[tag]
            if all_subwords:
                labels[start + 1 : end] = [ids[_continuing_tag(tag, label_set)]] * (end - start - 1)
        yield LabelledWindow(window, labels, corpus)


def _continuing_tag(tag: str, label_set: LabelSet) -> str:
    """Return the tag of a word's later sub-words: inside the same mention."""
    label = split_tag(tag)[1]
    inside = f"I-{label}"
    return inside if label and inside in label_set else tag
