"""How are tables read whose texts have a marked pair of mentions, and a label?

BioBERT's and BLURB's tables (GAD, EU-ADR, ChemProt, DDI) have the columns index, sentence and label, with or without a
header, or no index; SciBERT's JSON lines have `text` and `label`. Texts stay as they are, placeholders included.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.label_values import LabelReader, has_labels
from linnet.tasks.markers import marked_pair
from linnet.tasks.places import refuse_second
from linnet.tasks.tables import Row, read_rows

__all__ = ["examples_of_tables"]

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


def examples_of_tables(paths: Sequence[Path], columns: Mapping[str, str] | None = None) -> list[TextExample]:
    """Return the examples of a split's files; those of files without labels have no gold.

    The spans are those of the pair, where texts have one marked: of placeholders the first two in reading order, else
    `<< >>` and then `[[ ]]`. The id is that of the row, after the name of its file where there are several files, or
    else the name and line of where it stands.

    Raises:
        BadFile: with file and line where a text or label is empty, an id comes twice, or the pair is not there.
    """
    seen: dict[str, str] = {}
    examples: list[TextExample] = []
    for path in paths:
        rows = list(read_rows(path, LAYOUTS, columns))
        label_of = LabelReader(several=False) if has_labels(rows) else None
        for row in rows:
            example = _example(row, f"{path.name}:" if len(paths) > 1 else "", label_of)
            refuse_second(seen, example.id, row.place)
            examples.append(example)
    _check_pairs(examples)
    return examples


def _example(row: Row, prefix: str, label_of: LabelReader | None) -> TextExample:
    text, own_id = row.filled_text(*TEXTS), row.id(*IDS)
    name = Path(row.place).name if own_id is None else prefix + own_id
    gold = None if label_of is None else label_of(row)
    return TextExample(name, text, gold=gold, place=row.place, spans=marked_pair(text))


def _check_pairs(examples: Sequence[TextExample]) -> None:
    """Refuse texts without a whole pair, unless none has so much as half of one."""
    if not any(example.spans for example in examples):
        return
    for example in examples:
        if len(example.spans) != N_PAIR:
            found = f"only {example.first[slice(*example.spans[0])]!r}" if example.spans else "none"
            raise BadFile(
                f"{example.place}: found {found} of the two mentions in {example.first[:80]!r}",
                "mark both with placeholders such as @GENE$ and @DISEASE$, or with << >> and [[ ]]",
            )
