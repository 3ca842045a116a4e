"""Natural-language inference: a label for each pair of texts.

Pairs of premise and hypothesis with a label: MedNLI's JSON lines (`sentence1`, `sentence2`, `gold_label`, `pairID`),
tables with `premise`, `hypothesis`, `label` or GLUE's `sentence1`, `sentence2`, `label`, and PubMedQA, where a
question and an abstract are answered with yes, no or maybe. As is usual for SNLI and MedNLI, pairs with the label `-`
(no consensus) are left out; give `read` notes to have them counted.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from linnet.contracts import Notes, tasks
from linnet.documents.texts import Prediction, TextExample
from linnet.metrics.texts.classification import classification_metrics
from linnet.metrics.texts.resampled import Metric
from linnet.tasks.inference import pubmedqa
from linnet.tasks.texts.reading.labelled_pairs import PairColumns, read_pairs
from linnet.tasks.texts.reading.row_names import row_names
from linnet.tasks.texts.reading.tables import split_files
from linnet.tasks.texts.settings import TextSettings
from linnet.tasks.texts.task import TextTask

__all__ = ["Inference"]

COLUMNS = PairColumns(
    layouts=(
        ("premise", "hypothesis", "label"),
        ("id", "premise", "hypothesis", "label"),
        ("sentence1", "sentence2", "gold_label"),
        ("sentence1", "sentence2", "label"),
        ("premise", "hypothesis"),
        ("sentence1", "sentence2"),
    ),
    first=("premise", "sentence1"),
    second=("hypothesis", "sentence2"),
    label=("label", "gold_label"),
    id=("id", "pairID", "guid"),
)


class Inference(TextTask[TextSettings]):
    """Pairs of texts and their relation, one of several labels."""

    name = "inference"
    description = "inference: does a hypothesis follow from a premise, or a yes from an abstract"
    pooling: Literal["cls", "mean", "markers"] = "cls"
    needs_pairs = True

    def read(
        self, place: Path, settings: TextSettings, notes: Notes | None = None, *, repair: bool = False
    ) -> dict[str, list[TextExample]]:
        """Return the pairs of each split; PubMedQA's folder has a `train` and a `test` split of 500 each.

        Args:
            place: a file or a folder.
            settings: `files` and `columns` are used.
            notes: counts the pairs that are left out because their label is `-`.
            repair: changes nothing, as it is about documents.

        Raises:
            BadFile: with file and line where something cannot be read whole.
        """
        if settings.files is None and pubmedqa.is_corpus(place):
            return pubmedqa.read_corpus(place)
        counted = Notes() if notes is None else notes
        splits = split_files(place, settings.files, notes)
        return {name: _read_split(paths, settings, counted) for name, paths in splits.items()}

    def metrics(self, predictions: Sequence[Prediction], settings: TextSettings) -> list[Metric]:
        """Return accuracy, which chooses the epoch, then micro and macro scores over all labels.

        Pairs without a gold label are not scored.
        """
        known = [each for each in predictions if each.gold is not None]
        return classification_metrics([str(each.gold) for each in known], [str(each.predicted) for each in known])


def _read_split(paths: Sequence[Path], settings: TextSettings, notes: Notes) -> list[TextExample]:
    seen: dict[str, str] = {}
    found: list[TextExample] = []
    for path in paths:
        if pubmedqa.is_questions(path):
            found += pubmedqa.read_questions(path, seen)
        else:
            found += read_pairs(path, COLUMNS, settings.columns, seen, notes, row_names(paths))
    return found


tasks.register("inference")(Inference())
