"""Independent counts of the examples in files of tasks about texts, and of the settings in TOML files."""

import csv
import io
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.campaign.counts import Held, Pairs, decode, pairs_of, visible

__all__ = ["count_pubmedqa", "count_questions", "count_rows", "count_squad", "flatten", "leaves"]

NAMES = frozenset("text label labels sentence sentence1 sentence2 score premise hypothesis gold_label index id".split())
NAMES |= frozenset("question context sent1 sent2 title abstract pairid guid pair_id docid pmid class".split())


def count_rows(suffix: str) -> Callable[[bytes], Held | None]:
    """Return a function that counts the rows of a table without its header."""

    def count(content: bytes) -> Held | None:
        text = decode(content)
        if text is None:
            return None
        if suffix == ".jsonl":
            lines = [line for line in text.split("\n") if line.strip()]
            is_one_value = len(lines) > 1 and isinstance(pairs_of(text), Pairs)  # of another format, such as BioC JSON
            return None if is_one_value else {"rows": len(lines)}
        if suffix == ".csv":
            try:
                rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
            except csv.Error:
                return None
        else:
            rows = [line.removesuffix("\r").split("\t") for line in text.split("\n") if "\t" in line or line.strip()]
        around = "" if suffix == ".csv" else '"'  # in CSV, a quote that is left belongs to the value (RFC 4180)
        first = {cell.strip().casefold().strip(around) for cell in rows[0]} if rows else set()
        if not first <= NAMES and first & NAMES:
            return None  # a header with a name of its own, or a row with a word that is one
        return {"rows": len(rows) - (first <= NAMES)}

    return count


def count_squad(content: bytes) -> Held | None:
    """Count the questions of a SQuAD-style file, doubled keys included."""
    root = pairs_of(decode(content) or "")
    if not isinstance(root, Pairs):
        return None
    paragraphs = [
        part for article in root.each("data") if isinstance(article, Pairs) for part in article.each("paragraphs")
    ]
    found = [(part, question) for part in paragraphs if isinstance(part, Pairs) for question in part.each("qas")]
    contexts = sum(visible(text) for part, _ in found for text in part.all("context"))
    asked = sum(visible(text) for _, each in found if isinstance(each, Pairs) for text in each.all("question"))
    return {"rows": len(found), "visible": contexts + asked}


def count_questions(type: str) -> Callable[[bytes], Held | None]:
    """Return a function that counts the snippets of questions of a type, or the questions that are yes or no."""

    def count(content: bytes) -> Held | None:
        root = pairs_of(decode(content) or "")
        if not isinstance(root, Pairs):
            return None
        questions = [each for each in root.each("questions") if isinstance(each, Pairs)]
        own = [each for each in questions if type in list(each.all("type"))]
        if type == "yesno":
            return {"rows": len(own)}
        snippets = [[s.all("text") for s in each.each("snippets") if isinstance(s, Pairs)] for each in own]
        return {"rows": sum(len({text for texts in each for text in texts}) for each in snippets)}

    return count


def count_pubmedqa(content: bytes) -> Held | None:
    """Count the questions of PubMedQA by their keys."""
    root = pairs_of(decode(content) or "")
    if not isinstance(root, Pairs):
        return None
    entries = [value for _, value in root if isinstance(value, Pairs)]
    shown = sum(visible(text) for each in entries for text in (*each.all("QUESTION"), *each.each("CONTEXTS")))
    return {"rows": len(root), "visible": shown}


def leaves(content: bytes) -> dict[str, Any] | None:
    """Return the values of a TOML file by dotted name, None where it is no TOML."""
    try:
        return dict(flatten(tomllib.loads(content.decode())))
    except (ValueError, RecursionError):
        return None


def flatten(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value
