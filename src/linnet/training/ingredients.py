"""What does training need, and is all of it in order? Answered before any network is loaded."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from linnet.batches.encoding import EncodedWindow, WordEncoder
from linnet.contracts import Loss, ReadOptions, losses, tasks, weighting_schemes
from linnet.errors import BadSetting, LinnetError
from linnet.formats.corpus import Corpus, read_corpus
from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import split_tag
from linnet.losses.cost_sensitive import IGNORED, build_loss, settings_of
from linnet.losses.weighting import Weighting, weigh
from linnet.metrics.matching import matchings
from linnet.models.encoders import Encoder, find_encoder, most_positions
from linnet.settings import TrainSettings
from linnet.tasks.ner import Examples, label_set_of, read_examples
from linnet.training.job import LabelledWindow

__all__ = ["Ingredients", "loss_of", "prepare"]


@dataclass(frozen=True)
class Ingredients:
    """Everything that training needs, checked and ready; no network yet."""

    settings: TrainSettings
    corpus: Corpus
    training: Examples
    scored: dict[str, Examples]  # devel and test, as far as there are any
    label_set: LabelSet
    weighting: Weighting
    encoder: Encoder
    word_encoder: WordEncoder
    examples: list[LabelledWindow]


def prepare(settings: TrainSettings) -> Ingredients:
    """Read and check everything that can be checked before a network is loaded.

    Raises:
        BadSetting: with all problems of the settings together.
    """
    _check_names(settings)
    corpus = read_corpus(settings.data, format=settings.format, options=ReadOptions(label=settings.label))
    training, scored = _read_splits(corpus, settings)
    label_set = label_set_of(training, list(scored.values()), settings.tagging)
    loss = settings.loss
    weighting = weigh(_full_counts(training, label_set), loss.scheme, beta=loss.beta, given=loss.weights)
    loss_of(settings, label_set, weighting)
    encoder = find_encoder(settings.encoder)
    _check_length(settings, encoder)
    word_encoder = WordEncoder(encoder.backend, max_length=settings.window.max_length, overlap=settings.window.overlap)
    windows = word_encoder.encode(training.words)
    examples = list(_labelled(windows, training, label_set, all_subwords=settings.window.all_subwords))
    return Ingredients(settings, corpus, training, scored, label_set, weighting, encoder, word_encoder, examples)


def loss_of(settings: TrainSettings, label_set: LabelSet, weighting: Weighting) -> Loss:
    """Return the loss that the settings describe, or refuse what cannot be combined."""
    told: dict[str, Any] = settings.loss.model_dump(include={"gamma", "alpha", "smoothing"})
    if "tagging" in settings_of(settings.loss.name):
        told["tagging"] = settings.tagging
    weights = None if weighting.scheme == "none" else dict(weighting.weights)
    return build_loss(settings.loss.name, label_set, weights, **told)


def _check_names(settings: TrainSettings) -> None:
    """Look every name up, and report all that are unknown together."""
    problems: list[LinnetError] = []
    lookups: list[Callable[[], object]] = [
        lambda: losses.get(settings.loss.name),
        lambda: weighting_schemes.get(settings.loss.scheme),
        lambda: matchings.get(settings.selection.matching),
        lambda: tasks.get(settings.task),
    ]
    for lookup in lookups:
        try:
            lookup()
        except LinnetError as error:
            problems.append(error)
    if settings.loss.scheme == "ens" and settings.loss.beta is None:
        problems.append(BadSetting("loss.beta is missing for the scheme 'ens'", "e.g. loss.beta = 0.999"))
    if problems:
        raise BadSetting("\n  ".join(p.problem for p in problems), "; ".join(p.remedy for p in problems))


def _read_splits(corpus: Corpus, settings: TrainSettings) -> tuple[Examples, dict[str, Examples]]:
    tagging = settings.tagging
    if settings.train_on == "train_dev" and "train_dev" not in corpus.splits:
        documents = [*corpus.train.documents, *corpus.devel.documents]
        training = read_examples(documents, tagging)
    else:
        training = read_examples(corpus.split(settings.train_on), tagging)
    if not training.rows:
        raise BadSetting(f"the training split of {corpus.name!r} is empty", "give a corpus with sentences")
    if settings.train_sentences is not None:
        training = _sample(training, settings.train_sentences, settings.seed)
    scored: dict[str, Examples] = {
        name: read_examples(corpus.split(name), tagging) for name in ("devel", "test") if name in corpus.splits
    }
    needs_devel = settings.train_on == "train" and settings.optimiser.epochs > 0
    if needs_devel and not scored.get("devel", Examples()).rows:
        raise BadSetting(
            f"the devel split of {corpus.name!r} is missing or empty, but the best epoch is chosen on it",
            'add a devel split, or train on everything for a fixed number of epochs with `train_on = "train_dev"`',
        )
    return training, scored


def _sample(examples: Examples, number: int, seed: int) -> Examples:
    if number > len(examples.rows):
        raise BadSetting(
            f"train_sentences is {number:,}, the training split has {len(examples.rows):,}", "give a smaller number"
        )
    chosen = np.random.default_rng(seed).permutation(len(examples.rows))[:number]
    return Examples([examples.rows[index] for index in sorted(chosen)], examples.notes)


def _full_counts(training: Examples, label_set: LabelSet) -> dict[str, int]:
    """Return how often the loss sees each tag; a tag that the tagging has but the corpus does not count zero."""
    counts = training.counts
    return {tag: counts[tag] for tag in label_set.names}


def _check_length(settings: TrainSettings, encoder: Encoder) -> None:
    most = most_positions(encoder.config)
    if most is not None and settings.window.max_length > most:
        raise BadSetting(
            f"window.max_length is {settings.window.max_length}, the encoder {encoder.name!r} reads at most {most}",
            f"set it to {most} or less; longer sentences are read in windows, nothing is lost",
        )


def _labelled(
    windows: Iterable[EncodedWindow], training: Examples, label_set: LabelSet, *, all_subwords: bool
) -> Iterable[LabelledWindow]:
    ids = label_set.id_by_name
    for window in windows:
        labels = [IGNORED] * len(window.ids)
        tags = training.rows[window.sentence].tags[window.own_first : window.own_end]
        for tag, start, end in zip(tags, window.starts, window.ends, strict=True):
            labels[start] = ids[tag]
            if all_subwords:
                labels[start + 1 : end] = [ids[_going_on(tag, label_set)]] * (end - start - 1)
        yield LabelledWindow(window, labels)


def _going_on(tag: str, label_set: LabelSet) -> str:
    """Return the tag of a word's later sub-words: inside the same mention."""
    label = split_tag(tag)[1]
    inside = f"I-{label}"
    return inside if label and inside in label_set else tag
