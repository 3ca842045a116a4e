"""Reading of evaluation corpora, whose sentences are left out of pretraining.

A corpus is read as documents. If no document format can read it, every text task tries. Whatever any of them reads
counts, each text as a document, because a table or a file of questions does not say which task it belongs to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from linnet.contracts import ReadOptions, formats, tasks
from linnet.documents.document import Document
from linnet.errors import BadFile, LinnetError, UnknownName
from linnet.formats.corpus import corpus_place, no_such_split, read_corpus, split_candidates, split_paths
from linnet.formats.reading import head_of
from linnet.formats.split_choice import ALIASES
from linnet.pretraining.text.load_or_build import compute_fingerprint
from linnet.storage.compression import unpacked_name
from linnet.tasks.inference import pubmedqa

__all__ = ["EvaluationCorpus", "read_evaluation_corpus"]


Files = dict[str, tuple[str, ...]]  # file names by split


@dataclass(frozen=True)
class EvaluationCorpus:
    """The documents of a corpus, or of one of its splits."""

    documents: list[Document]
    digest: str  # of the content


def read_evaluation_corpus(name: str) -> EvaluationCorpus:
    """Return the documents of a corpus for entity recognition or for a text task.

    Args:
        name: a path or a known name, for all its splits, or `PATH:SPLIT`, of which only that split is read.

    Raises:
        LinnetError: if there is no such corpus or split, or nothing can read it.
    """
    path, colon, split = name.rpartition(":")
    has_no_split = not colon or Path(name).exists()
    named, wanted = (name, None) if has_no_split else (path, ALIASES.get(split, split))
    place = corpus_place(named)
    try:
        return _read_documents(place, wanted)
    except (BadFile, UnknownName) as problem:
        # token rows would also pass as a table of one-word texts
        if not place.exists() or _has_token_rows(place):
            raise
        return _read_texts(place, wanted, problem)


def _read_documents(place: Path, split: str | None) -> EvaluationCorpus:
    corpus = read_corpus(place, options=ReadOptions(repair=True))
    chosen = list(corpus.splits.values()) if split is None else [corpus.split(split)]
    documents = [document for part in chosen for document in part]
    return EvaluationCorpus(documents, "".join(part.fingerprint for part in chosen))


def _has_token_rows(place: Path) -> bool:
    rows = formats.get("conll")
    paths = [path for listed in split_candidates(place, None).values() for path in listed]
    return any(path.is_file() and rows.recognises(unpacked_name(path), head_of(path)) for path in paths)


def _read_texts(place: Path, split: str | None, problem: LinnetError) -> EvaluationCorpus:
    found = [text for files in _list_parts(place, split) for text in _read_part(place, files, split, problem)]
    texts = list(dict.fromkeys(found))  # several tasks may read the same, in the same order
    return EvaluationCorpus(
        [Document(str(number), text) for number, text in enumerate(texts)], compute_fingerprint(texts)
    )


def _list_parts(place: Path, split: str | None) -> list[Files | None]:
    """Return the parts to read one by one: the files of each wanted split, or None for the corpus as a whole."""
    if place.is_file() or pubmedqa.is_corpus(place):  # the splits of PubMedQA share a file
        return [None]
    paths = split_paths(place, None)
    if split is not None and split not in paths:
        raise no_such_split(paths, split, f"corpus {str(place)!r}")
    return [{name: (path.name,)} for name, path in paths.items() if split in (None, name)]


def _read_part(place: Path, files: Files | None, split: str | None, problem: LinnetError) -> list[str]:
    """Return the texts that any task reads of a part."""
    found: list[str] = []
    refusals: dict[str, str] = {}
    for name in tasks.names():
        try:
            found += _texts_of_split(tasks.get(name).texts(place, files=files), split, place)
        except LinnetError as refusal:
            refusals[name] = refusal.problem
    if not found:
        reasons = "".join(f"\n    {name}: {refusal}" for name, refusal in refusals.items())
        raise BadFile(
            f"{place}: this is neither a corpus of documents ({problem.problem}) nor one of texts:{reasons}",
            "name a corpus, or a file of one, that a task can read (`linnet list tasks`)",
        )
    return found


def _texts_of_split(splits: Mapping[str, Sequence[str]], split: str | None, place: Path) -> list[str]:
    if split is None:
        return [text for texts in splits.values() for text in texts]
    if split not in splits:
        raise no_such_split(splits, split, f"corpus {str(place)!r}")
    return list(splits[split])
