"""What does a corpus say that is kept for evaluation: documents, or the texts that a task asks about?

A corpus that no format of documents can read is given to the tasks about texts. Whatever any of them reads counts, each
text as a document: a table or a file of questions does not say which task it was made for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from linnet.contracts import ReadOptions, formats, tasks
from linnet.documents.document import Document
from linnet.errors import BadFile, LinnetError, UnknownName
from linnet.formats.corpus import ALIASES, corpus_place, no_such_split, read_corpus, split_candidates, split_paths
from linnet.formats.reading import head_of
from linnet.pretraining.text.load_or_build import digest_of
from linnet.storage.compression import unpacked_name
from linnet.tasks.inference import pubmedqa

__all__ = ["EvaluationCorpus", "read_evaluation_corpus"]


Files = dict[str, tuple[str, ...]]  # names by split


@dataclass(frozen=True)
class EvaluationCorpus:
    """The documents of a corpus, or of one of its splits."""

    documents: list[Document]
    digest: str  # of what was read


def read_evaluation_corpus(name: str) -> EvaluationCorpus:
    """Return a corpus for mentions or for a task about texts.

    Args:
        name: a path or a known name, of which all splits count, or `PATH:SPLIT`, of which no other is read.

    Raises:
        LinnetError: where there is no such corpus or split, or nobody can read it.
    """
    path, colon, split = name.rpartition(":")
    is_whole = not colon or Path(name).exists()
    named, wanted = (name, None) if is_whole else (path, ALIASES.get(split, split))
    place = corpus_place(named)
    try:
        return _of_documents(place, wanted)
    except (BadFile, UnknownName) as problem:
        # rows of tokens would also pass as a table of texts, each a word
        if not place.exists() or _holds_tokens(place):
            raise
        return _of_texts(place, wanted, problem)


def _of_documents(place: Path, split: str | None) -> EvaluationCorpus:
    corpus = read_corpus(place, options=ReadOptions(repair=True))
    chosen = list(corpus.splits.values()) if split is None else [corpus.split(split)]
    documents = [document for each in chosen for document in each]
    return EvaluationCorpus(documents, "".join(each.fingerprint for each in chosen))


def _holds_tokens(place: Path) -> bool:
    rows = formats.get("conll")
    paths = [path for listed in split_candidates(place, None).values() for path in listed]
    return any(path.is_file() and rows.recognises(unpacked_name(path), head_of(path)) for path in paths)


def _of_texts(place: Path, split: str | None, problem: LinnetError) -> EvaluationCorpus:
    found = [text for files in _parts(place, split) for text in _read_part(place, files, split, problem)]
    texts = list(dict.fromkeys(found))  # several tasks may read the same, in the same order
    return EvaluationCorpus([Document(str(number), text) for number, text in enumerate(texts)], digest_of(texts))


def _parts(place: Path, split: str | None) -> list[Files | None]:
    """Return what is read one by one: the files of the splits that count, or None for the place as a whole."""
    if place.is_file() or pubmedqa.is_corpus(place):  # whose splits share a file
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
        told = "".join(f"\n    {name}: {refusal}" for name, refusal in refusals.items())
        raise BadFile(
            f"{place}: this is neither a corpus of documents ({problem.problem}) nor one of texts:{told}",
            "name a corpus, or a file of one, that a task can read (`linnet list tasks`)",
        )
    return found


def _texts_of_split(splits: Mapping[str, Sequence[str]], split: str | None, place: Path) -> list[str]:
    if split is None:
        return [text for texts in splits.values() for text in texts]
    if split not in splits:
        raise no_such_split(splits, split, f"corpus {str(place)!r}")
    return list(splits[split])
