"""Independent counts of what a file of documents holds, written without Linnet's readers.

Each function returns how many documents, mentions, relations and visible characters the bytes hold, or None where the
file cannot be judged. A key that stands twice in a JSON object counts twice, so that a reader which keeps one of them
is seen to drop the other.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

__all__ = ["COUNTERS", "Held", "count_brat", "decode", "pairs_of", "visible"]

Held = dict[str, int]
TITLE = re.compile(r"[^|\t]+\|t\|")
ABSTRACT = re.compile(r"[^|\t]+\|a\|")


class Pairs(list[tuple[str, Any]]):
    """The members of a JSON object, doubled keys included."""

    def all(self, key: str) -> Iterator[Any]:
        """Yield every value of a key."""
        return (value for name, value in self if name == key)

    def each(self, key: str) -> Iterator[Any]:
        """Yield the elements of every list of a key."""
        return (each for value in self.all(key) if isinstance(value, list) for each in value)


def decode(content: bytes) -> str | None:
    """Return the text of a file, unpacked, None where it is no text."""
    try:
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        return content.decode("utf-8-sig")
    except (UnicodeDecodeError, OSError, EOFError, zlib.error):
        return None


def pairs_of(text: str) -> Any:
    """Return decoded JSON with `Pairs` for objects, None where it is no JSON."""
    try:
        return json.loads(text, object_pairs_hook=Pairs)
    except (ValueError, RecursionError):
        return None


def visible(text: object) -> int:
    """Return the number of characters that are no white space."""
    return sum(map(len, text.split())) if isinstance(text, str) else 0


def count_jsonl(content: bytes) -> Held | None:
    """Count the lines of Linnet's own format."""
    text = decode(content)
    if text is None:
        return None
    found = [pairs_of(line) for line in text.split("\n") if line.strip()]
    if not all(isinstance(each, Pairs) for each in found):
        return None
    return {
        "documents": len(found),
        "mentions": sum(len(list(each.each("spans"))) for each in found),
        "relations": sum(len(list(each.each("relations"))) for each in found),
        "visible": sum(visible(value) for each in found for value in each.all("text")),
    }


def _count_records(content: bytes, *, mentions: tuple[str, ...]) -> Held | None:
    """Count JSON objects one after another, or those of a list, with their own texts and lists of mentions."""
    text = decode(content)
    if text is None:
        return None
    whole = pairs_of(text)
    found = [whole] if isinstance(whole, Pairs) else whole
    if found is None:
        found = [pairs_of(line) for line in text.split("\n") if line.strip()]
    if not isinstance(found, list) or not all(isinstance(each, Pairs) for each in found):
        return None
    return {
        "documents": len(found),
        "mentions": sum(len(list(each.each(key))) for each in found for key in mentions),
        "relations": sum(len(list(each.each("relations"))) for each in found),
        "visible": sum(visible(value) for each in found for value in each.all("text")),
    }


def count_pubannotation(content: bytes) -> Held | None:
    """Count denotations and relations; tracks are not judged."""
    return None if b'"tracks"' in content else _count_records(content, mentions=("denotations",))


def count_doccano(content: bytes) -> Held | None:
    """Count labels and entities."""
    return _count_records(content, mentions=("label", "labels", "entities"))


def count_label_studio(content: bytes) -> Held | None:
    """Count tasks and the characters of their texts: `text`, or else the only text of a task."""
    text = decode(content)
    whole = None if text is None else pairs_of(text)
    found = [whole] if isinstance(whole, Pairs) else whole
    if not isinstance(found, list) or not all(isinstance(each, Pairs) for each in found):
        return None
    data = [each for task in found for each in task.all("data") if isinstance(each, Pairs)]
    texts = [list(each.all("text")) or [value for key, value in each if key != "id"] for each in data]
    return {"documents": len(found), "visible": sum(visible(value) for each in texts for value in each)}


def count_conll(content: bytes) -> Held | None:
    """Count words and the characters of words."""
    text = decode(content)
    if text is None or '""""' in text:  # a quotation mark in some files
        return None
    words = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.strip(" \t\r") and not line.startswith(("-DOCSTART-", "###MEDLINE:")):
            words.append(line.split("\t")[0] if "\t" in line else line.lstrip(" ").split(" ")[0])
    return {"words": len(words), "visible": sum(map(visible, words))}


