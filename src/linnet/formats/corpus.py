"""What is a corpus on disk, and which of its files is which split?

A corpus is a folder with one file (or brat folder) per split, or a single file. Exact names win (`train.tsv`,
`dev.xml`); where a folder has none, names that contain a split's name count (`eng.testa`, `CDR_TrainingSet.txt`). Of
several files of a split that hold the same, one is read (`split_choice`).
"""

import hashlib
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
from linnet.formats.reading import detect_format
from linnet.formats.rows import find_tagging
from linnet.formats.split_choice import choose_files, is_by_product, named_files, note_left_aside, only_files
from linnet.labels.alignment import align
from linnet.labels.tagging import encode

__all__ = [
    "Corpus",
    "Split",
    "choose_split",
    "corpus_place",
    "is_one_split",
    "no_such_split",
    "read_corpus",
    "split_candidates",
    "split_paths",
]

SPLITS = ("train", "devel", "test", "train_dev")
WHOLE = "all"  # the one split of a file that is not named after any
USUAL = "test"  # of a corpus, where nobody says which split is meant
ALIASES = {
    "train": "train", "training": "train",
    "devel": "devel", "dev": "devel", "valid": "devel", "validation": "devel", "development": "devel",
    "test": "test", "testing": "test",
    "train_dev": "train_dev", "traindev": "train_dev", "train-dev": "train_dev",
}  # fmt: skip
IN_NAMES = (  # looked for in this order in names that are no alias themselves
    ("train_dev", re.compile(r"train[-_]?dev", re.IGNORECASE)),
    ("devel", re.compile(r"dev(?:el|elop|elopment)?(?![a-z])|develop|testa\b|valid", re.IGNORECASE)),
    ("train", re.compile(r"train", re.IGNORECASE)),
    ("test", re.compile(r"test", re.IGNORECASE)),
)
NOT_DATA = re.compile(r"^(?:readme|licen[cs]e|provenance|guideline|changelog|\.)", re.IGNORECASE)


@dataclass(frozen=True)
class Split:
    """The documents of one split; iterating streams them, `documents` keeps them."""

    name: str
    path: Path
    format: Format
    options: ReadOptions
    tagging: str
    notes: Notes = field(default_factory=Notes)

    def __iter__(self) -> Iterator[Document]:
        self.notes.clear()  # they tell of one reading, the latest
        return self.format.read(self.path, self.options, self.notes)

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
        """A digest of the bytes, so that a run can say which data it saw."""
        digest = hashlib.sha256()
        for path in sorted(self.path.iterdir()) if self.path.is_dir() else [self.path]:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        return digest.hexdigest()


@dataclass(frozen=True)
class Corpus:
    """Named splits of documents."""

    name: str
    splits: dict[str, Split]
    format: str
    tagging: str
    notes: Notes = field(default_factory=Notes)  # files that were left aside

    def split(self, name: str) -> Split:
        """Return the split of this name (aliases such as `dev` are understood)."""
        return self.splits[_find_split(self.splits, name, f"corpus {self.name!r}")]

    @property
    def train(self) -> Split:
        """The split to learn from."""
        return self.split("train")

    @property
    def devel(self) -> Split:
        """The split to choose with."""
        return self.split("devel")

    @property
    def test(self) -> Split:
        """The split to report on, once."""
        return self.split("test")


def read_corpus(
    path: str | Path,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    files: Mapping[str, str] | None = None,
) -> Corpus:
    """Return the corpus at a path, or of a name; `"demo"` is the one that comes with Linnet.

    The splits are found and their tagging is known when this returns; documents are read when asked for.

    Args:
        path: a folder, or a single file.
        format: of the files; found from their content where not given.
        options: of the readers.
        files: the file of each split, where names do not tell: `{"train": "train.tsv", "test": "heldout.tsv"}`.
    """
    require_mentions(path)
    place = corpus_place(path)
    options = options or ReadOptions()
    if format:
        formats.get(format)  # a misspelt name is refused before any file is looked at
    options = replace(options, label=options.label or _corpus_name(place))
    notes = Notes()
    if files is None:
        listed = split_candidates(place, format, notes)
    else:
        listed = {name: [file] for name, file in named_files(place, files, ALIASES).items()}
    chosen = choose_files(listed, format, options, notes)
    kinds = sorted({kind.name for _, kind in chosen.values()})
    tagging = options.tagging or "iob2"
    rows = [file for file, kind in chosen.values() if kind.name == "conll"]
    if rows and not options.tagging:
        tagging = find_tagging(rows, options)
    options = replace(options, tagging=tagging)
    splits = {name: Split(name, file, kind, options, tagging) for name, (file, kind) in chosen.items()}
    return Corpus("demo" if str(path) == "demo" else _corpus_name(place), splits, "+".join(kinds), tagging, notes)


