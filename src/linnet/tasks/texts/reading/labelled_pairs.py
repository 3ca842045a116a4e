"""Reads pairs of texts with a label from a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from linnet.contracts import Notes
from linnet.documents.texts import TextExample
from linnet.tasks.texts.reading.json_positions import refuse_duplicate
from linnet.tasks.texts.reading.row_names import RowNames, file_and_line
from linnet.tasks.texts.reading.tables import read_rows

__all__ = ["NO_CONSENSUS", "PairColumns", "read_pairs"]

NO_CONSENSUS = "-"  # SNLI and MedNLI: the annotators did not agree on a label
LEFT_OUT = "pairs without an agreed label (`-`), left out"


@dataclass(frozen=True)
class PairColumns:
    """The names under which a task's pairs stand in a table; of several, the first that is there counts."""

    layouts: Sequence[Sequence[str]]
    first: Sequence[str]
    second: Sequence[str]
    label: Sequence[str]
    id: Sequence[str]


def read_pairs(
    path: Path,
    named: PairColumns,
    columns: Mapping[str, str] | None,
    seen: dict[str, str],
    notes: Notes,
    name_of: RowNames = file_and_line,
) -> list[TextExample]:
    """Return the pairs of a file, with their ids or else what `name_of` calls them.

    `seen` holds the places of the ids that were read before, of other files of the split; this file's are added. Pairs
    whose label is `-` are left out and counted in `notes`. Tables without a label column have no gold.

    Raises:
        BadFile: with file and line: a text that is missing or empty, a row without label among rows with one, an id
            that stands twice.
    """
    rows = list(read_rows(path, named.layouts, columns))
    is_labelled = any(row.values.get(name) is not None for row in rows for name in named.label)
    found: list[TextExample] = []
    for row in rows:
        id = row.id(*named.id) or name_of(row.place)
        refuse_duplicate(seen, id, row.place)
        gold = row.label(*named.label) if is_labelled else None
        if gold == NO_CONSENSUS:
            notes.add(LEFT_OUT, row.place)
            continue
        first, second = row.filled_text(*named.first), row.filled_text(*named.second)
        found.append(TextExample(id=id, first=first, second=second, gold=gold, place=row.place))
    return found
