"""Describes what a tagger learned from, for `metrics.json` and the model card: corpora, stages and teachers."""

from pathlib import Path
from typing import Any

from linnet.documents.counted import counted
from linnet.tasks.ner.distillation.soft_corpus import SoftCorpus
from linnet.tasks.ner.prepared import PreparedTraining, TrainingCorpus

__all__ = ["describe_samples", "describe_sources", "summarise_sources"]


def describe_sources(prepared: PreparedTraining) -> dict[str, Any]:
    """Return for `metrics.json` the corpora of a recipe with several, and the teachers of a distillation."""
    found: dict[str, Any] = {}
    if prepared.settings.corpora:
        found["corpora"] = {corpus.name: _describe_corpus(corpus) for corpus in prepared.corpora}
    if prepared.soft is not None:
        found["distillation"] = prepared.soft.describe()
    return found


def summarise_sources(prepared: PreparedTraining) -> dict[str, str]:
    """Return the text of the card about teachers, about corpora that were learned together, and about stages."""
    settings, soft = prepared.settings, prepared.soft
    taught = {}
    if soft is not None:
        share = f"{soft.settings.share:.0%} of the batches, temperature {soft.settings.temperature:g}"
        taught = {
            "teachers": ", ".join(soft.settings.teachers),
            "unlabelled text": _describe_texts(soft),
            "soft targets": share,
        }
    if not settings.corpora:
        return taught
    corpora = [f"{corpus.name} (head {corpus.head}, weight {corpus.weight:g})" for corpus in prepared.corpora]
    found = {"corpora, the target first": "; ".join(corpora), "sampling": settings.sampling.rule}
    for number, stage in enumerate(settings.stages, 1):
        optimiser = settings.optimiser
        epochs, rate = stage.epochs or optimiser.epochs, stage.learning_rate or optimiser.learning_rate
        found[f"stage {number}"] = f"{' + '.join(stage.corpora)}: {counted(epochs, 'epoch')}, learning rate {rate:g}"
    return {**found, **taught}


def _describe_texts(soft: SoftCorpus) -> str:
    """Return how many sentences were learned from teachers, and the names of their files or folders."""
    names = ", ".join(Path(text).name for text in soft.settings.texts)
    sample = "" if soft.settings.sentences is None else "a sample of "
    return f"{sample}{counted(soft.n_sentences, 'sentence')} of {names}"


def describe_samples(prepared: PreparedTraining) -> list[str]:
    """Return a sentence for each split of which a sample was used, in place of all its sentences."""
    learned = {
        "train" if corpus is prepared.target else f"train of {corpus.name}": corpus.training
        for corpus in prepared.corpora
    }
    return [
        f"{name}: {len(rows.rows):,} of {counted(rows.sampled_from, 'sentence')}, sampled; the fingerprint is that of "
        "all"
        for name, rows in {**learned, **prepared.scored}.items()
        if rows.sampled_from is not None
    ]


def _describe_corpus(corpus: TrainingCorpus) -> dict[str, Any]:
    return {
        "head": corpus.head,
        "labels": corpus.label_set.labels,
        "sentences": len(corpus.training.rows),
        "mentions": corpus.training.n_mentions,
        "fingerprints": {name: split.fingerprint for name, split in corpus.corpus.splits.items()},
    }
