"""Predictions of finished taggers without the words of their corpus, to be kept and restored.

What is kept is the gold tag of each word, the number of words of each sentence and of sentences of each document, and
of each run the words whose predicted tag is another one than the gold tag. Scores can be computed from that alone. The
words come back where the corpus is at hand; elsewhere a sign stands for each.
"""

import json
from collections.abc import Sequence
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any

from linnet.contracts import ReadOptions
from linnet.errors import BadFile
from linnet.formats.corpus import read_corpus
from linnet.formats.rows import read_tagged
from linnet.formats.sentence_documents import find_documents, ids_from_marks
from linnet.reports.unheld import unheld_file
from linnet.storage.files import new_file
from linnet.tasks.ner.corpora.kept_checks import check_predicted, check_shared
from linnet.tasks.ner.examples import read_examples
from linnet.tasks.ner.settings import NerSettings
from linnet.training.kept_predictions import predictions_of

__all__ = ["keep_predictions", "restore_predictions"]

NO_WORD = "_"  # stands for each word where the corpus is not at hand
Kept = dict[str, Any]  # plain values for JSON


def keep_predictions(folder: Path, split: str = "test") -> tuple[Kept, Kept]:
    """Return the gold annotations of a split, equal for all runs on it, and the predictions of a run."""
    path = predictions_of(folder, split, "tsv")
    gold, predicted = ([row for row in read_tagged(path, ReadOptions(tag_column=at)) if row.words] for at in (2, 3))
    groups = find_documents(ids_from_marks(row.begins for row in gold), [row.words for row in gold])
    gold_tags = list(chain.from_iterable(row.tags for row in gold))
    predicted_tags = list(chain.from_iterable(row.tags for row in predicted))
    names = sorted(set(gold_tags))
    unheld = unheld_file(path)
    shared = {
        "sentences": [len(row.words) for row in gold],
        "documents": None if groups is None else [len(list(each)) for _, each in groupby(groups)],
        "tags": names,
        "gold": [(names.index(tag), len(list(equal))) for tag, equal in groupby(gold_tags)],
        "unheld": unheld.read_text(encoding="utf-8") if unheld.is_file() else None,
    }
    return json.loads(json.dumps(shared)), _keep_changes(gold_tags, predicted_tags)


def restore_predictions(
    runs: Sequence[tuple[Path, Kept]], shared: Kept, settings: NerSettings, split: str = "test"
) -> bool:
    """Write the files of predictions of runs on one split; return whether the words of the corpus were found.

    Args:
        runs: folders, each with the predictions of the run.
        shared: the gold annotations.
        settings: of one of the runs.
        split: that was predicted.

    Raises:
        BadFile: where the corpus has other sentences or tags than those that were kept.
        ValueError: where these are no kept values; nothing is written then.
    """
    check_shared(shared)
    for _, own in runs:
        check_predicted(own, sum(shared["sentences"]))
    gold = [shared["tags"][at] for at, number in shared["gold"] for _ in range(number)]
    words = _read_words(settings, shared["sentences"], gold, split)
    for folder, own in runs:
        path = folder / f"predictions-{split}.tsv"
        if shared["unheld"] is not None:
            with new_file(unheld_file(path)) as file:
                file.write(shared["unheld"])
        _write(path, words or [NO_WORD] * len(gold), gold, _restore_tags(gold, own), shared, split)
    return words is not None


def _keep_changes(gold: Sequence[str], predicted: Sequence[str]) -> Kept:
    """Return the words with other tags than the gold ones, each as the distance from the one before."""
    changed = [(at, tag) for at, (right, tag) in enumerate(zip(gold, predicted, strict=True)) if right != tag]
    names = sorted({tag for _, tag in changed})
    before = [0, *(at for at, _ in changed)]
    return {
        "tags": names,
        "changes": [[at - last, names.index(tag)] for (at, tag), last in zip(changed, before, strict=False)],
    }


def _restore_tags(gold: Sequence[str], own: Kept) -> list[str]:
    tags, at = list(gold), 0
    for distance, number in own["changes"]:
        at += distance
        tags[at] = own["tags"][number]
    return tags


def _read_words(settings: NerSettings, sizes: Sequence[int], gold: Sequence[str], split: str) -> list[str] | None:
    """Return the words of a split, or None if the corpus is not on this machine, or the split is a sample of it."""
    if split == "devel" and settings.devel_sentences is not None:
        return None
    target = next((corpus for corpus in settings.corpora if corpus.role == "target"), settings)
    options = ReadOptions(label=settings.label, repair=settings.repair or target.repair)
    format, files = target.format or settings.format, target.files or settings.files
    try:
        corpus = read_corpus(settings.data, format=format, options=options, files=files)
    except BadFile:
        return None
    rows = read_examples(corpus.splits[split], settings.tagging).rows
    tags = list(chain.from_iterable(row.tags for row in rows))
    # labels may have been renamed for the training, the places of mentions have not
    if [len(row.words) for row in rows] != list(sizes) or [tag[0] for tag in tags] != [tag[0] for tag in gold]:
        raise BadFile(
            f"{settings.data}: the {split} split has other sentences or tags than the kept runs were scored on",
            "put the corpus of these runs back, or leave the kept runs out",
        )
    return list(chain.from_iterable(row.words for row in rows))


def _write(
    path: Path, words: Sequence[str], gold: Sequence[str], predicted: Sequence[str], shared: Kept, split: str
) -> None:
    """Write word, gold tag and predicted tag as a run does, with a mark where a document begins."""
    lines = (f"{word}\t{right}\t{tag}\n" for word, right, tag in zip(words, gold, predicted, strict=True))
    documents = shared["documents"]
    sizes = iter(shared["sentences"])
    with new_file(path) as file:
        for number, n_sentences in enumerate(documents or [1] * len(shared["sentences"]), 1):
            # a hyphen and a number say that this is a sentence, and that its document is not known
            file.write(f"-DOCSTART- {f'document {number}' if documents else f'{split}-{number}'}\tO\tO\n\n")
            for n_words in islice(sizes, n_sentences):
                file.writelines(islice(lines, n_words))
                file.write("\n")
