"""Sentence similarity: a number for each pair of sentences (regression)."""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from linnet.contracts import Notes, tasks
from linnet.documents.texts import Prediction, TextExample
from linnet.errors import BadFile
from linnet.metrics.texts.regression import regression_metrics
from linnet.metrics.texts.resampled import Metric
from linnet.tasks.texts.kinds import REGRESSION, Kind
from linnet.tasks.texts.reading.json_positions import refuse_duplicate
from linnet.tasks.texts.reading.row_names import row_names
from linnet.tasks.texts.reading.tables import read_rows, split_files
from linnet.tasks.texts.settings import TextSettings
from linnet.tasks.texts.task import TextTask

__all__ = [
    "Similarity",
]

LAYOUTS = (
    ("sentence1", "sentence2", "score"),  # MedSTS has these columns and no header
    ("id", "sentence1", "sentence2", "score"),
    ("sent1", "sent2", "score"),  # BIOSSES
    ("sentence1", "sentence2"),  # to be scored
    ("sent1", "sent2"),
)
SENTENCES = (("sentence1", "sent1"), ("sentence2", "sent2"))
IDS = ("id", "pair_id", "index")
BLANKS = " \t\r\n\xa0"
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")  # `float` also takes 1_0 and nan


class SimilaritySettings(TextSettings):
    """How two texts are compared."""

    method: Literal["cross", "bi"] = Field("cross", description="Read both texts together, or each by itself (cosine).")


class Similarity(TextTask[SimilaritySettings]):
    """A number for each pair of sentences."""

    name = "similarity"
    description = "sentence similarity: a number for each pair of sentences"
    pooling: Literal["cls", "mean", "markers"] = "mean"
    section = SimilaritySettings
    needs_pairs = True
    has_percentages = False

    def read(
        self, place: Path, settings: SimilaritySettings, notes: Notes | None = None, *, repair: bool = False
    ) -> dict[str, list[TextExample]]:
        """Return the pairs of each split; those of a file without scores have no gold.

        Raises:
            BadFile: with file and line where a score is no finite number, a sentence is empty or an id comes twice.
        """
        splits = split_files(place, settings.files, notes)
        return {name: _read_split(paths, settings.columns) for name, paths in splits.items()}

    def method(self, settings: SimilaritySettings) -> Literal["cross", "bi"]:
        """Return how a pair of texts is read: both together, or each by itself."""
        return settings.method

    def kind(self, examples: Sequence[TextExample], settings: SimilaritySettings) -> Kind:
        """Return regression."""
        return REGRESSION

    def metrics(self, predictions: Sequence[Prediction], settings: SimilaritySettings) -> list[Metric]:
        """Return pearson, which chooses the epoch as it is what BLURB reports for BIOSSES, spearman and mse.

        Raises:
            BadFile: where a pair has no score to compare with.
        """
        gold = [_number(each.gold, f"pair {each.id}") for each in predictions]
        return regression_metrics(gold, [_number(each.predicted, f"prediction for {each.id}") for each in predictions])


def _read_split(paths: Sequence[Path], columns: Mapping[str, str] | None) -> list[TextExample]:
    rows = [row for path in paths for row in read_rows(path, LAYOUTS, columns)]
    name_of = row_names(paths)
    has_scores = any(row.values.get("score") is not None for row in rows)
    seen: dict[str, str] = {}
    examples = []
    for row in rows:
        id = row.id(*IDS) or name_of(row.place)
        refuse_duplicate(seen, id, row.place)
        first, second = (row.filled_text(*names) for names in SENTENCES)
        score = _number(row.values.get("score"), row.place) if has_scores else None
        examples.append(TextExample(id=id, first=first, second=second, gold=score, place=row.place))
    return examples


def _number(value: object, place: str) -> float:
    """Return a finite number that is one, or is written as one."""
    if isinstance(value, str) and NUMBER.fullmatch(value.strip(BLANKS)):
        value = float(value.strip(BLANKS))
    if isinstance(value, int | float) and not isinstance(value, bool) and _is_finite(value):
        return float(value)
    found = "missing" if value is None else repr(value)
    raise BadFile(f"{place}: the score is {found}, expected a finite number", "write scores such as 3 or 2.5")


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no float can hold
        return False


tasks.register("similarity")(Similarity())
