"""CoNLL format: one token per line with its tag.

Columns are separated by tabs, or by spaces if a line has no tab. The word is the first column, the tag the last (or
`tag_column`), and the columns between are kept. A blank line ends a sentence. A line with `-DOCSTART-`, or with
`###MEDLINE:` and an id, begins a document and is not a sentence; without such lines every sentence is a document. The
text of a document is its words joined by one space and its sentences joined by a line break.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document, Sentence, Span
from linnet.errors import BadFile, BadSetting
from linnet.formats.rows import (
    DOCUMENT_START,
    DOCUMENT_STARTS,
    TaggedSentence,
    find_tagging,
    is_tag,
    read_tagged,
    split_columns,
)
from linnet.formats.unique_ids import IdSet, claim_id, ids_to_claim
from linnet.labels.alignment import TaggableSentence, align, spans_from_mentions
from linnet.labels.mention import Mention
from linnet.labels.tagging import OUTSIDE, InvalidTags, check_tagging, decode, decode_conll, encode, first_fault
from linnet.storage.files import check_text, new_file, without_line_end

__all__ = ["MENDED", "CoNLL", "locate_words"]

MENDED = "tags read as the conlleval script reads them"


class CoNLL:
    """One token per line, blank line between sentences."""

    name = "conll"
    suffixes: tuple[str, ...] = (".tsv", ".conll", ".txt", ".iob", ".bio")
    description = "one token per line, tag in the last column (IO, IOB1, IOB2, IOBES, BILOU or bare B/I/O)"

    def recognises(self, path: Path, head: str) -> bool:
        """Do most of the first lines have several columns and a tag in the last?"""
        if path.is_dir():
            return False
        whole_lines = head.split("\n")[:-1] or [head]
        rows = [split_columns(without_line_end(line)) for line in whole_lines[:200] if line.strip()]
        rows = [row for row in rows if not row[0].startswith(DOCUMENT_STARTS)]
        with_tag = sum(len(row) > 1 and is_tag(row[-1]) for row in rows)
        return bool(rows) and with_tag >= 0.5 * len(rows)

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents; a tagging that is not given is detected from the whole file."""
        builder = _DocumentBuilder(path, options, notes)
        for sentence in read_tagged(path, options):
            yield from builder.add(sentence)
        yield from builder.finish()

    def losses(self, document: Document) -> Iterator[tuple[str, int]]:
        """Yield what tagged rows cannot hold."""
        spans = document.spans
        yield "concept ids", sum(len(span.links) for span in spans)
        yield "scores of mentions", sum(span.score is not None for span in spans)
        yield (
            "infons",
            len(document.infons) + sum(len(s.infons) for s in spans) + sum(len(s.infons) for s in document.sentences),
        )
        yield "relations", len(document.relations)
        yield "passage structure (documents)", int(bool(document.passages))
        yield "document ids", int(not document.id or document.id != _one_line(document.id))
        rows = list(align(document))
        yield "discontinuous, nested or overlapping mentions", sum(len(row.left_out) for row in rows)
        yield "exact ends of mentions that cut a token", sum(len(row.widened) for row in rows)
        kept = {row.sentence.start for row in rows if row.n_tokens}
        yield (
            "sentences without a token, or begun inside a mention",
            sum(sentence.start not in kept for sentence in document.sentences),
        )
        words = [row.words(document.text) for row in rows]
        yield "spacing of the text (documents)", int("\n".join(map(" ".join, words)) != document.text)
        yield (
            "characters outside tokens",
            max(0, _count_visible(document.text) - sum(map(_count_visible, chain(*words)))),
        )

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write word, further columns and tag; documents of several sentences begin with a -DOCSTART- line."""
        check_tagging(options.tagging)
        are_sentences = True  # until a document is more than a numbered sentence; all later ones need their line
        width = 0
        ids = ids_to_claim(options)
        with new_file(path) as file:
            for number, document in enumerate(documents, 1):
                claim_id(document.id, ids, str(path))
                check_text(document.id, f"document {document.id!r}")
                rows = [row for row in align(document) if row.n_tokens]
                are_sentences = are_sentences and _is_numbered_sentence(document, rows, number)
                if not are_sentences:
                    file.write(f"{DOCUMENT_START} {_one_line(document.id)}\tO\n\n")
                for row in rows:
                    table = _build_table(row, document, options.tagging)
                    width = width or len(table[0])
                    _check_table(table, width, document.id)
                    file.writelines("\t".join(columns) + "\n" for columns in table)
                    file.write("\n")


class _DocumentBuilder:
    """Builds documents from sentences.

    A tagging that is not given is assumed to be iob2 until a sentence violates it. Only then is it detected from the
    whole file, so most files are read once.
    """

    def __init__(self, path: Path, options: ReadOptions, notes: Notes) -> None:
        self.path, self.options, self.notes = path, options, notes
        self.tagging, self.is_tagging_known = options.tagging or "iob2", options.tagging is not None
        self.stem = path.name.split(".")[0]
        self.ids = IdSet()
        self.id: str | None = None  # of the current document; None if each sentence is a document
        self.n_documents = 0
        self.sentences: list[TaggedSentence] = []
        self.is_open = False
        self.allowed: set[tuple[str, str]] = set()  # pairs of neighbouring tags known to be allowed

    def add(self, sentence: TaggedSentence) -> Iterator[Document]:
        if sentence.begins is not None:
            yield from self.finish()
            self.n_documents += 1
            self.id = sentence.begins or f"{self.stem}-{self.n_documents}"
            if not self.ids.add(self.id):
                raise BadFile(
                    f"{self.path}:{sentence.line}: a second document is called {self.id!r}", "give each its own id"
                )
            self.is_open = True
        if not sentence.words:
            return
        if self.id is None:
            self.n_documents += 1
            yield self._build_document(f"{self.stem}-{self.n_documents}", [sentence])
        else:
            self.sentences.append(sentence)

    def finish(self) -> Iterator[Document]:
        if self.id is not None and self.is_open:
            yield self._build_document(self.id, self.sentences)
            self.sentences, self.is_open = [], False

    def _build_document(self, name: str, tagged: Sequence[TaggedSentence]) -> Document:
        texts: list[str] = []
        sentences: list[Sentence] = []
        spans: list[Span] = []
        offset = 0
        for words, tags, columns, line, _ in tagged:
            text = " ".join(words)
            sentence = Sentence(
                start=offset, end=offset + len(text), tokens=locate_words(words, offset), columns=columns
            )
            if tags.count("O") != len(tags):
                spans += spans_from_mentions(sentence, self._decode_mentions(tags, line))
            texts.append(text)
            sentences.append(sentence)
            offset += len(text) + 1
        return Document(name, "\n".join(texts), tuple(spans), sentences=tuple(sentences))

    def _decode_mentions(self, tags: tuple[str, ...], line: int) -> list[Mention]:
        if self.allowed.issuperset(pairwise(chain((OUTSIDE,), tags, (OUTSIDE,)))):
            return decode_conll(tags)
        if not self.is_tagging_known and not _is_iob2(tags):
            self._detect_tagging(line)
        if first_fault(tags, self.tagging) is None:
            self.allowed.update(pairwise(chain((OUTSIDE,), tags, (OUTSIDE,))))
            return decode_conll(tags)
        if self.options.repair:
            mentions = decode_conll(tags)
            mended = encode(mentions, len(tags), self.tagging)
            changed = [number for number, (a, b) in enumerate(zip(tags, mended, strict=True), line) if a != b]
            self.notes.add(MENDED, f"{self.path}:{changed[0]}", len(changed))
            return mentions
        try:
            decode(tags, self.tagging)
        except InvalidTags as error:
            raise BadFile(f"{self.path}:{line + error.position}: {error.problem}", error.remedy) from None
        raise AssertionError("unreachable: decode refuses what has a fault")

    def _detect_tagging(self, line: int) -> None:
        """Detect the tagging, and check the sentences before `line`, which were read as iob2."""
        self.tagging, self.is_tagging_known = find_tagging([self.path], self.options), True
        self.allowed = set()
        for sentence in read_tagged(self.path, self.options):
            if sentence.line >= line:
                break
            self._decode_mentions(sentence.tags, sentence.line)


def _is_iob2(tags: Sequence[str]) -> bool:
    return first_fault(tags, "iob2") is None and all(tag[0] in "BIO" for tag in tags)


def locate_words(words: Sequence[str], start: int = 0) -> tuple[tuple[int, int], ...]:
    """Return the offsets of the words, joined by one space, from `start` on."""
    tokens: list[tuple[int, int]] = []
    for word in words:
        end = start + len(word)
        tokens.append((start, end))
        start = end + 1
    return tuple(tokens)


def _one_line(name: str) -> str:
    return " ".join(re.split(r"[\t\n]", name)).strip()


def _count_visible(text: str) -> int:
    return sum(map(len, text.split()))


def _is_numbered_sentence(document: Document, rows: Sequence[TaggableSentence], number: int) -> bool:
    """Is the document one sentence with its number as id? U+FEFF at the start of a file is a byte-order mark."""
    is_sentence = len(rows) == 1 and document.text[:1] != "\ufeff"
    return is_sentence and document.id.endswith(f"-{number}")


def _build_table(row: TaggableSentence, document: Document, tagging: str) -> list[tuple[str, ...]]:
    tags = encode(row.mentions, row.n_tokens, tagging)
    if tagging == "io" and len(decode_conll(tags)) != len(row.mentions):
        raise BadSetting(
            f"document {document.id!r}: adjacent mentions have one label, and the tagging io would merge them",
            "write another tagging, e.g. iob2",
        )
    columns = row.sentence.columns or ((),) * row.n_tokens
    words = row.words(document.text)
    return [(word, *more, tag) for word, more, tag in zip(words, columns, tags, strict=True)]


def _check_table(table: list[tuple[str, ...]], width: int, name: str) -> None:
    for columns in table:
        line = "".join(columns)
        if "\t" in line or "\n" in line or line.endswith("\r") or columns[0].startswith(DOCUMENT_STARTS):
            raise BadFile(
                f"document {name!r}: the token or tag of {columns!r} cannot be written in a column",
                "give tokens, columns and labels without tabs and line breaks",
            )
        if columns[-1][1:] == "-":
            raise BadFile(f"document {name!r}: a mention of {columns[0]!r} has no label", "give every mention a label")
        if len(columns) != width:
            raise BadFile(
                f"document {name!r}: {columns[0]!r} has {len(columns)} columns, the tokens before have {width}",
                "give every token the same columns",
            )
        check_text(line, f"document {name!r}")


formats.register("conll")(CoNLL())
