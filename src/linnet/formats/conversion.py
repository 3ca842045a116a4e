"""How is a whole path, file or corpus folder, carried to another format?"""

from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions, WriteOptions, formats
from linnet.errors import BadSetting
from linnet.files import new_folder
from linnet.formats.corpus import Corpus, corpus_place, read_corpus
from linnet.formats.reading import Conversion, convert_documents, detect_format, format_for_output, read_documents

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
) -> Conversion:
    """Write the documents of `source` to `target`; a corpus folder becomes a folder with the same splits.

    Raises:
        WouldLose: where the new format cannot hold everything and `is_lossy` is not set; nothing is written then.
    """
    to = formats.get(target_format) if target_format else format_for_output(target)
    source_format = source_format and formats.canonical(source_format)
    source = corpus_place(source)
    if source.is_dir() and not _is_documents_folder(source, source_format):
        corpus = read_corpus(source, format=source_format, options=options)
        return _convert_corpus(corpus, target, to, write_options, is_lossy)
    if target.is_dir() and to.suffixes:
        raise BadSetting(f"{target} is a folder, {to.name} is written to a file", "name a file")
    notes = Notes()
    documents = read_documents(source, format=source_format, options=options, notes=notes)
    return convert_documents(documents, target, to=to, options=write_options, is_lossy=is_lossy, notes=notes)


def _is_documents_folder(source: Path, source_format: str | None) -> bool:
    if source_format:
        return not formats.get(source_format).suffixes and any(source.glob("*.ann"))
    return any(source.glob("*.ann")) and detect_format(source) is not None


def _convert_corpus(
    corpus: Corpus, target: Path, to: Format, write_options: WriteOptions | None, is_lossy: bool
) -> Conversion:
    whole = Conversion()
    with new_folder(target) as folder:
        for name, split in corpus.splits.items():
            file = folder / f"{name}{to.suffixes[0] if to.suffixes else ''}"
            whole += convert_documents(split, file, to=to, options=write_options, is_lossy=is_lossy, notes=split.notes)
    return whole
