"""A format of one's own: an id, a tab and a text with mentions such as [[Disease:breast cancer]] on each line."""

import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import linnet
from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document, Span
from linnet.documents.spans import in_reading_order, nested_spans
from linnet.errors import BadFile, WouldLose
from linnet.formats.escapes import Escapes
from linnet.formats.unique_ids import UniqueDocuments, claim_id, ids_to_claim
from linnet.storage.files import check_text, new_file, read_lines

MENTION = re.compile(r"\[\[([^][:]+):([^][]+)\]\]")
IN_ID, IN_TEXT = Escapes("\t\n\r\ufeff"), Escapes("\t\n\r[]:")  # %5B for [ and so on: any text can be written
LAYOUT = "write an id, a tab and a text with mentions such as [[Disease:breast cancer]] on each line"


class Brackets:
    """One document per line, mentions in brackets."""

    name = "brackets"
    suffixes: tuple[str, ...] = (".brackets",)
    description = "an id, a tab and a text with [[Label:mention]] on each line"

    def recognises(self, path: Path, head: str) -> bool:
        """Only by its name: texts in other formats may have brackets, too."""
        return path.suffix in self.suffixes

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents, each with an id of its own."""
        unique = UniqueDocuments(options, notes)
        for number, line in read_lines(path):
            document = parse_line(line, f"{path}:{number}")
            if unique.is_new(document, f"{path}:{number}"):
                yield document
        if not len(unique):
            raise BadFile(f"{path}: holds no document", LAYOUT)

    def losses(self, document: Document) -> Iterator[tuple[str, int]]:
        """Name what a line cannot hold."""
        spans = document.spans
        yield "overlapping and discontinuous mentions", len(spans) - len(writable_spans(document))
        yield "concepts of mentions", sum(len(span.links) for span in spans)
        yield "scores", sum(span.score is not None for span in spans)
        yield "relations", len(document.relations)
        yield "passages and sentences", len(document.passages) + len(document.sentences)
        yield "infons", len(document.infons) + sum(len(span.infons) for span in spans)

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write the documents as they come; `new_file` gives the file its name when all went well."""
        ids = ids_to_claim(options)
        with new_file(path) as file:
            for document in documents:
                claim_id(document.id, ids, str(path))
                line = format_line(document)
                check_text(line, f"document {document.id!r}")
                file.write(f"{line}\n")


def parse_line(line: str, place: str) -> Document:
    """Return the document of a line, or refuse the line."""
    name, tab, marked = line.partition("\t")
    if not tab:
        raise BadFile(f"{place}: found {line[:80]!r} without a tab", LAYOUT)
    before, *rest = MENTION.split(marked)
    text, spans = IN_TEXT.decode(before), []
    for label, mention, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        start, text = len(text), text + IN_TEXT.decode(mention)
        spans.append(Span(start, len(text), IN_TEXT.decode(label)))
        text += IN_TEXT.decode(after)
    if any(bracket in part for part in (before, *rest[2::3]) for bracket in ("[[", "]]")):
        raise BadFile(f"{place}: found brackets without a label and a mention in them", LAYOUT)
    return Document(IN_ID.decode(name), text, spans=tuple(spans))


def format_line(document: Document) -> str:
    """Return the line of a document."""
    line, at = f"{IN_ID.encode(document.id)}\t", 0
    for span in writable_spans(document):
        label, mention = IN_TEXT.encode(span.label), IN_TEXT.encode(document.text[span.start : span.end])
        line += f"{escape(document.text[at : span.start])}[[{label}:{mention}]]"
        at = span.end
    return line + escape(document.text[at:])


def escape(text: str) -> str:
    """Return a text between mentions, which may be empty and in which a colon means nothing."""
    return IN_TEXT.encode(text, only="\t\n\r[]") if text else ""


def writable_spans(document: Document) -> list[Span]:
    """Return the mentions that brackets can mark, in the order of the text."""
    whole = [span for span in document.spans if not span.is_discontinuous]
    overlapping = nested_spans(whole)
    return [span for span in in_reading_order(whole) if span not in overlapping]


BRACKETS = formats.register("brackets")(Brackets())

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        source, target = "docs/examples/sample.pubtator", f"{folder}/sample.brackets"
        try:
            linnet.convert(source, target)
        except WouldLose as error:
            print(error.problem)
        linnet.convert(source, target, is_lossy=True)
        print(Path(target).read_text(encoding="utf-8").partition(" in ")[0])
        for span, text in next(linnet.read_documents(target)).mentions():
            print(span.label, span.start, span.end, text)
