"""What does training need, and is all of it in order? Answered before any network is loaded."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import torch

from linnet.batches.encoding import EncodedWindow, WordEncoder
from linnet.contracts import Loss, ReadOptions, tasks
from linnet.errors import BadSetting, LinnetError, MissingExtra
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
from linnet.training.sampling import sample

__all__ = ["Ingredients", "check_encoder", "check_settings", "loss_of", "prepare"]

TRACKER_PACKAGES = {"tensorboard": ("tensorboard", "tensorboardX"), "mlflow": ("mlflow",), "wandb": ("wandb",)}


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
    check_settings(settings)
    corpus = read_corpus(settings.data, format=settings.format, options=ReadOptions(label=settings.label))
    training, scored = _read_splits(corpus, settings)
    label_set = label_set_of(training, list(scored.values()), settings.tagging)
    word_counts = training.counts
    loss_of(settings, label_set, _weighting(settings, {tag: word_counts[tag] for tag in label_set.names}))
    encoder = find_encoder(settings.encoder)
    check_encoder(settings, encoder)
    word_encoder = WordEncoder(encoder.backend, max_length=settings.window.max_length, overlap=settings.window.overlap)
    windows = word_encoder.encode(training.words)
    examples = list(_labelled(windows, training, label_set, all_subwords=settings.window.all_subwords))
    weighting = _weighting(settings, _counts(examples, label_set))
    return Ingredients(settings, corpus, training, scored, label_set, weighting, encoder, word_encoder, examples)


def loss_of(settings: TrainSettings, label_set: LabelSet, weighting: Weighting) -> Loss:
    """Return the loss that the settings describe, or refuse what cannot be combined."""
    told: dict[str, Any] = settings.loss.model_dump(include={"gamma", "alpha", "smoothing"})
    if "tagging" in settings_of(settings.loss.name):
        if settings.window.all_subwords:
            raise BadSetting(
                f"loss {settings.loss.name!r} learns how words follow words, which window.all_subwords would spoil",
                "leave one of the two out",
            )
        told["tagging"] = settings.tagging
    return build_loss(settings.loss.name, label_set, _scaled(weighting), **told)


def _scaled(weighting: Weighting) -> dict[str, float] | None:
    """Return the weights with the largest at one: a common factor cancels in the loss, but its rounding would not.

    So a scheme that gives every tag the same weight trains to the last bit as `none` does.
    """
    if weighting.scheme == "none":
        return None
    largest = max(weighting.weights.values())
    return {tag: weight / largest for tag, weight in weighting.weights.items()}


def check_settings(settings: TrainSettings) -> None:
    """Check what needs neither corpus nor encoder, and report all that is wrong together."""
    trial = LabelSet.of_tags(["X"], settings.tagging)
    counts = {tag: number for number, tag in enumerate(trial.names, 1)}  # uneven, as in any corpus
    has_scheme = settings.loss.weights is None  # given weights must wait for the corpus's tags
    problems = _problems(
        lambda: has_scheme and _weighting(settings, counts),
        lambda: loss_of(settings, trial, weigh(counts, "none")),
        lambda: matchings.get(settings.selection.matching),
        lambda: tasks.get(settings.task),
        lambda: _check_tracker(settings),
        lambda: _check_adapters(settings),
        lambda: _check_precision(settings),
    )
    if has_scheme and not problems:
        problems = _problems(lambda: loss_of(settings, trial, _weighting(settings, counts)))
    _refuse(problems)


def _problems(*checks: Callable[[], object]) -> list[LinnetError]:
    problems: list[LinnetError] = []
    for check in checks:
        try:
            check()
        except LinnetError as error:
            problems.append(error)
    return problems


def _refuse(problems: list[LinnetError]) -> None:
    if problems:
        raise BadSetting("\n  ".join(p.problem for p in problems), "; ".join(p.remedy for p in problems))


def _check_tracker(settings: TrainSettings) -> None:
    if settings.tracker and not any(map(find_spec, TRACKER_PACKAGES[settings.tracker])):
        raise MissingExtra(f"the tracker {settings.tracker!r} is not installed", f"pip install {settings.tracker}")


def _check_adapters(settings: TrainSettings) -> None:
    if settings.lora is not None and find_spec("peft") is None:
        raise MissingExtra("low-rank adapters need peft", "pip install 'linnet[lora]'")


def _check_precision(settings: TrainSettings) -> None:
    if settings.optimiser.precision == "float16" and not torch.cuda.is_available():
        raise BadSetting("optimiser.precision is float16, but there is no GPU", "use auto, float32 or bfloat16")


def _weighting(settings: TrainSettings, counts: Mapping[str, int]) -> Weighting:
    return weigh(counts, settings.loss.scheme, beta=settings.loss.beta, given=settings.loss.weights)


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
        training = sample(training, settings.train_sentences, seed=settings.sample_seed, setting="train_sentences")
    scored: dict[str, Examples] = {
        name: read_examples(corpus.split(name), tagging)
        for name in (("devel", "test") if settings.train_on == "train" else ("test",))  # never what was learned from
        if name in corpus.splits
    }
    if settings.devel_sentences is not None and "devel" in scored:
        scored["devel"] = sample(
            scored["devel"], settings.devel_sentences, seed=settings.sample_seed, setting="devel_sentences"
        )
    needs_devel = settings.train_on == "train" and settings.optimiser.epochs > 0
    if needs_devel and not scored.get("devel", Examples()).rows:
        raise BadSetting(
            f"the devel split of {corpus.name!r} is missing or empty, but the best epoch is chosen on it",
            'add a devel split, or train on everything for a fixed number of epochs with `train_on = "train_dev"`',
        )
    return training, scored


def _counts(examples: Iterable[LabelledWindow], label_set: LabelSet) -> dict[str, int]:
    """Return how often the loss sees each tag; one that the tagging has but the corpus does not counts zero."""
    counts = Counter(label for example in examples for label in example.labels)
    return {tag: counts[number] for tag, number in label_set.id_by_name.items()}


def check_encoder(settings: TrainSettings, encoder: Encoder) -> None:
    """Refuse what this encoder cannot do."""
    _refuse(_problems(lambda: _check_length(settings, encoder), lambda: _check_layers(settings, encoder)))


def _check_length(settings: TrainSettings, encoder: Encoder) -> None:
    most = most_positions(encoder.config)
    if most is not None and settings.window.max_length > most:
        raise BadSetting(
            f"window.max_length is {settings.window.max_length}, the encoder {encoder.name!r} reads at most {most}",
            f"set it to {most} or less; longer sentences are read in windows, nothing is lost",
        )


def _check_layers(settings: TrainSettings, encoder: Encoder) -> None:
    number, n_layers = settings.optimiser.freeze_layers, getattr(encoder.config, "num_hidden_layers", 0)
    if number > n_layers:
        raise BadSetting(
            f"optimiser.freeze_layers is {number}, the encoder {encoder.name!r} has {n_layers} layers",
            f"give at most {n_layers}",
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
