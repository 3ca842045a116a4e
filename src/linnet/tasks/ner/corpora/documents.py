"""Documents of sentences that are read from files without documents, by files that a user names for each split."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from linnet.errors import BadFile
from linnet.formats.corpus import Corpus
from linnet.formats.sentence_documents import read_sentence_documents
from linnet.tasks.ner.examples import Example, Examples, read_examples
from linnet.tasks.ner.settings import SplitName

__all__ = ["check_document_files", "find_document_files", "group_rows", "in_documents", "join"]


def find_document_files(corpus: Corpus, named: Mapping[SplitName, str] | None) -> dict[str, Path]:
    """Return the files that say which sentences are one document, by split.

    Raises:
        UnknownName: if the corpus does not have the split.
    """
    return {corpus.split(name).name: Path(file) for name, file in (named or {}).items()}


def check_document_files(corpus: Corpus, named: Mapping[SplitName, str] | None, tagging: str) -> None:
    """Refuse files that do not fit the sentences of their splits."""
    for name, path in find_document_files(corpus, named).items():
        in_documents(read_examples(corpus.split(name), tagging), path, name=name)


def in_documents(examples: Examples, path: Path | None, *, name: str) -> Examples:
    """Return the sentences of a split in the documents that a file names; without a file, as they are.

    Raises:
        BadFile: if the file does not fit the sentences, or those of a document do not follow each other.
    """
    if path is None:
        return examples
    groups = read_sentence_documents(path, examples.words)
    _check_follow(groups, path)
    return replace(examples, rows=group_rows(examples.rows, groups, name=f"{name} document"))


def group_rows(rows: Sequence[Example], groups: Sequence[int], *, name: str) -> list[Example]:
    """Return the sentences as those of other documents, whose texts are joined by line breaks.

    Args:
        rows: the sentences.
        groups: the number of each one's document, from 0.
        name: of the documents; a number from 1 follows it, without a hyphen, which would make it that of a sentence.
    """
    parts: dict[int, dict[int, str]] = defaultdict(dict)  # of each document, the texts that its sentences were read in
    for row, group in zip(rows, groups, strict=True):
        parts[group][row.group] = row.text
    texts = {group: "\n".join(own.values()) for group, own in parts.items()}
    starts = {group: _find_starts(own) for group, own in parts.items()}
    n_before: Counter[int] = Counter()
    found = []
    for row, group in zip(rows, groups, strict=True):
        n_before[group] += 1
        offset = starts[group][row.group]
        found.append(
            replace(
                row,
                document=f"{name} {group + 1}",
                group=group,
                number=n_before[group],
                text=texts[group],
                sentence=row.sentence.moved(offset),
            )
        )
    return found


def join(parts: Sequence[Examples]) -> Examples:
    """Return the sentences of several splits as one, with documents that stay apart."""
    first, *others = parts
    rows = list(first.rows)
    for other in others:
        n_documents = rows[-1].group + 1 if rows else 0
        rows += [replace(row, group=row.group + n_documents) for row in other.rows]
        first.notes.take(other.notes)
    return Examples(rows, first.notes)


def _find_starts(texts: Mapping[int, str]) -> dict[int, int]:
    """Return where each text begins in all of them joined by line breaks."""
    starts, start = {}, 0
    for key, text in texts.items():
        starts[key] = start
        start += len(text) + 1
    return starts


def _check_follow(groups: Sequence[int], path: Path) -> None:
    """Refuse documents that go on after another one has begun: a file of predictions could not hold them."""
    ended: set[int] = set()
    for number, (before, group) in enumerate(pairwise(groups), 2):
        if group != before:
            ended.add(before)
        if group in ended:
            raise BadFile(
                f"{path}: sentence {number:,} belongs to a document that ended before it",
                "sort the sentences of the corpus by their documents, and this file with them",
            )
