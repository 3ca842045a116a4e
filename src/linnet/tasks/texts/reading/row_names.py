"""Names of rows that have no id: their file and line."""

from collections import Counter
from collections.abc import Callable, Sequence
from os.path import commonpath
from pathlib import Path

__all__ = ["RowNames", "file_and_line", "row_names"]

RowNames = Callable[[str], str]  # from the place of a row, file:line, to what it is called


def file_and_line(place: str) -> str:
    """Return the name of a row by the name of its file.

    >>> file_and_line("corpora/mine/train.tsv:3")
    'train.tsv:3'
    """
    return Path(place).name


def row_names(paths: Sequence[Path]) -> RowNames:
    """Return what names the rows of the files of a split: by the file's name, or its path where two have one name.

    The path is the one from the folder that holds all files, so that names stay when a corpus is moved.

    >>> name = row_names([Path("mine/train.tsv"), Path("mine/more/train.tsv"), Path("mine/last.tsv")])
    >>> [name(place) for place in ("mine/train.tsv:3", "mine/more/train.tsv:3", "mine/last.tsv:3")]
    ['train.tsv:3', 'more/train.tsv:3', 'last.tsv:3']
    """
    n_of_name = Counter(path.name for path in paths)
    if all(number == 1 for number in n_of_name.values()):
        return file_and_line
    folder = commonpath([path.absolute().parent for path in paths])

    def name_of(place: str) -> str:
        path = Path(place)
        is_alone = n_of_name[path.name.rpartition(":")[0]] == 1
        return path.name if is_alone else path.absolute().relative_to(folder).as_posix()

    return name_of
