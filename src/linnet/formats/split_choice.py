"""Choice of the file to read if a folder has several files for one split.

The first in the order of suffixes below is read, if possible with a suffix that all splits have. Formats that hold most
come first, and `.tsv` comes before `.txt`, which the preprocessing script of BioBERT and WeLT makes from it. The chosen
file must agree with all the others (see `agreement`).
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions, formats
from linnet.errors import BadFile, BadSetting
from linnet.formats.agreement import find_difference
from linnet.formats.reading import detect_format, find_format
from linnet.storage.compression import unpacked_name
from linnet.storage.sources import read_stored

__all__ = [
    "ALIASES",
    "choose_files",
    "find_named_files",
    "is_by_product",
    "no_split_error",
    "note_left_aside",
    "pick_only_files",
    "split_of_name",
    "stem_of_name",
]

FOLDER = "/"  # in place of a suffix, for a folder of documents
ORDER = (".jsonl", FOLDER, ".xml", ".json", ".pubtator", ".tsv", ".conll", ".iob2", ".iob", ".bio", ".txt")
BY_PRODUCTS = re.compile(
    r"cached_|labels?(?:_list)?\.txt$|classes\.txt$|vocab\.txt$|.*(?:\.(?:tmp|bak|orig|lock|swp|log|pt|bin)|~)$",
    re.IGNORECASE,
)
ALIASES = {
    "train": "train", "training": "train",
    "devel": "devel", "dev": "devel", "valid": "devel", "validation": "devel", "development": "devel",
    "test": "test", "testing": "test",
    "train_dev": "train_dev", "traindev": "train_dev", "train-dev": "train_dev",
}  # fmt: skip
IN_NAMES = (  # searched in this order in names that are not an alias themselves
    ("train_dev", re.compile(r"train[-_]?dev", re.IGNORECASE)),
    ("devel", re.compile(r"dev(?:el|elop|elopment)?(?![a-z])|develop|testa\b|valid", re.IGNORECASE)),
    ("train", re.compile(r"train", re.IGNORECASE)),
    ("test", re.compile(r"test", re.IGNORECASE)),
)
LEFT_ASIDE = "files that are no split (lists of labels, copies of an editor or a script), left aside"
SAME = "files left aside that hold the same as the one that is read"
UNKNOWN = "files left aside that are named after a split, but are in no known format"


def split_of_name(name: str) -> str | None:
    """Return the split that a file or folder is named after.

    >>> split_of_name("valid.tsv"), split_of_name("CDR_TrainingSet.txt"), split_of_name("abstracts.txt")
    ('devel', 'train', None)
    """
    stem = stem_of_name(name)
    if stem in ALIASES:
        return ALIASES[stem]
    return next((split for split, pattern in IN_NAMES if pattern.search(name)), None)


def stem_of_name(name: str) -> str:
    """Return the name of a file in lower case up to its first point."""
    return name.split(".")[0].lower()


def is_by_product(name: str) -> bool:
    """Is this by its name a by-product of a program, such as `labels.txt` or `train.txt.tmp`?"""
    return BY_PRODUCTS.match(name) is not None


def note_left_aside(paths: Sequence[Path], notes: Notes) -> None:
    """Count files that are not data in the notes."""
    for path in paths:
        notes.add(LEFT_ASIDE, str(path))


def no_split_error(place: Path, names: Sequence[str]) -> BadFile:
    """Return the error for a folder in which no file is named after a split."""
    return BadFile(
        f"{place}: no file is named after a split; found {', '.join(names[:8])}",
        "name the files train, devel (or dev, valid, validation) and test, give one file, or say in a recipe which "
        'file is which split with `files = { train = "...", devel = "...", test = "..." }`',
    )


def choose_files(
    listed: Mapping[str, Sequence[Path]], format: str | None, options: ReadOptions, notes: Notes
) -> dict[str, tuple[Path, Format]]:
    """Return the file to read of each split, with its format; the others are counted in the notes.

    Args:
        listed: the files that are named after each split.
        format: of all of them; detected from their content if not given.
        options: for the readers, if files must be compared.
        notes: for the files that are not read.

    Raises:
        BadFile: if two files of a split differ, or the only one is in no known format.
    """
    readable = {name: _detect_formats(paths, format, notes) for name, paths in listed.items()}
    common = set.intersection(*({_suffix(path) for path in found} for found in readable.values()))
    chosen: dict[str, tuple[Path, Format]] = {}
    for name, found in readable.items():
        first, *others = sorted(found, key=lambda path: (_suffix(path) not in common, _rank(path), path.name))
        for other in others:
            difference = find_difference(first, other, (found[first], found[other]), options)
            if difference is not None:
                raise _conflict_error(name, (first, other), difference, has_formats=found[first] is not found[other])
            notes.add(SAME, f"{other}, and {first.name} is read")
        chosen[name] = first, found[first]
    return chosen


def pick_only_files(listed: Mapping[str, Sequence[Path]]) -> dict[str, Path]:
    """Return the file of each split; of several files all must be equal byte by byte.

    Raises:
        BadFile: if two files of a split differ.
    """
    for name, (first, *others) in listed.items():
        for other in others:
            if first.is_dir() or other.is_dir() or read_stored(first) != read_stored(other):
                raise BadFile(
                    f"{first.parent}: two files for the split {name!r}, {first.name} and {other.name}",
                    f'keep one of them in the folder, or say which to read with `text.files.{name} = ["{first.name}"]`',
                )
    return {name: paths[0] for name, paths in listed.items()}


def find_named_files(place: Path, files: Mapping[str, str], aliases: Mapping[str, str]) -> dict[str, Path]:
    """Return the file of each split that a recipe names in `files`.

    Raises:
        BadFile: if a file is missing.
        BadSetting: if the recipe names an unknown split, or one split twice.
    """
    found: dict[str, Path] = {}
    for name, file in files.items():
        split = aliases.get(name)
        if split is None:
            raise BadSetting(f"`files` has a split {name!r}", f"there are {', '.join(dict.fromkeys(aliases.values()))}")
        if split in found:
            raise BadSetting(f"`files` has the split {split} twice, once as {name!r}", "name one file for each split")
        found[split] = place / file
    missing = next((path for path in found.values() if not path.exists()), None)
    if missing is not None or not found:
        what = "`files` names no file" if missing is None else f"{missing}: there is no such file"
        raise BadFile(what, '`files` names files in the folder `data`, e.g. { train = "train.tsv" }')
    return found


def _detect_formats(paths: Sequence[Path], format: str | None, notes: Notes) -> dict[Path, Format]:
    """Return the files in known formats, with their formats; at least one must be."""
    if format is not None:
        return dict.fromkeys(paths, formats.get(format))
    if len(paths) == 1:
        return {paths[0]: detect_format(paths[0])}
    found = {path: kind for path in paths if (kind := find_format(path)) is not None}
    if not found:
        return {paths[0]: detect_format(paths[0])}  # raises the error
    for path in paths:
        if path not in found:
            notes.add(UNKNOWN, str(path))
    return found


def _suffix(path: Path) -> str:
    return FOLDER if path.is_dir() else unpacked_name(path).suffix.lower()


def _rank(path: Path) -> int:
    suffix = _suffix(path)
    return ORDER.index(suffix) if suffix in ORDER else len(ORDER)


def _conflict_error(split: str, paths: tuple[Path, Path], difference: str, *, has_formats: bool) -> BadFile:
    first, second = (path.name for path in paths)
    also = "say which format you mean with `--format`, " if has_formats else ""
    return BadFile(
        f"{paths[0].parent}: two files for the split {split!r}, {first} and {second}, and they differ: {difference}",
        f'name the one to read in the recipe, `files = {{ {split} = "{first}", ... }}`, {also}give a single file, '
        "or keep one of them in the folder",
    )
