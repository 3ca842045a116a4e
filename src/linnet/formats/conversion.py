"""Conversion of a file or corpus folder to another format."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions, WriteOptions, formats, reads_unique_ids, writable_formats
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import SPLITS, Corpus, place_or_stdin, read_corpus
from linnet.formats.inputs.parts import parts_of
from linnet.formats.reading import Conversion, convert_documents, detect_format, format_for_output, read_documents
from linnet.formats.relabelling import LabelChange, LabelCounts, check_labels, relabel
from linnet.storage.files import check_path, new_folder, resolve_path
from linnet.storage.outputs import refuse_existing

__all__ = ["check_target", "convert_path", "is_split"]


def convert_path(  # noqa: PLR0913 — each is an option of the command
    source: str | Path,
    target: str | Path,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    options: ReadOptions | None = None,
    write_options: WriteOptions | None = None,
    is_lossy: bool = False,
    labels: LabelChange | None = None,
    overwrite: bool = False,
    limit: int | None = None,
) -> Conversion:
    """Write the documents of `source` to `target`; a corpus folder becomes a folder with the same splits.

    Args:
        source: file, brat folder or corpus folder.
        target: file or folder to write.
        source_format: detected from the content if not given.
        target_format: chosen by the suffix if not given.
        options: for the reader.
        write_options: for the writer.
        is_lossy: accept the loss of what the new format cannot hold.
        labels: the labels to keep and to rename.
        overwrite: replace an existing target; a folder only if it holds nothing but an older conversion.
        limit: convert only this number of documents, the first of the file or of each split.

    Raises:
        BadFile: if the target exists and may not be replaced.
        BadSetting: if a label is named that no document has, and there is no limit; nothing is written then.
        WouldLose: if the new format cannot hold everything and `is_lossy` is not set; nothing is written then.
    """
    source, target = Path(source), Path(target)
    to = format_for_output(target, target_format)
    source_format = source_format and formats.canonical(source_format)
    source = place_or_stdin(source)
    check_path(target)
    converter = _Converter(options=write_options, is_lossy=is_lossy, change=labels, limit=limit)
    if source.is_dir() and not _is_documents_folder(source, source_format):
        check_target(target, source, is_entry_ours=is_split, overwrite=overwrite)
        corpus = read_corpus(source, format=source_format, options=options)
        return _convert_corpus(corpus, target, to, converter, overwrite=overwrite)
    if target.is_dir() and to.suffixes:
        raise BadSetting(f"{target} is a folder, {to.name} is written to a file", "name a file")
    check_target(target, source, is_entry_ours=_is_of_pair, overwrite=overwrite)
    notes = Notes()
    found = formats.get(source_format) if source_format else detect_format(source)
    are_unique = reads_unique_ids(found)  # over all parts of an output, too
    documents = read_documents(source, format=found.name, options=options, notes=notes)
    with new_folder(target, overwrite=True) if target.is_dir() else nullcontext(target) as place:
        done = convert_documents(
            converter.pass_and_check(converter.relabel_documents(documents), str(source)),
            place,
            to=to,
            options=replace(write_options or WriteOptions(), are_ids_unique=are_unique),
            is_lossy=is_lossy,
            notes=notes,
        )
    done.labels = converter.counts if labels else None
    return done


@dataclass(frozen=True)
class _Converter:
    """The options of a conversion, and the counts of changed labels."""

    options: WriteOptions | None
    is_lossy: bool
    change: LabelChange | None
    limit: int | None = None
    counts: LabelCounts = field(default_factory=LabelCounts)

    def relabel_documents(self, documents: Iterable[Document]) -> Iterable[Document]:
        first = documents if self.limit is None else islice(documents, self.limit)
        return first if self.change is None else relabel(first, self.change, self.counts)

    def pass_and_check(self, documents: Iterable[Document], place: str) -> Iterator[Document]:
        """Yield the documents; at the end refuse that there are none, and check the labels.

        The output is renamed to its final name only after that.
        """
        n_documents = 0
        for document in documents:
            n_documents += 1
            yield document
        if not n_documents:
            raise BadFile(f"{place}: holds no document", "give a file with documents in it")
        self.check(place)

    def check(self, place: str) -> None:
        if self.change is not None:
            check_labels(self.change, self.counts, place, is_part=self.limit is not None)


def _is_documents_folder(source: Path, source_format: str | None) -> bool:
    if parts_of(source):
        return True
    if source_format:
        return not formats.get(source_format).suffixes and any(source.glob("*.ann"))
    return any(source.glob("*.ann")) and detect_format(source) is not None


def check_target(target: Path, source: Path, *, is_entry_ours: Callable[[Path], bool], overwrite: bool) -> None:
    """Refuse to replace a target without a request, and a folder that holds anything but an older conversion."""
    refuse_existing(target, overwrite=overwrite)
    if not target.is_dir() or not any(target.iterdir()):
        return
    place = resolve_path(source)
    if resolve_path(target) in (place, *place.parents):
        raise BadFile(f"{target}: would be replaced, and it is or holds the input {source}", "name another folder")
    foreign = sorted(entry.name for entry in target.iterdir() if not is_entry_ours(entry))
    if foreign:
        raise BadFile(
            f"{target}: holds {foreign[0]}, so it is more than an older conversion, and is not replaced",
            "name another folder, or move its files away",
        )


def _is_of_pair(entry: Path) -> bool:
    """Is this one of the two files of a document in a brat folder?"""
    pair = [entry.with_suffix(suffix) for suffix in (".txt", ".ann")]
    return entry in pair and all(each.is_file() for each in pair)


def is_split(entry: Path) -> bool:
    """Is this a split as a conversion writes it, a file or a brat folder?"""
    if entry.is_dir():
        return entry.name in SPLITS and all(map(_is_of_pair, entry.iterdir()))
    known = {suffix for name in writable_formats() for suffix in formats.get(name).suffixes}
    return entry.stem in SPLITS and entry.suffix in known


def _convert_corpus(corpus: Corpus, target: Path, to: Format, converter: _Converter, *, overwrite: bool) -> Conversion:
    whole = Conversion(labels=converter.counts if converter.change else None)
    whole.notes.take(corpus.notes)
    with new_folder(target, overwrite=overwrite) as folder:
        for name, split in corpus.splits.items():
            file = folder / f"{name}{to.suffixes[0] if to.suffixes else ''}"
            documents = converter.relabel_documents(split)
            done = convert_documents(
                documents, file, to=to, options=converter.options, is_lossy=converter.is_lossy, notes=split.notes
            )
            whole += done
            whole.documents_by_split[name] = done.n_documents
        converter.check(str(corpus.name))  # over all splits, because a split may lack a label
    return whole
