"""Reads the corpora that a tagger learns from and is scored on, with the labels that each annotates.

A training on one corpus has a target and no auxiliary corpora. Problems of all corpora are reported together.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from linnet.contracts import ReadOptions
from linnet.errors import BadSetting, LinnetError
from linnet.formats.corpus import Corpus, Split, read_corpus
from linnet.settings.training import CorpusSettings, LossSettings
from linnet.tasks.ner.checks import name_corpora
from linnet.tasks.ner.corpora.documents import find_document_files, in_documents, join
from linnet.tasks.ner.corpora.label_mapping import rename_labels
from linnet.tasks.ner.corpora.sampling import sample, sample_documents
from linnet.tasks.ner.examples import Examples, labels_of, read_examples
from linnet.tasks.ner.settings import NerSettings

__all__ = ["Source", "read_sources"]


@dataclass(frozen=True)
class Source:
    """One corpus: what is learned from it, and what is scored."""

    name: str
    head: str
    corpus: Corpus
    training: Examples
    scored: dict[str, Examples]  # devel and test; of the target only
    annotated: frozenset[str]  # labels by the corpus's own names, also where a sample of it lacks one
    map: Mapping[str, str]  # from these to the names that are learned, where they differ
    loss: LossSettings
    weight: float

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it annotates, by the names that are learned."""
        return frozenset(self.map.get(label, label) for label in self.annotated)


def read_sources(settings: NerSettings) -> tuple[list[Source], list[LinnetError]]:
    """Return the corpora of a recipe that can be read, the target first, and what is wrong with the others."""
    wanted = settings.corpora or (_only_corpus(settings),)
    found: list[Source] = []
    problems: list[LinnetError] = []
    for each in sorted(wanted, key=lambda corpus: corpus.role != "target"):
        try:
            found.append(_read_source(each, settings))
        except LinnetError as error:
            problems.append(name_corpora(error, settings, each.name))
    return found, problems


def _only_corpus(settings: NerSettings) -> CorpusSettings:
    return CorpusSettings(name=Path(settings.data).name or "corpus", data=settings.data, role="target")


def _read_source(wanted: CorpusSettings, settings: NerSettings) -> Source:
    is_target = wanted.role == "target"
    own = _own_settings(wanted, settings)
    label = own.label or (wanted.name if settings.corpora else None)  # without a name of its own, that of the folder
    options = ReadOptions(label=label, repair=own.repair)
    corpus = read_corpus(wanted.data, format=own.format, options=options, files=own.files)
    files = find_document_files(corpus, settings.documents if is_target else None)
    training = _read_training(corpus, settings, files, is_target=is_target)
    scored = _read_scored(corpus, settings, files) if is_target else {}
    names = wanted.map or {}
    annotated = frozenset(labels_of(training))
    known = annotated.union(*map(labels_of, scored.values()))
    _check_label(own.label, known, wanted.data)
    _check_map(names, known)
    training = rename_labels(training, names)
    scored = {name: rename_labels(each, names) for name, each in scored.items()}
    if own.train_sentences is not None:
        training = _sample(training, own.train_sentences, settings, setting="train_sentences")
    loss = wanted.loss or settings.loss
    return Source(
        name=wanted.name,
        head=wanted.head_name,
        corpus=corpus,
        training=training,
        scored=scored,
        annotated=annotated,
        map=names,
        loss=loss,
        weight=wanted.weight,
    )


def _own_settings(wanted: CorpusSettings, settings: NerSettings) -> CorpusSettings:
    """Return the settings of this corpus; those at the top of the recipe are the target's."""
    repair = wanted.repair or settings.repair  # at the top it holds for all corpora
    if wanted.role != "target":
        return wanted.model_copy(update={"repair": repair})
    top = {key: getattr(settings, key) for key in ("format", "label", "files", "train_sentences")}
    inherited = {key: value for key, value in top.items() if getattr(wanted, key) is None}
    return wanted.model_copy(update={**inherited, "repair": repair})


def _read_training(corpus: Corpus, settings: NerSettings, files: Mapping[str, Path], *, is_target: bool) -> Examples:
    if not is_target and "all" in corpus.splits:  # a single file that is no split: nothing of it will be scored
        splits = [corpus.split("all")]
    elif settings.train_on == "train_dev" and "train_dev" not in corpus.splits:
        also = [corpus.devel] if "devel" in corpus.splits else []  # without one, train is all there is
        splits = [corpus.train, *also]
    else:
        splits = [corpus.split(settings.train_on)]
    training = join([_read_rows(split, settings.tagging, files) for split in splits])
    training.notes.take(corpus.notes)
    for split in corpus.splits.values():  # splits that are not read yet have no notes
        training.notes.take(split.notes)
    if not training.rows:
        raise BadSetting(f"the training split of {corpus.name!r} is empty", "give a corpus with sentences")
    return training


def _read_scored(corpus: Corpus, settings: NerSettings, files: Mapping[str, Path]) -> dict[str, Examples]:
    scored: dict[str, Examples] = {
        name: _read_split(corpus.split(name), settings.tagging, files)
        for name in (("devel", "test") if settings.train_on == "train" else ("test",))  # never what was learned from
        if name in corpus.splits
    }
    if settings.devel_sentences is not None and "devel" in scored:
        scored["devel"] = _sample(scored["devel"], settings.devel_sentences, settings, setting="devel_sentences")
    has_epochs = settings.optimiser.epochs > 0 or any(stage.epochs for stage in settings.stages)
    needs_devel = settings.train_on == "train" and has_epochs
    if needs_devel and not scored.get("devel", Examples()).rows:
        raise BadSetting(
            f"the devel split of {corpus.name!r} is missing or empty, but the best epoch is chosen on it",
            'add a devel split, or train on everything for a fixed number of epochs with `train_on = "train_dev"`',
        )
    return scored


def _sample(examples: Examples, number: int, settings: NerSettings, *, setting: str) -> Examples:
    draw = sample_documents if settings.sample_documents else sample
    found = draw(examples, number, seed=settings.sample_seed, setting=setting)
    n_all = len(examples.rows)
    return found if len(found.rows) == n_all else replace(found, sampled_from=n_all)


def _read_split(split: Split, tagging: str, files: Mapping[str, Path]) -> Examples:
    found = _read_rows(split, tagging, files)
    found.notes.take(split.notes)
    return found


def _read_rows(split: Split, tagging: str, files: Mapping[str, Path]) -> Examples:
    """Return the sentences of a split, in the documents of its file where there is one."""
    return in_documents(read_examples(split, tagging), files.get(split.name), name=split.name)


def _check_label(label: str | None, known: Collection[str], place: str) -> None:
    """Refuse a label for bare tags where the corpus names several; recipes may give one for any copy of a corpus."""
    if label is not None and len(known) > 1:
        raise BadSetting(
            f"{place}: this corpus names its own labels ({', '.join(sorted(known))}), a label is for bare B/I/O tags",
            f"leave `--label` out; `linnet convert {place} OUT --keep-labels {label}` makes a corpus with one label",
        )


def _check_map(names: Mapping[str, str], known: Collection[str]) -> None:
    unknown = sorted(set(names) - set(known))
    if unknown:
        raise BadSetting(
            f"`map` renames {', '.join(unknown)}, which it does not have",
            f"it has {', '.join(sorted(known))}",
        )
