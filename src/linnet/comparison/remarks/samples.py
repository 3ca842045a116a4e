"""Samples that a grid draws: those that are too large, and those of devel that lose the documents of the sentences.

A list inside Linnet knows the documents of whole splits only. Documents that the corpus itself or a file beside it
names stay those of the sentences that are drawn.
"""

from collections.abc import Mapping, Sequence

from linnet.comparison.axes import label_of
from linnet.comparison.grid import PlannedRun
from linnet.contracts import CorpusFacts, ReadOptions
from linnet.errors import BadSetting, refuse
from linnet.formats.corpus import read_corpus
from linnet.formats.sentence_documents import find_documents
from linnet.settings.training import TrainSettings

__all__ = ["note_samples_of_sentences", "refuse_large_samples"]

DEVEL = "devel"  # the only split that is sampled and scored


def note_samples_of_sentences(runs: Sequence[PlannedRun], corpora: Mapping[str, CorpusFacts]) -> list[str]:
    """Return a note about the corpora of which the remaining runs draw single sentences of devel, though they need not.

    Samples of the training split are never scored, so it does not matter for intervals how they are drawn.
    """
    sampled = [run.settings for run in runs if not run.is_finished and _draws_sentences(run.settings)]
    names = {settings.corpus_key: label_of("data", settings.data) for settings in sampled}
    largest = {settings.corpus_key: settings for settings in sorted(sampled, key=_n_sentences, reverse=True)}
    known = [names[key] for key, settings in largest.items() if _could_draw_documents(settings, corpora.get(key))]
    if not known:
        return []
    return [
        f"`devel_sentences` draws single sentences, though the documents are known ({', '.join(known)}): intervals "
        "with `--on devel` will be over sentences, probably too narrow; to draw whole documents, set "
        "`sample_documents = true` beside it before the runs are made"
    ]


def refuse_large_samples(runs: Sequence[PlannedRun], corpora: Mapping[str, CorpusFacts]) -> None:
    """Refuse samples that are larger than the split they are drawn from, which every run would refuse.

    Raises:
        BadSetting: with all such samples together.
    """
    problems: dict[str, BadSetting] = {}
    for run in runs:
        settings, facts = run.settings, corpora.get(run.settings.corpus_key)
        for setting, split in (("train_sentences", settings.train_on), ("devel_sentences", DEVEL)):
            wanted = getattr(settings, setting)
            total = 0 if wanted is None or facts is None or settings.corpora else facts.sizes().get(split, (0, 0))[0]
            if total and wanted > total and not run.is_finished:
                text = f"{setting} is {wanted:,}, the split {split} of {settings.data} has {total:,}"
                problems[text] = BadSetting(text, f"give at most {total}")
    refuse(list(problems.values()))


def _draws_sentences(settings: TrainSettings) -> bool:
    is_sampled = settings.devel_sentences is not None and settings.train_on == "train"
    return is_sampled and not getattr(settings, "sample_documents", False)


def _n_sentences(settings: TrainSettings) -> int:
    return settings.devel_sentences or 0


def _could_draw_documents(settings: TrainSettings, facts: CorpusFacts | None) -> bool:
    """Is the sample a part of devel, and does it lose the documents that are known of all of devel?"""
    if facts is None or _n_sentences(settings) >= facts.sizes().get(DEVEL, (0, 0))[0]:
        return False
    is_named = DEVEL in (getattr(settings, "documents", None) or {})  # by a file beside the corpus
    return not is_named and facts.has_documents(DEVEL) and not _names_documents(settings)


def _names_documents(settings: TrainSettings) -> bool:
    """Does the corpus itself say which sentences of devel are one document?"""
    options = ReadOptions(label=settings.label, repair=settings.repair)
    corpus = read_corpus(settings.data, format=settings.format, options=options, files=settings.files)
    ids = [each.id for each in corpus.devel for _ in each.sentences or (each,)]
    return find_documents(ids, words=()) is not None  # without words, which the list would be searched for