def corpus_place(path: str | Path) -> Path:
    """Return where a corpus stands: a path, or a name of `linnet corpus list`; `demo` comes with Linnet.

    What the working directory holds under this name comes first. Nothing is downloaded.

    Raises:
        BadFile: where it is a name, and the corpus is not on this machine.
    """
    if str(path) == "demo" and not Path(path).exists():
        return Path(str(files("linnet") / "demo"))
    return known_place(path) or Path(path)


def split_paths(place: Path, format: str | None, notes: Notes | None = None) -> dict[str, Path]:
    """Return the file (or folder of documents) of each split of a corpus; `all` for a single one without a name.

    Raises:
        BadFile: where there is none, or two files of a split differ.
    """
    return only_files(split_candidates(place, format, notes))


def split_candidates(place: Path, format: str | None, notes: Notes | None = None) -> dict[str, list[Path]]:
    """Return the files (or folders of documents) named after each split; `all` for a single one without a name.

    Files that programs leave beside a corpus are counted in the notes.

    Raises:
        BadFile: where there is none.
    """
    if not place.exists():
        raise BadFile(
            f"{place}: there is no such file or folder",
            "check the name; `linnet corpus list` prints the corpora that have one",
        )
    if is_one_split(place):
        return {_split_in_name(place.name) or WHOLE: [place]}
    entries = [entry for entry in sorted(place.iterdir()) if not NOT_DATA.match(entry.name)]
    if not entries:
        raise BadFile(f"{place}: the folder is empty", "give a folder with train, devel and test files")
    aside = [entry for entry in entries if is_by_product(entry.name)]
    data = [entry for entry in entries if entry not in aside]
    exact = [(ALIASES[stem], entry) for entry in data if (stem := _stem(entry)) in ALIASES]
    named = exact or [(name, entry) for entry in data if (name := _split_in_name(entry.name))]
    if format:
        named = [(name, entry) for name, entry in named if _is_of_format(entry, format)]
    if not named:
        found = ", ".join(entry.name for entry in entries[:8])
        raise BadFile(
            f"{place}: no file is named after a split; found {found}",
            "name the files train, devel (or dev, valid, validation) and test, give one file, or say in a recipe which "
            'file is which split with `files = { train = "...", devel = "...", test = "..." }`',
        )
    note_left_aside(aside, notes if notes is not None else Notes())
    return {name: listed for name in SPLITS if (listed := [entry for split, entry in named if split == name])}


def choose_split(names: Collection[str], wanted: str | None, place: Path) -> str:
    """Return which split of a corpus is meant: the one that is wanted, or else `test`; a single file is always itself.

    Args:
        names: of the splits that were found.
        wanted: by the user, None where nothing was said.
        place: of the corpus.

    Raises:
        UnknownName: where there is no such split, or a single file is named after another one.
    """
    if not is_one_split(place):
        return _find_split(names, wanted or USUAL, str(place))
    (own,) = names
    if wanted is not None and own in SPLITS and ALIASES.get(wanted, wanted) != own:  # others may be any split
        raise UnknownName(f"{place} is the {own} split by its name, not {wanted!r}", "leave `--split` out")
    return own


def is_one_split(place: Path) -> bool:
    """Is this a single file or a folder of documents (brat), rather than a folder of splits?"""
    return place.is_file() or _is_documents_folder(place)


def no_such_split(names: Collection[str], wanted: str, corpus: str) -> UnknownName:
    """Return the error of a corpus that has only splits of other names, or is one file without a split's name."""
    if list(names) == [WHOLE]:
        remedy = "it is one file; name files train, devel and test, and give their folder"
    else:
        remedy = f"it has {', '.join(names)}"
    return UnknownName(f"{corpus} has no split {wanted!r}", remedy)


def _corpus_name(place: Path) -> str:
    whole = place.resolve()
    return whole.name if whole.is_dir() else whole.parent.name or whole.stem


def _find_split(names: Collection[str], wanted: str, corpus: str) -> str:
    """Return which of the splits of a corpus is wanted (aliases such as `dev` are understood).

    Raises:
        UnknownName: where it has none of this name.
    """
    known = ALIASES.get(wanted, wanted)
    if known not in names:
        raise no_such_split(names, wanted, corpus)
    return known


def _stem(entry: Path) -> str:
    return entry.name.split(".")[0].lower()


def _split_in_name(name: str) -> str | None:
    stem = name.split(".")[0].lower()
    if stem in ALIASES:
        return ALIASES[stem]
    return next((split for split, pattern in IN_NAMES if pattern.search(name)), None)


def _is_documents_folder(place: Path) -> bool:
    return any(place.glob("*.ann"))


def _is_of_format(entry: Path, format: str) -> bool:
    try:
        return detect_format(entry).name == format
    except BadFile:
        return False
