"""Refuses empty splits, with the reasons why they are empty."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from linnet.contracts import Notes
from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.texts.reading.unreached import candidates_in

__all__ = ["refuse_empty"]

UNNAMED = "all"  # as a single file that is not named after a split is called


def refuse_empty(
    splits: Mapping[str, Sequence[TextExample]], place: Path | str, notes: Notes, *, reasons: Sequence[str] = ()
) -> None:
    """Refuse a split without examples that a model could be asked about: nothing could be learned, scored or answered.

    Args:
        splits: as a task has read them.
        place: of the corpus.
        notes: of the reader, which say what was left out.
        reasons: what else may explain it.

    Raises:
        BadFile: with the place, the split and the reasons.
    """
    for name, examples in splits.items():
        if not candidates_in(examples):
            where = f"{place}" if name == UNNAMED else f"{place}: the {name} split"
            why = "; ".join([*notes.sentences(), *reasons])
            raise BadFile(
                f"{where} has no example that the task can use" + (f" ({why})" if why else ""),
                "give a file with such examples; docs/tasks.md says what each task reads",
            )
