"""Which sentences are learned from and scored, and which labels does each head learn?

One corpus is the case of several: a target without company. Corpora that share a head must have the same labels, unless
the recipe allows partial ones; whatever does not fit is reported for all corpora together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from linnet.contracts import ReadOptions
from linnet.errors import BadSetting, LinnetError
from linnet.formats.corpus import Corpus, read_corpus
from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import OUTSIDE, split_tag
from linnet.settings import CorpusSettings, LossSettings, TrainSettings
from linnet.tasks.ner import Example, Examples, label_set_of, labels_of, read_examples
from linnet.training.checks import refuse
from linnet.training.sampling import sample

__all__ = ["Source", "label_sets_of", "read_sources", "unannotated_tags"]


@dataclass(frozen=True)
class Source:
    """One corpus: what is learned from it, and what is scored."""

    name: str
    head: str
    corpus: Corpus
    training: Examples
    scored: dict[str, Examples]  # devel and test; of the target only
    loss: LossSettings
    weight: float


def read_sources(settings: TrainSettings) -> tuple[Source, ...]:
    """Return the corpora of a recipe, the target first.

    Raises:
        BadSetting: with the problems of all of them.
    """
    if not settings.corpora:
        corpus = read_corpus(settings.data, format=settings.format, options=ReadOptions(label=settings.label))
        training, scored = _read_splits(corpus, settings)
        return (Source(corpus.name, corpus.name, corpus, training, scored, settings.loss, 1.0),)
    problems: list[LinnetError] = []
    found: list[Source] = []
    for wanted in sorted(settings.corpora, key=lambda corpus: corpus.role != "target"):
        try:
            found.append(_read_source(wanted, settings))
        except LinnetError as error:
            problems.append(error)
    refuse(problems)
    return tuple(found)


def label_sets_of(sources: Sequence[Source], settings: TrainSettings) -> dict[str, LabelSet]:
    """Return the tags of each head.

    Raises:
        BadSetting: where corpora cannot share a head, or a split to score has labels that its head does not learn.
    """
    heads: dict[str, list[Source]] = {}
    for source in sources:
        heads.setdefault(source.head, []).append(source)
    found = {}
    for head, members in heads.items():
        labels = [labels_of(source.training) for source in members]
        if len({frozenset(each) for each in labels}) > 1 and not settings.partial_labels:
            differing = "; ".join(
                f"{source.name} has {', '.join(sorted(each))}" for source, each in zip(members, labels, strict=True)
            )
            raise BadSetting(
                f"corpora with different labels cannot share the head {head!r}: {differing}",
                "give each its own head, rename labels that mean the same with `map`, or set partial_labels = true",
            )
        scored = [each for source in members for each in source.scored.values()]
        found[head] = label_set_of([source.training for source in members], scored, settings.tagging)
    return found


def unannotated_tags(source: Source, label_set: LabelSet, settings: TrainSettings) -> tuple[str, ...]:
    """Return the tags of the head that the corpus says nothing about: its O may be any of them."""
    if not settings.partial_labels:
        return ()
    annotated = labels_of(source.training)
    return tuple(tag for tag in label_set.names if tag != OUTSIDE and split_tag(tag)[1] not in annotated)


def _read_source(wanted: CorpusSettings, settings: TrainSettings) -> Source:
    corpus = read_corpus(wanted.data, format=wanted.format, options=ReadOptions(label=wanted.label))
    own = settings.model_copy(update={"train_sentences": wanted.train_sentences or settings.train_sentences})
    if wanted.role == "target":
        training, scored = _read_splits(corpus, own)
    else:
        own = own.model_copy(update={"train_sentences": wanted.train_sentences})
        training, scored = _read_training(corpus, own), {}
    if wanted.map:
        _check_map(wanted, training)
        training = _renamed(training, wanted.map)
        scored = {name: _renamed(each, wanted.map) for name, each in scored.items()}
    loss = wanted.loss or settings.loss
    return Source(wanted.name, wanted.head_name, corpus, training, scored, loss, wanted.weight)


def _read_splits(corpus: Corpus, settings: TrainSettings) -> tuple[Examples, dict[str, Examples]]:
    training = _read_training(corpus, settings)
    scored: dict[str, Examples] = {
        name: read_examples(corpus.split(name), settings.tagging)
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


def _read_training(corpus: Corpus, settings: TrainSettings) -> Examples:
    if settings.train_on == "train_dev" and "train_dev" not in corpus.splits:
        documents = [*corpus.train.documents, *corpus.devel.documents]
        training = read_examples(documents, settings.tagging)
    else:
        training = read_examples(corpus.split(settings.train_on), settings.tagging)
    if not training.rows:
        raise BadSetting(f"the training split of {corpus.name!r} is empty", "give a corpus with sentences")
    if settings.train_sentences is None:
        return training
    return sample(training, settings.train_sentences, seed=settings.sample_seed, setting="train_sentences")


def _check_map(wanted: CorpusSettings, training: Examples) -> None:
    known = labels_of(training)
    unknown = sorted(set(wanted.map or {}) - known)
    if unknown:
        raise BadSetting(
            f"corpus {wanted.name!r}: `map` renames {', '.join(unknown)}, which it does not have",
            f"it has {', '.join(sorted(known))}",
        )


def _renamed(examples: Examples, names: Mapping[str, str]) -> Examples:
    return Examples([_renamed_row(row, names) for row in examples.rows], examples.notes)


def _renamed_row(row: Example, names: Mapping[str, str]) -> Example:
    tags = [f"{tag[:2]}{names[tag[2:]]}" if tag[2:] in names else tag for tag in row.tags]
    return replace(row, tags=tags)
