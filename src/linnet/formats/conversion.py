"""How is a whole path, file or corpus folder, carried to another format?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadSetting
from linnet.formats.corpus import Corpus, corpus_place, read_corpus
from linnet.formats.reading import Conversion, convert_documents, detect_format, format_for_output, read_documents
from linnet.formats.relabelling import LabelChange, LabelCounts, check_known, relabelled
from linnet.storage.files import new_folder

__all__ = ["convert_path"]


def convert_path(
    source: Path,
    target: Path,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    options: ReadOptions | None = None,
    write_options: WriteOptions | None = None,
    is_lossy: bool = False,
    labels: LabelChange | None = None,
) -> Conversion:
    """Write the documents of `source` to `target`; a corpus folder becomes a folder with the same splits.

    Args:
        source: file, brat folder or corpus folder.
        target: file or folder to write.
        source_format: found from the content if not given.
        target_format: taken from the suffix if not given.
        options: for the reader.
        write_options: for the writer.
        is_lossy: accept the loss of what the new format cannot hold.
        labels: which mentions are kept, and what they are called then.

    Raises:
        BadSetting: where a label is named that no document has; nothing is written then.
        WouldLose: where the new format cannot hold everything and `is_lossy` is not set; nothing is written then.
    """
    to = formats.get(target_format) if target_format else format_for_output(target)
    source_format = source_format and formats.canonical(source_format)
    source = corpus_place(source)
    if source.is_dir() and not _is_documents_folder(source, source_format):
        corpus = read_corpus(source, format=source_format, options=options)
        return _convert_corpus(corpus, target, to, _Way(write_options, is_lossy, labels))
    if target.is_dir() and to.suffixes:
        raise BadSetting(f"{target} is a folder, {to.name} is written to a file", "name a file")
    notes = Notes()
    documents = read_documents(source, format=source_format, options=options, notes=notes)
    way = _Way(write_options, is_lossy, labels)
    done = convert_documents(
        way.checked(way.changed(documents), str(source)),
        target,
        to=to,
        options=write_options,
        is_lossy=is_lossy,
        notes=notes,
    )
    done.labels = way.counts if labels else None
    return done


@dataclass(frozen=True)
class _Way:
    """How documents are carried over, with the count of labels that were changed."""

    options: WriteOptions | None
    is_lossy: bool
    change: LabelChange | None
    counts: LabelCounts = field(default_factory=LabelCounts)

    def changed(self, documents: Iterable[Document]) -> Iterable[Document]:
        return documents if self.change is None else relabelled(documents, self.change, self.counts)

    def checked(self, documents: Iterable[Document], place: str) -> Iterator[Document]:
        """Pass the documents on; refuse at the end, while the output has not taken its name yet."""
        yield from documents
        self.check(place)

    def check(self, place: str) -> None:
        if self.change is not None:
            check_known(self.change, self.counts, place)


def _is_documents_folder(source: Path, source_format: str | None) -> bool:
    if source_format:
        return not formats.get(source_format).suffixes and any(source.glob("*.ann"))
    return any(source.glob("*.ann")) and detect_format(source) is not None


def _convert_corpus(corpus: Corpus, target: Path, to: Format, way: _Way) -> Conversion:
    whole = Conversion(labels=way.counts if way.change else None)
    whole.notes.take(corpus.notes)
    with new_folder(target) as folder:
        for name, split in corpus.splits.items():
            file = folder / f"{name}{to.suffixes[0] if to.suffixes else ''}"
            documents = way.changed(split)
            whole += convert_documents(
                documents, file, to=to, options=way.options, is_lossy=way.is_lossy, notes=split.notes
            )
        way.check(str(corpus.name))  # of all splits together: one may lack a label
    return whole
