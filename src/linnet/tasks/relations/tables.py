"""Reads tables whose texts have a marked pair of mentions, and a label.

BioBERT's and BLURB's tables (GAD, EU-ADR, ChemProt, DDI) have the columns index, sentence and label, with or without a
header, or no index; SciBERT's JSON lines have `text` and `label`. Texts stay as they are, placeholders included. Rows
of one index and one text are one pair with several labels (i2b2 2010).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from linnet.contracts import Notes
from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.relations.markers import marked_pair
from linnet.tasks.relations.several_labels import labels_in
from linnet.tasks.texts.reading.json_positions import refuse_duplicate
from linnet.tasks.texts.reading.label_values import LabelReader, has_labels
from linnet.tasks.texts.reading.row_names import row_names
from linnet.tasks.texts.reading.tables import Row, read_rows

__all__ = ["check_pairs", "examples_of_tables"]

LAYOUTS = (
    ("index", "sentence", "label"),
    ("sentence", "label"),
    ("text", "label"),
    ("sentence",),  # to be answered
    ("text",),
)
TEXTS = ("text", "sentence")
IDS = ("id", "index")
N_PAIR = 2


def examples_of_tables(
    paths: Sequence[Path], columns: Mapping[str, str] | None = None, notes: Notes | None = None
) -> list[TextExample]:
    """Return the examples of a split's files; those of files without labels have no gold.

    The spans are those of the pair, where texts have one marked, as `markers` finds it. The id is that of the row,
    after the name of its file where there are several files, or else the name and line of where it stands. A pair that
    has several rows has a tuple of labels; repeated rows are counted in the notes.

    Raises:
        BadFile: with file and line where a text or label is empty, or an id comes twice with different texts.
    """
    seen: dict[str, str] = {}
    found: dict[str, TextExample] = {}
    notes = Notes() if notes is None else notes
    name_of = row_names(paths)
    for path in paths:
        rows = list(read_rows(path, LAYOUTS, columns))
        label_of = LabelReader(several=False) if has_labels(rows) else None
        for row in rows:
            name = name_of(row.place)
            example = _example(row, name, f"{name.rpartition(':')[0]}:" if len(paths) > 1 else "", label_of)
            first = found.get(example.id)
            if first is None or first.first != example.first:
                refuse_duplicate(seen, example.id, row.place)
                found[example.id] = example
            elif example.gold in (None, first.gold) or example.gold in labels_in(first.gold):
                notes.add("rows that say the same of a pair again, left out", row.place)
            else:
                found[example.id] = replace(first, gold=(*labels_in(first.gold), *labels_in(example.gold)))
    return list(found.values())


def check_pairs(examples: Iterable[TextExample], pooling: str) -> None:
    """Refuse texts whose pair is not marked, where a model is to read its marks.

    Where it is not, texts need no marks; one with half a pair among others with whole ones is a mistake all the same.

    Args:
        examples: of all splits.
        pooling: of the network.

    Raises:
        BadFile: with file and line.
    """
    listed = list(examples)
    wrong = [example for example in listed if len(example.spans) != N_PAIR]
    if pooling != "markers":
        wrong = [example for example in wrong if example.spans] if len(wrong) < len(listed) else []
    if wrong:
        first = wrong[0]
        found = f"only {first.first[slice(*first.spans[0])]!r}" if first.spans else "none"
        raise BadFile(
            f"{first.place or f'text {first.id}'}: found {found} of the two mentions in {first.first[:80]!r}",
            "mark both with placeholders such as @GENE$ and @DISEASE$, or with << >> and [[ ]]; "
            'a model that is trained with `text.pooling = "cls"` needs no marks',
        )


def _example(row: Row, name: str, prefix: str, label_of: LabelReader | None) -> TextExample:
    text, own_id = row.filled_text(*TEXTS), row.id(*IDS)
    gold = None if label_of is None else label_of(row)
    return TextExample(
        name if own_id is None else prefix + own_id, text, gold=gold, place=row.place, spans=marked_pair(text)
    )
