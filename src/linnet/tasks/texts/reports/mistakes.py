"""Wrong predictions of a model about texts, as a tab-separated file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from linnet.documents.texts import Prediction
from linnet.storage.cells import write_rows
from linnet.tasks.texts.kinds import Kind
from linnet.tasks.texts.reports.answers import plain_text

__all__ = ["COLUMNS", "write_text_mistakes"]

COLUMNS = ("id", "group", "gold", "predicted", "score", "text")


def write_text_mistakes(path: Path, predictions: Sequence[Prediction], kind: Kind) -> None:
    """Write one row of tab-separated cells per wrong example; tabs and line ends in cells become spaces."""
    write_rows(path, COLUMNS, (_cells(each) for each in kind.mistakes(predictions)))


def _cells(prediction: Prediction) -> Iterator[str]:
    yield from (prediction.id, prediction.group, plain_text(prediction.gold), plain_text(prediction.predicted))
    yield "" if prediction.score is None else f"{prediction.score:.4f}"
    yield prediction.text
