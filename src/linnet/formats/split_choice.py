"""Choice of the file to read where a folder has several for one split, and files that are no data.

The first by this order of suffixes is read, of the suffixes that all splits have if there are such: what holds most
comes first, and `.tsv` before `.txt`, which the preprocessing script of BioBERT and WeLT makes of it. It must agree
with all the others (see `agreement`).
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from linnet.contracts import Format, Notes, ReadOptions, formats
from linnet.errors import BadFile, BadSetting
from linnet.formats.agreement import difference
from linnet.formats.reading import detect_format, find_format
from linnet.storage.compression import unpacked_name

__all__ = ["choose_files", "is_by_product", "named_files", "note_left_aside", "only_files"]

FOLDER = "/"  # stands for the suffix of a folder of documents
ORDER = (".jsonl", FOLDER, ".xml", ".json", ".pubtator", ".tsv", ".conll", ".iob2", ".iob", ".bio", ".txt")
BY_PRODUCTS = re.compile(
    r"cached_|labels?(?:_list)?\.txt$|classes\.txt$|vocab\.txt$|.*(?:\.(?:tmp|bak|orig|lock|swp|log|pt|bin)|~)$",
    re.IGNORECASE,
)
LEFT_ASIDE = "files that are no split (lists of labels, copies of an editor or a script), left aside"
SAME = "files left aside that hold the same as the one that is read"
UNKNOWN = "files left aside that are named after a split, but are in no known format"


def is_by_product(name: str) -> bool:
    """Is this, by its name, a file that programs leave beside a corpus, such as `labels.txt` or `train.txt.tmp`?"""
    return BY_PRODUCTS.match(name) is not None


def note_left_aside(paths: Sequence[Path], notes: Notes) -> None:
    """Count files of a folder that are no data."""
    for path in paths:
        notes.add(LEFT_ASIDE, str(path))


def choose_files(
    listed: Mapping[str, Sequence[Path]], format: str | None, options: ReadOptions, notes: Notes
) -> dict[str, tuple[Path, Format]]:
    """Return the file to read of each split, with its format; the notes count the others.

    Args:
        listed: the files that are named after each split.
        format: of all of them; found from their content where not given.
        options: with which they are read where they must be compared.
        notes: takes what is left aside.

    Raises:
        BadFile: where two files of a split differ, or the only one is in no known format.
    """
    known = {name: _known(paths, format, notes) for name, paths in listed.items()}
    shared = set.intersection(*({_suffix(path) for path in found} for found in known.values()))
    chosen: dict[str, tuple[Path, Format]] = {}
    for name, found in known.items():
        first, *others = sorted(found, key=lambda path: (_suffix(path) not in shared, _rank(path), path.name))
        for other in others:
            differs = difference(first, other, (found[first], found[other]), options)
            if differs is not None:
                raise _two_files(name, (first, other), differs, has_formats=found[first] is not found[other])
            notes.add(SAME, f"{other}, and {first.name} is read")
        chosen[name] = first, found[first]
    return chosen


def only_files(listed: Mapping[str, Sequence[Path]]) -> dict[str, Path]:
    """Return the file of each split of a corpus of texts, of which there must be one.

    Raises:
        BadFile: where there are two that differ by a byte.
    """
    for name, (first, *others) in listed.items():
        for other in others:
            if first.is_dir() or other.is_dir() or first.read_bytes() != other.read_bytes():
                raise BadFile(
                    f"{first.parent}: two files for the split {name!r}, {first.name} and {other.name}",
                    f'keep one of them in the folder, or say which to read with `text.files.{name} = ["{first.name}"]`',
                )
    return {name: paths[0] for name, paths in listed.items()}


def named_files(place: Path, files: Mapping[str, str], aliases: Mapping[str, str]) -> dict[str, Path]:
    """Return the file of each split that a recipe names with `files`.

    Raises:
        BadFile: where a file is missing.
        BadSetting: where the recipe names splits that there are not, or one twice.
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


def _known(paths: Sequence[Path], format: str | None, notes: Notes) -> dict[Path, Format]:
    """Return the files that can be read, with their formats; a single one must be."""
    if format is not None:
        return dict.fromkeys(paths, formats.get(format))
    if len(paths) == 1:
        return {paths[0]: detect_format(paths[0])}
    found = {path: kind for path in paths if (kind := find_format(path)) is not None}
    if not found:
        return {paths[0]: detect_format(paths[0])}  # which says that no format is known
    for path in paths:
        if path not in found:
            notes.add(UNKNOWN, str(path))
    return found


def _suffix(path: Path) -> str:
    return FOLDER if path.is_dir() else unpacked_name(path).suffix.lower()


def _rank(path: Path) -> int:
    suffix = _suffix(path)
    return ORDER.index(suffix) if suffix in ORDER else len(ORDER)


def _two_files(split: str, paths: tuple[Path, Path], differs: str, *, has_formats: bool) -> BadFile:
    first, second = (path.name for path in paths)
    also = "say which format you mean with `--format`, " if has_formats else ""
    return BadFile(
        f"{paths[0].parent}: two files for the split {split!r}, {first} and {second}, and they differ: {differs}",
        f'name the one to read in the recipe, `files = {{ {split} = "{first}", ... }}`, {also}give a single file, '
        "or keep one of them in the folder",
    )