def count_pubtator(content: bytes) -> Held | None:
    """Count titles, and lines of annotations of either kind."""
    text = decode(content)
    if text is None:
        return None
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    texts = [found.end() for line in lines for found in [TITLE.match(line) or ABSTRACT.match(line)] if found]
    written = [line for line in lines if TITLE.match(line) or ABSTRACT.match(line)]
    return {
        "documents": sum(TITLE.match(line) is not None for line in lines),
        "annotations": sum(bool(line.strip(" ")) for line in lines) - len(written),
        "visible": sum(visible(line[end:]) for line, end in zip(written, texts, strict=True)),
    }


def count_bioc_json(content: bytes) -> Held | None:
    """Count the structures of BioC JSON, wherever they stand."""
    found = pairs_of(decode(content) or "")
    roots = found if isinstance(found, list) and not isinstance(found, Pairs) else [found]
    if found is None or not all(isinstance(root, Pairs) for root in roots):
        return None
    whole = [document for root in roots for document in root.each("documents")]
    whole += [root for root in roots if not any(root.all("documents")) and any(root.all("passages"))]
    if not all(isinstance(each, Pairs) for each in whole):
        return None
    passages = [each for document in whole for each in document.each("passages") if isinstance(each, Pairs)]
    sentences = [each for passage in passages for each in passage.each("sentences") if isinstance(each, Pairs)]
    places = [*whole, *passages, *sentences]
    return {
        "documents": len(whole),
        "mentions": sum(len(list(each.each("annotations"))) for each in places),
        "relations": sum(len(list(each.each("relations"))) for each in places),
        "visible": sum(_visible_passage(passage) for passage in passages),
    }


def _visible_passage(passage: Pairs) -> int:
    own = sum(map(visible, passage.all("text")))
    return own or sum(visible(text) for each in passage.each("sentences") for text in each.all("text"))


def count_bioc_xml(content: bytes) -> Held | None:
    """Count the elements of BioC XML, wherever they stand."""
    root = _parse(content)
    if root is None:
        return None
    parts = [(part, _texts(part) or [t for s in part if _tag(s) == "sentence" for t in _texts(s)]) for part in
             root.iter() if _tag(part) == "passage"]  # fmt: skip
    tags = [_tag(element) for element in root.iter()]
    return {
        "documents": tags.count("document"),
        "mentions": tags.count("annotation"),
        "relations": tags.count("relation"),
        "visible": sum(visible(text) for _, texts in parts for text in texts),
    }


def count_pubmed(content: bytes) -> Held | None:
    """Count the articles and the characters of titles and abstracts."""
    root = _parse(content)
    if root is None:
        return None
    articles = [element for element in root if _tag(element) == "PubmedArticle"]
    texts = []
    for article in (each for one in articles for each in one.iter() if _tag(each) == "Article"):
        texts += ["".join(each.itertext()) for each in article if _tag(each) == "ArticleTitle"]
        texts += ["".join(text.itertext()) for part in article if _tag(part) == "Abstract" for text in part
                  if _tag(text) == "AbstractText"]  # fmt: skip
    return {"documents": len(articles), "visible": sum(map(visible, texts))}


def count_jats(content: bytes) -> Held | None:
    """Count the articles; which characters are text depends on where they stand, and is not judged."""
    root = _parse(content)
    if root is None:
        return None
    return {"documents": 1 if _tag(root) == "article" else sum(_tag(each) == "article" for each in root)}


def count_brat(text: bytes, annotations: bytes) -> Held | None:
    """Count the lines of an annotation file that define something, and the text."""
    written, lines = decode(text), decode(annotations)
    if written is None or lines is None:
        return None
    rows = [line.removesuffix("\r") for line in lines.split("\n")]
    notes = [
        row for row in rows if row.startswith("#") and row.split("\t")[1:2] in (["Relation -"], ["ConceptRelation -"])
    ]
    return {
        "documents": 1,
        "mentions": sum(row.startswith("T") for row in rows),
        "relations": sum(row.startswith(("R", "E", "*")) for row in rows) + len(notes),
        "visible": visible(written),
    }


def _parse(content: bytes) -> ElementTree.Element | None:
    text = decode(content)
    try:
        return None if text is None else ElementTree.fromstring(text.encode())
    except (ElementTree.ParseError, ValueError, LookupError):
        return None


def _tag(element: ElementTree.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _texts(element: ElementTree.Element) -> list[str]:
    return [text for each in element if _tag(each) == "text" for text in ["".join(each.itertext())] if text]


COUNTERS = {
    "jsonl": count_jsonl,
    "conll": count_conll,
    "pubtator": count_pubtator,
    "bioc-json": count_bioc_json,
    "bioc-xml": count_bioc_xml,
    "pubmed-xml": count_pubmed,
    "jats": count_jats,
    "pubannotation": count_pubannotation,
    "doccano": count_doccano,
    "label-studio": count_label_studio,
}
