"""Corpora on disk: splits, and the files that belong to them.

A corpus is a folder with one file (or brat folder) per split, or a single file. Exact names come first (`train.tsv`,
`dev.xml`); if a folder has none, names that contain the name of a split count (`eng.testa`, `CDR_TrainingSet.txt`). Of
several files of a split with the same content, one is read (`split_choice`).
"""

import hashlib
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions, formats
from linnet.corpora.places import known_place, require_mentions
from linnet.documents.document import Document
from linnet.errors import BadFile, UnknownName
from linnet.formats.inputs.parts import parts_of, read_whole
from linnet.formats.reading import detect_format
from linnet.formats.rows import find_tagging
from linnet.formats.split_choice import (
    ALIASES,
    choose_files,
    find_named_files,
    is_by_product,
    no_split_error,
    note_left_aside,
    pick_only_files,
    split_of_name,
    stem_of_name,
)
from linnet.labels.alignment import align
from linnet.labels.tagging import encode
from linnet.storage.compression import unpacked_name
from linnet.storage.files import check_path
from linnet.storage.pipes import is_pipe
from linnet.storage.sources import read_stored

__all__ = ["Corpus", "Split", "choose_split", "corpus_place", "is_one_split", "no_such_split", "place_or_stdin",
           "read_corpus", "split_candidates", "split_paths"]  # fmt: skip

SPLITS = ("train", "devel", "test", "train_dev")
WHOLE = "all"  # the only split of a file that is not named after a split
USUAL = "test"  # the split of a corpus if none is named
NOT_DATA = re.compile(r"^(?:readme|licen[cs]e|provenance|guideline|changelog|\.)", re.IGNORECASE)


