"""Folds of a corpus for cross-validation, and the check that their test splits do not overlap."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.relations.tables import examples_of_tables
from linnet.tasks.texts.reading.tables import split_files
from linnet.tasks.texts.reading.unreached import candidates_in

__all__ = ["Overlap", "check_folds", "fold_folders", "fold_overlaps"]

LEARNED = ("train", "devel", "train_dev")

Reader = Callable[[Path], Mapping[str, Sequence[TextExample]]]  # the splits of a fold's folder


@dataclass(frozen=True)
class Overlap:
    """A text of a fold's test that stands elsewhere too."""

    place: str  # file:line in the test
    other: str  # file:line in another fold's test, or in what its own fold learns from
    text: str


def fold_folders(corpus: Path) -> list[Path]:
    """Return the folders `1`, `2`, ... of a corpus in the order of their numbers.

    Raises:
        BadFile: where there are not at least two, or one is missing between them.
    """
    numbers = sorted(int(entry.name) for entry in _folders(corpus) if entry.name.isdecimal() and entry.name[0] != "0")
    if len(numbers) < 2 or numbers != list(range(1, len(numbers) + 1)):
        found = ", ".join(map(str, numbers)) or "none"
        raise BadFile(
            f"{corpus}: found the folds {found}, expected folders 1, 2, ... without a gap",
            "give the folder that holds the folds, each with its train and test files",
        )
    return [corpus / str(number) for number in numbers]


def fold_overlaps(folders: Sequence[Path], read: Reader | None = None) -> list[Overlap]:
    """Return each text of a test that is in the test of an earlier fold, or in what its own fold learns from.

    Args:
        folders: of the folds, each with its splits.
        read: how a fold is read; as tables with marked pairs if not given. A pair of texts is compared as a whole.
    """
    found: list[Overlap] = []
    place_by_text: dict[str, str] = {}
    for folder in folders:
        splits = (read or _tables)(folder)
        if "test" not in splits:
            raise BadFile(f"{folder}: this fold has no test file", "name it test, e.g. test.tsv")
        own = _first_places(splits["test"])
        learned = _first_places(example for name in LEARNED for example in splits.get(name, ()))
        for others in (place_by_text, learned):
            found += [Overlap(place, others[text], text) for text, place in own.items() if text in others]
        place_by_text = {**own, **place_by_text}
    return found


def check_folds(folders: Sequence[Path], *, tolerated: int = 0, read: Reader | None = None) -> int:
    """Refuse folds whose tests share texts, or that learn from texts of their own test; return how many there are.

    Args:
        folders: of the folds, each with its splits.
        tolerated: texts that may do so. Some corpora repeat sentences: GAD's published folds
            have 141 (47 in tests of other folds, 94 in the training files of their own).
        read: as for `fold_overlaps`.

    Raises:
        BadFile: with both places of the first such text.
    """
    found = fold_overlaps(folders, read)
    if len(found) > tolerated:
        first = found[0]
        more = f" ({len(found):,} such texts)" if len(found) > 1 else ""
        raise BadFile(
            f"{first.place}: the text {first.text[:80]!r} is also in {first.other}{more}",
            f"keep each text in one fold, or allow what the corpus repeats with `text.fold_overlap = {len(found)}`",
        )
    return len(found)


def _folders(corpus: Path) -> Iterator[Path]:
    if not corpus.is_dir():
        raise BadFile(f"{corpus}: there is no such folder", "give the folder that holds the folds")
    return (entry for entry in corpus.iterdir() if entry.is_dir())


def _tables(folder: Path) -> dict[str, list[TextExample]]:
    return {name: examples_of_tables(paths) for name, paths in split_files(folder, None).items()}


def _first_places(examples: Iterable[TextExample]) -> dict[str, str]:
    places: dict[str, str] = {}
    for example in candidates_in(examples):  # the others are no texts of the corpus
        text = example.whole
        places.setdefault(text, example.place)
    return places
