"""How are sentences kept as one token per line with its tag?

Columns are separated by tabs, or by spaces where a line has no tab; the word is the first column, the tag the last
(or `tag_column`), and what stands between is kept. Blank lines end a sentence. A `-DOCSTART-` line begins a document
and is not a sentence; without such lines every sentence is a document of its own. A document's text is its words
joined by one space, its sentences joined by a line break.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document, Sentence, Span
from linnet.errors import BadFile
from linnet.files import new_file, without_line_end
from linnet.formats.rows import DOCUMENT_START, TaggedSentence, find_tagging, is_tag, read_tagged, split_columns
from linnet.labels.alignment import align, spans_from_mentions
from linnet.labels.tagging import InvalidTags, Mention, decode, decode_conll, encode, first_fault

__all__ = ["CoNLL"]

MENDED = "tags read as the conlleval script reads them"


class CoNLL:
    """One token per line, blank line between sentences."""

    name = "conll"
    suffixes: tuple[str, ...] = (".tsv", ".conll", ".txt", ".iob", ".bio")
    description = "one token per line, tag in the last column (IO, IOB1, IOB2, IOBES, BILOU or bare B/I/O)"

    def recognises(self, path: Path, head: str) -> bool:
        """Do the first sentences look like rows of columns that end in a tag?"""
        if path.is_dir():
            return False
        whole_lines = head.split("\n")[:-1] or [head]
        rows = [split_columns(without_line_end(line)) for line in whole_lines[:200] if line.strip()]
        rows = [row for row in rows if not row[0].startswith(DOCUMENT_START)]
        with_tag = sum(len(row) > 1 and is_tag(row[-1]) for row in rows)
        return bool(rows) and with_tag >= 0.5 * len(rows)

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents; the tagging is found from the whole file first, unless it is given."""
        tagging = options.tagging or find_tagging([path], options)
        builder = _Builder(path, tagging, options, notes)
        for sentence in read_tagged(path, options):
            yield from builder.take(sentence)
        yield from builder.finish()

    def losses(self, document: Document) -> Iterator[tuple[str, int]]:
        """Name what rows of tags cannot hold."""
        spans = document.spans
        yield "concept ids", sum(len(span.links) for span in spans)
        yield "scores of mentions", sum(span.score is not None for span in spans)
        yield (
            "infons",
            len(document.infons) + sum(len(s.infons) for s in spans) + sum(len(s.infons) for s in document.sentences),
        )
        yield "relations", len(document.relations)
        yield "passage structure (documents)", int(bool(document.passages))
        rows = list(align(document))
        yield "discontinuous, nested or overlapping mentions", sum(len(row.left_out) for row in rows)
        yield "exact ends of mentions that cut a token", sum(len(row.widened) for row in rows)
        yield "spacing of the text (documents)", int(not _has_canonical_spacing(document))

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write word, kept columns and tag; documents of several sentences begin with a -DOCSTART- line."""
        are_sentences = True  # until a document is more than a numbered sentence; then all need their mark
        with new_file(path) as file:
            for number, document in enumerate(documents, 1):
                rows = list(align(document))
                are_sentences = are_sentences and len(rows) == 1 and document.id.endswith(f"-{number}")
                if not are_sentences:
                    file.write(f"{DOCUMENT_START} {document.id}\tO\n\n")
                for row in rows:
                    tags = encode(row.mentions, row.n_tokens, options.tagging)
                    columns = row.sentence.columns or ((),) * row.n_tokens
                    words = _checked(row.words(document.text), document.id)
                    file.writelines(
                        "\t".join((word, *more, tag)) + "\n"
                        for word, more, tag in zip(words, columns, tags, strict=True)
                    )
                    file.write("\n")


class _Builder:
    """Puts sentences together to documents."""

    def __init__(self, path: Path, tagging: str, options: ReadOptions, notes: Notes) -> None:
        self.path, self.tagging, self.options, self.notes = path, tagging, options, notes
        self.stem = path.name.split(".")[0]
        self.ids: set[str] = set()
        self.id: str | None = None  # of the document under way; None: each sentence is one
        self.n_documents = 0
        self.sentences: list[TaggedSentence] = []
        self.is_open = False

    def take(self, sentence: TaggedSentence) -> Iterator[Document]:
        if sentence.begins is not None:
            yield from self.finish()
            self.n_documents += 1
            self.id = sentence.begins or f"{self.stem}-{self.n_documents}"
            if self.id in self.ids:
                raise BadFile(
                    f"{self.path}:{sentence.line}: a second document is called {self.id!r}", "give each its own id"
                )
            self.ids.add(self.id)
            self.is_open = True
        if not sentence.words:
            return
        if self.id is None:
            self.n_documents += 1
            yield self._document(f"{self.stem}-{self.n_documents}", [sentence])
        else:
            self.sentences.append(sentence)

    def finish(self) -> Iterator[Document]:
        if self.id is not None and self.is_open:
            yield self._document(self.id, self.sentences)
            self.sentences, self.is_open = [], False

    def _document(self, name: str, tagged: Sequence[TaggedSentence]) -> Document:
        texts: list[str] = []
        sentences: list[Sentence] = []
        spans: list[Span] = []
        offset = 0
        for words, tags, columns, line, _ in tagged:
            text = " ".join(words)
            starts = list(accumulate((len(word) + 1 for word in words), initial=offset))
            tokens = tuple((start, after - 1) for start, after in pairwise(starts))
            sentence = Sentence(offset, offset + len(text), tokens, columns)
            if tags.count("O") != len(tags):
                spans += spans_from_mentions(sentence, self._mentions(tags, line))
            texts.append(text)
            sentences.append(sentence)
            offset += len(text) + 1
        return Document(name, "\n".join(texts), tuple(spans), sentences=tuple(sentences))

    def _mentions(self, tags: tuple[str, ...], line: int) -> list[Mention]:
        if first_fault(tags, self.tagging) is None:
            return decode_conll(tags)
        if self.options.repair:
            mentions = decode_conll(tags)
            mended = encode(mentions, len(tags), self.tagging)
            n_changed = sum(a != b for a, b in zip(tags, mended, strict=True))
            self.notes.add(MENDED, f"{self.path}:{line}", n_changed)
            return mentions
        try:
            decode(tags, self.tagging)
        except InvalidTags as error:
            raise BadFile(f"{self.path}:{line + error.position}: {error.problem}", error.remedy) from None
        raise AssertionError("unreachable: decode refuses what has a fault")


def _checked(words: list[str], name: str) -> list[str]:
    for word in words:
        if not word or word.isspace() or "\t" in word or "\n" in word:
            raise BadFile(
                f"document {name!r}: the token {word!r} cannot stand in a column",
                "give tokens without tabs and line breaks, or leave tokens out: Linnet then finds them itself",
            )
    return words


def _has_canonical_spacing(document: Document) -> bool:
    rows = (" ".join(row.words(document.text)) for row in align(document))
    return "\n".join(rows) == document.text


formats.register("conll")(CoNLL())
