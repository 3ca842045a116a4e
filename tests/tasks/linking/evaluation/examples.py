"""Small documents with gold identifiers for tests of linking."""

from pathlib import Path

from linnet.documents.document import Document, Link, Span

__all__ = ["PUBTATOR", "gold_document", "write_pubtator"]

PUBTATOR = "{id}|t|{title}\n{id}|a|{text}\n{lines}\n"


def gold_document(text: str, *mentions: tuple[str, str], id: str = "1", label: str = "Disease") -> Document:
    """Return a document with the first occurrence of each mention, linked to its identifier."""
    spans = []
    for mention, identifier in mentions:
        start = text.index(mention)
        spans.append(Span(start, start + len(mention), label, links=(Link(identifier),)))
    return Document(id, text, tuple(spans))


def write_pubtator(path: Path, *documents: Document) -> Path:
    """Write documents as PubTator, the text as the title."""
    blocks = []
    for document in documents:
        lines = [
            f"{document.id}\t{span.start}\t{span.end}\t{text}\t{span.label}\t{span.links[0].identifier}"
            for span, text in document.mentions()
        ]
        blocks.append("\n".join([f"{document.id}|t|{document.text}", f"{document.id}|a|", *lines, ""]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(blocks), encoding="utf-8")
    return path
