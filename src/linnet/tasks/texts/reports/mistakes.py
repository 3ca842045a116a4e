"""Wrong predictions of a model about texts, as a tab-separated file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from linnet.documents.texts import Judged
from linnet.reports.cells import write_rows
from linnet.tasks.texts.kinds import Kind
from linnet.tasks.texts.reports.answers import plain_text

__all__ = ["COLUMNS", "write_text_mistakes"]

COLUMNS = ("id", "group", "gold", "predicted", "score", "text")


def write_text_mistakes(path: Path, judged: Sequence[Judged], kind: Kind) -> None:
    """Write one row of tab-separated cells per wrong example; tabs and line ends in cells become spaces."""
    write_rows(path, COLUMNS, (_cells(each) for each in kind.mistakes(judged)))


def _cells(judged: Judged) -> Iterator[str]:
    yield from (judged.id, judged.group, plain_text(judged.gold), plain_text(judged.predicted))
    yield "" if judged.score is None else f"{judged.score:.4f}"
    yield judged.text
