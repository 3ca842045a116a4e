"""Judges finished runs that find mentions by the links of these mentions, end to end, for comparisons.

Each run annotates the documents of its corpus's split, and one linker links what all of them found. The judged
documents are kept in the run folder, under a name that depends on the linker, and are read again the next time. Runs
from a file of kept runs have them, too, so the linker need not be there.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from linnet.contracts import Outcomes, ReadOptions
from linnet.contracts.linking import NamedVocabulary
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.formats.corpus import read_corpus
from linnet.models.loading import load
from linnet.settings.training import TrainSettings
from linnet.tasks.linking.evaluation.evaluating import evaluate_documents
from linnet.tasks.linking.evaluation.gold import GoldIdentifiers, keep_label, known_share
from linnet.tasks.linking.evaluation.judged import JudgedDocument
from linnet.tasks.linking.evaluation.kept_links import find_judged, judged_file
from linnet.tasks.linking.evaluation.predictions_file import read_predictions
from linnet.tasks.linking.evaluation.protocols import TITLES as TITLE_OF_PROTOCOL
from linnet.tasks.linking.evaluation.protocols import Counts
from linnet.tasks.linking.linker import Linker, open_linker
from linnet.tasks.linking.outcomes import judged_outcomes
from linnet.training.kept_predictions import check_same_gold

__all__ = ["TITLES", "check_judging", "judge_runs"]

PROTOCOLS = MappingProxyType(
    {
        "linked": "end_to_end",
        "linked_overlapping": "overlapping",
        "linked_documents": "documents",
        "linked_identifiers": "identifiers",
        "linked_approximate": "approximate",
    }
)
TITLES = MappingProxyType({name: f"linked {TITLE_OF_PROTOCOL[protocol]}" for name, protocol in PROTOCOLS.items()})


def check_judging(settings: TrainSettings, *, vocabulary: str, split: str) -> None:
    """Refuse a vocabulary that cannot judge runs with these settings.

    Raises:
        LinnetError: if it cannot be opened, or lacks most gold identifiers, or the corpus has none.
    """
    label, place = NamedVocabulary.parse(vocabulary)
    gold = GoldIdentifiers(open_linker(place).vocabulary)
    known_share(_read_split(settings, label, split), gold, where=f"{settings.data}, {split}")


def judge_runs(
    runs: Sequence[tuple[Path, TrainSettings]], *, vocabulary: str, metric: str, n_resamples: int, seed: int,
    split: str = "test",
) -> Outcomes:  # fmt: skip
    """Return the outcomes of runs on the same documents.

    Args:
        runs: folder and settings of each.
        vocabulary: `V`, or `Label=V` to link and score the mentions of one label.
        metric: a name of `TITLES`.
        n_resamples: how often documents are drawn.
        seed: of these draws.
        split: that is annotated and linked.
    """
    label, place = NamedVocabulary.parse(vocabulary)
    try:
        linker = open_linker(place)
    except LinnetError:
        if Path(place).exists():
            raise
        judged = [read_predictions(path) for path in _find_restored([folder for folder, _ in runs], place, split)]
    else:
        judged = [_judge(folder, settings, linker, label, split) for folder, settings in runs]
    gold = [
        [(each.id, [(mention.start, mention.end, mention.gold) for mention in each.mentions]) for each in documents]
        for documents, _ in judged
    ]
    check_same_gold([folder for folder, _ in runs], gold)
    return judged_outcomes(judged, metric=PROTOCOLS[metric], n_resamples=n_resamples, seed=seed)


def _judge(
    folder: Path, settings: TrainSettings, linker: Linker, label: str, split: str
) -> tuple[list[JudgedDocument], list[Counts]]:
    path = judged_file(folder, split, _digest(linker, label))
    if not path.is_file():
        documents = _read_split(settings, label, split)
        plain = [document.without_annotations() for document in documents]
        tagger = load(folder, precision="float32")
        found = {each.id: each for each in keep_label(tagger.annotate(plain), label or None)}
        evaluate_documents(
            linker, documents, where=f"{settings.data}, {split}", found=found, split=split, n_resamples=0
        ).write_predictions(path)
    return read_predictions(path)


def _find_restored(folders: Sequence[Path], place: str, split: str) -> list[Path]:
    """Return the judged links of runs that come from a file of kept runs, where the linker is not here."""
    found = [find_judged(folder, split) for folder in folders]
    if any(len(paths) != 1 or paths[0].name != found[0][0].name for paths in found):
        raise BadFile(
            f"{place}: there is no such vocabulary or linking run, and the runs do not all have the links of one",
            "build or train it as the grid file says",
        )
    return [path for (path,) in found]


def _read_split(settings: TrainSettings, label: str, split: str) -> list[Document]:
    options = ReadOptions(label=settings.label, repair=settings.repair)
    splits = read_corpus(settings.data, format=settings.format, options=options, files=settings.files).splits
    if split not in splits:
        raise BadSetting(f"{settings.data}: has no {split} split", "compare on a split that the corpus has")
    return list(keep_label(splits[split].documents, label or None))


def _digest(linker: Linker, label: str) -> str:
    trained = linker.ranker.fingerprint if linker.ranker else ""
    facts = f"{linker.vocabulary.hash} {trained} {linker.min_score} {label}"
    return hashlib.sha256(facts.encode()).hexdigest()[:8]
