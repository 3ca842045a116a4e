"""Reads the judged documents and counts that an evaluation of a linker has written, and checks every line."""

from math import inf
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.files import read_lines
from linnet.storage.json_keys import load_json
from linnet.tasks.linking.evaluation.judged import FoundMention, JudgedDocument, JudgedMention
from linnet.tasks.linking.evaluation.protocols import TITLES, Counts

__all__ = ["are_counts", "read_predictions"]

AGAIN = "train or evaluate the linker again; a file `linked-....jsonl` can be removed, a comparison writes it anew"
WIDTH = {"documents": 5} | dict.fromkeys(("end_to_end", "overlapping", "identifiers", "approximate", "nil"), 4)
OPTIONAL = {"approximate"}


def read_predictions(path: Path) -> tuple[list[JudgedDocument], list[Counts]]:
    """Return the documents and counts that `LinkingEvaluation.write_predictions` wrote.

    Raises:
        BadFile: where a line holds something else.
    """
    documents, counts = [], []
    for number, line in read_lines(path):
        try:
            row = load_json(line)
            documents.append(JudgedDocument.from_dict(row))
            counts.append(row["counts"])
            if not _is_whole(documents[-1]) or not are_counts(counts[-1]):
                raise ValueError("fields are missing, or have other values than an evaluation writes")
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadFile(
                f"{path}:{number}: this is no document with judged links ({str(error) or error!r:.150})", AGAIN
            ) from None
    return documents, counts


def are_counts(value: Any) -> bool:  # Any: of a JSON file
    """Are these the counts of a document, by protocol?"""
    if not isinstance(value, dict) or not TITLES.keys() - OPTIONAL <= value.keys():
        return False
    return all(
        isinstance(parts, list) and len(parts) == WIDTH.get(name, 3) and all(map(_is_count, parts))
        for name, parts in value.items()
    )


def _is_whole(document: JudgedDocument) -> bool:
    if not (isinstance(document.id, str) and isinstance(document.text, str)):
        return False
    mentions: list[JudgedMention | FoundMention] = [*document.mentions, *document.found]
    return all(
        _is_in_text(each, document.text) and isinstance(each.label, str) and _are_identifiers(each) for each in mentions
    )


def _is_in_text(mention: JudgedMention | FoundMention, text: str) -> bool:
    are_whole = type(mention.start) is int and type(mention.end) is int
    return are_whole and 0 <= mention.start < mention.end <= len(text)


def _are_identifiers(mention: JudgedMention | FoundMention) -> bool:
    if not _are_texts(mention.links):
        return False
    if isinstance(mention, FoundMention):
        return True
    return _are_texts(mention.gold) and isinstance(mention.parts, tuple) and all(map(_are_texts, mention.parts))


def _are_texts(value: Any) -> bool:  # Any: of a JSON file
    return isinstance(value, tuple) and all(isinstance(each, str) for each in value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < inf