@dataclass(frozen=True)
class Split:
    """The documents of one split; iteration streams them, `documents` keeps them in memory."""

    name: str
    path: Path
    format: Format
    options: ReadOptions
    tagging: str
    notes: Notes = field(default_factory=Notes)

    def __repr__(self) -> str:
        return f"<Split {self.name}: {self.path}, {self.format.name}>"

    def __iter__(self) -> Iterator[Document]:
        self.notes.clear()  # they are about the latest reading only
        return read_whole(self.format, self.path, self.options, self.notes)

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """All documents, read once."""
        return tuple(self)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each tag occurs, by name, in the corpus's tagging."""
        counts: Counter[str] = Counter()
        for document in self.documents:
            for row in align(document):
                counts.update(encode(row.mentions, row.n_tokens, self.tagging))
        return counts

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the bytes, so that a run can record its data."""
        digest = hashlib.sha256()
        for path in sorted(self.path.iterdir()) if self.path.is_dir() else [self.path]:
            digest.update(os.fsencode(path.name) + b"\0" + read_stored(path))
        return digest.hexdigest()


@dataclass(frozen=True)
class Corpus:
    """Named splits of documents."""

    name: str
    splits: dict[str, Split]
    format: str
    tagging: str
    notes: Notes = field(default_factory=Notes)  # about files that are not read

    def __repr__(self) -> str:
        return f"<Corpus {self.name}: {', '.join(self.splits)}; {self.format}>"

    def split(self, name: str) -> Split:
        """Return the split of this name, or of an alias such as `dev`."""
        return self.splits[_find_split(self.splits, name, f"corpus {self.name!r}")]

    @property
    def train(self) -> Split:
        """The split to train on."""
        return self.split("train")

    @property
    def devel(self) -> Split:
        """The split for early stopping and the choice of hyper-parameters."""
        return self.split("devel")

    @property
    def test(self) -> Split:
        """The split for the final evaluation."""
        return self.split("test")


def read_corpus(
    path: str | Path,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    files: Mapping[str, str] | None = None,
) -> Corpus:
    """Return the corpus at a path, or of a name; `"demo"` is the corpus that comes with Linnet.

    The splits and their tagging are known when this returns; documents are read later.

    Args:
        path: a folder, or a single file.
        format: of the files; detected from their content if not given.
        options: of the readers.
        files: the file of each split, if the names are not usual: `{"train": "train.tsv", "test": "heldout.tsv"}`.
    """
    require_mentions(path)
    place = place_or_stdin(path)
    options = options or ReadOptions()
    if format:
        formats.get(format)  # a misspelt name is refused before any file is opened
    if not is_pipe(place):  # whose folder says nothing
        options = replace(options, label=options.label or _corpus_name(place))
    notes = Notes()
    if files is None:
        listed = split_candidates(place, format, notes)
    else:
        listed = {name: [file] for name, file in find_named_files(place, files, ALIASES).items()}
    chosen = choose_files(listed, format, options, notes)
    kinds = sorted({kind.name for _, kind in chosen.values()})
    tagging = options.tagging or "iob2"
    rows = [part for file, kind in chosen.values() if kind.name == "conll" for part in parts_of(file) or [file]]
    if rows and not options.tagging:
        tagging = find_tagging(rows, options)
    options = replace(options, tagging=tagging)
    splits = {
        name: Split(name=name, path=file, format=kind, options=options, tagging=tagging)
        for name, (file, kind) in chosen.items()
    }
    is_whole = list(splits) == [WHOLE] and place.is_file()  # so that its folder says nothing about it
    name = "demo" if str(path) == "demo" else unpacked_name(place).stem if is_whole else _corpus_name(place)
    return Corpus(name=name, splits=splits, format="+".join(kinds), tagging=tagging, notes=notes)


def corpus_place(path: str | Path) -> Path:
    """Return the path of a corpus that is given by path or by name (`linnet corpus list`); `demo` comes with Linnet.

    A file or folder of this name in the working directory comes first. Nothing is downloaded.

    Raises:
        BadFile: if it is a name, and the corpus is not on this machine, or a path that the system cannot access.
    """
    check_path(Path(path))
    if str(path) == "demo" and not Path(path).exists():
        return Path(str(files("linnet") / "demo"))
    return known_place(path) or Path(path)


def place_or_stdin(path: str | Path) -> Path:
    """Return the path of a corpus as `corpus_place` does; `-` is standard input, which is kept to be read again."""
    return Path("/dev/stdin") if str(path) == "-" else corpus_place(path)


def split_paths(place: Path, format: str | None, notes: Notes | None = None) -> dict[str, Path]:
    """Return the file (or folder of documents) of each split of a corpus; `all` for a file not named after a split.

    Raises:
        BadFile: if there is none, or two files of a split differ.
    """
    return pick_only_files(split_candidates(place, format, notes))


def split_candidates(place: Path, format: str | None, notes: Notes | None = None) -> dict[str, list[Path]]:
    """Return the files (or folders of documents) named after each split; `all` for a file not named after a split.

    By-products of programs beside a corpus are counted in the notes.

    Raises:
        BadFile: if there is none.
    """
    if not place.exists():
        raise BadFile(
            f"{place}: there is no such file or folder",
            "check the name; `linnet corpus list` prints the corpora that have one",
        )
    if is_one_split(place):
        return {split_of_name(place.name) or WHOLE: [place]}
    entries = [entry for entry in sorted(place.iterdir()) if not NOT_DATA.match(entry.name)]
    if not entries:
        raise BadFile(f"{place}: the folder is empty", "give a folder with train, devel and test files")
    aside = [entry for entry in entries if is_by_product(entry.name)]
    data = [entry for entry in entries if entry not in aside]
    exact = [(ALIASES[stem], entry) for entry in data if (stem := stem_of_name(entry.name)) in ALIASES]
    named = exact or [(name, entry) for entry in data if (name := split_of_name(entry.name))]
    if format:
        named = [(name, entry) for name, entry in named if _has_format(entry, format)]
    if not named:
        raise no_split_error(place, [entry.name for entry in entries])
    note_left_aside(aside, notes if notes is not None else Notes())
    return {name: listed for name in SPLITS if (listed := [entry for split, entry in named if split == name])}


def choose_split(names: Collection[str], wanted: str | None, place: Path) -> str:
    """Return the split to read: the wanted one, or `test`; of a single file always its only split.

    Args:
        names: the splits of the corpus.
        wanted: by the user; None if no split is named.
        place: the path of the corpus.

    Raises:
        UnknownName: if there is no such split, or a single file is named after another one.
    """
    if not is_one_split(place):
        return _find_split(names, wanted or USUAL, str(place))
    (own,) = names  # a file that is not named after a split may be any split
    if wanted is not None and own in SPLITS and ALIASES.get(wanted, wanted) != own:
        raise UnknownName(f"{place} is the {own} split by its name, not {wanted!r}", "leave `--split` out")
    if wanted is not None and ALIASES.get(wanted, wanted) not in (*SPLITS, own):
        raise UnknownName(f"there is no split called {wanted!r}", f"name one of {', '.join(SPLITS)}, or none")
    return own


def is_one_split(place: Path) -> bool:
    """Is this a single file, a pipe, a folder of documents (brat) or of parts, rather than a folder of splits?"""
    return (place.exists() and not place.is_dir()) or _is_documents_folder(place) or bool(parts_of(place))


def no_such_split(names: Collection[str], wanted: str, corpus: str) -> UnknownName:
    """Return the error for a split that the corpus does not have."""
    if list(names) == [WHOLE]:
        remedy = "it is in one piece; `linnet split IN OUT` makes train, devel and test of it: give that folder"
    else:
        remedy = f"it has {', '.join(names)}"
    return UnknownName(f"{corpus} has no split {wanted!r}", remedy)


def _corpus_name(place: Path) -> str:
    whole = place.resolve()
    return place.name if is_pipe(place) else whole.name if whole.is_dir() else whole.parent.name or whole.stem


def _find_split(names: Collection[str], wanted: str, corpus: str) -> str:
    """Return the name of the wanted split; aliases such as `dev` are allowed.

    Raises:
        UnknownName: if the corpus has no such split.
    """
    known = ALIASES.get(wanted, wanted)
    if known not in names:
        raise no_such_split(names, wanted, corpus)
    return known


def _is_documents_folder(place: Path) -> bool:
    return any(place.glob("*.ann"))


def _has_format(entry: Path, format: str) -> bool:
    try:
        return detect_format(entry).name == format
    except BadFile:
        return False
