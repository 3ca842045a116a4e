"""Reads the labels of a text from its row.

They are written as a label, as a list of labels (JSON lines), as labels between separators (tables, where the user says
that there may be several), or as BLURB's marks `0_0,1_1,2_0`: the text has label 1, and neither 0 nor 2.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from linnet.errors import BadFile
from linnet.tasks.texts.reading.tables import Row

__all__ = ["HALLMARKS", "LabelReader", "document_of", "has_labels", "label_reader"]

COLUMNS = ("label", "labels")
SEPARATORS = "|;,"  # the first that occurs is the one: labels may hold those after it
MARKS = re.compile(r"0_[01](?:,[0-9]+_[01])+")
MEND_MARKS = "give every label's mark in each row, in order, as `0_0,1_1,2_0`"
SENTENCE_ID = re.compile(r"([0-9]+)_s[0-9]+")

# Of the marks 0 to 9, in the order of BLUE's and LinkBERT's scoring programs. How often each occurs in BLURB's training
# split (448, 185, 136, 219, 268, 523, 238, 602, 674, 375) is also what the same corpus with names gives (BigBio).
HALLMARKS = (
    "activating invasion and metastasis",
    "avoiding immune destruction",
    "cellular energetics",
    "enabling replicative immortality",
    "evading growth suppressors",
    "genomic instability and mutation",
    "inducing angiogenesis",
    "resisting cell death",
    "sustaining proliferative signaling",
    "tumor promoting inflammation",
)


@dataclass(frozen=True)
class LabelReader:
    """How a corpus writes its labels."""

    several: bool  # may a text have several, or none?
    separator: str | None = None
    marked: tuple[str, ...] = ()  # what the marks stand for, where there are marks
    known: Collection[str] = ()  # labels that are one, whatever they hold

    def __call__(self, row: Row) -> str | tuple[str, ...]:
        """Return the label of a row, or its labels where there may be several.

        Raises:
            BadFile: where it is missing, empty, named twice, or one of several where there must be one.
        """
        labels = tuple(self._labels(row))
        if any(not label for label in labels):
            raise BadFile(
                f"{row.place}: a label is empty in {_value(row)!r}",
                "give it a name; with `text.several_labels = true` a text may have no label at all",
            )
        if len(set(labels)) < len(labels):
            raise BadFile(f"{row.place}: a label is named twice in {_value(row)!r}", "name each label once")
        if self.several:
            return labels
        if len(labels) != 1:
            raise BadFile(f"{row.place}: found {len(labels)} labels, expected one", "set `text.several_labels = true`")
        return labels[0]

    def _labels(self, row: Row) -> Iterator[str]:
        value = _value(row)
        if isinstance(value, list):
            yield from (_label(each, row) for each in value)
        elif self.marked:
            yield from self._read_marks(_label(value, row), row)
        elif (label := _label(value, row)) or not self.several:
            is_one = self.separator is None or label in self.known
            yield from (label,) if is_one else (part.strip() for part in label.split(self.separator))

    def _read_marks(self, value: str, row: Row) -> Iterator[str]:
        marks = value.split(",")
        for number, (name, mark) in enumerate(zip(self.marked, marks, strict=False)):
            if mark not in (f"{number}_0", f"{number}_1"):
                raise BadFile(f"{row.place}: found the mark {mark!r}, expected {number}_0 or {number}_1", MEND_MARKS)
            if mark.endswith("1"):
                yield name
        if len(marks) != len(self.marked):
            raise BadFile(f"{row.place}: found {len(marks)} marks, expected {len(self.marked)}", MEND_MARKS)


def label_reader(rows: Sequence[Row], several: bool | None, known: Collection[str] = ()) -> LabelReader:
    """Return how these rows, of all splits of a corpus, write their labels.

    Args:
        rows: of the corpus.
        several: may a text have several labels? As the rows say if None: lists and marks do.
        known: labels of which none is to be taken for several, though it may hold what separates them elsewhere.
    """
    values = [_value(row) for row in rows]
    if any(isinstance(value, list) for value in values):
        return LabelReader(several is not False)
    written = [value for value in values if isinstance(value, str)]
    marks = next((value for value in written if MARKS.fullmatch(value)), None)  # the first row may be a broken one
    if marks:
        return LabelReader(several is not False, marked=_marked_names(rows, marks.count(",") + 1))
    if not several:
        return LabelReader(several=False)
    joined = [value for value in written if value.strip() not in known]
    separator = next((each for each in SEPARATORS if any(each in value for value in joined)), None)
    return LabelReader(several=True, separator=separator, known=known)


def has_labels(rows: Sequence[Row]) -> bool:
    """Return whether any row has something in the place of a label."""
    return any(_value(row) is not None for row in rows)


def document_of(id: str) -> str:
    """Return the document that a sentence with such an id is a part of: `22355784` of `22355784_s0`, else nothing."""
    found = SENTENCE_ID.fullmatch(id)
    return found[1] if found else ""


def _value(row: Row) -> object:
    return next((row.values[name] for name in COLUMNS if row.values.get(name) is not None), None)


def _label(value: object, row: Row) -> str:
    """Return a label, which may be a whole number in JSON, without the blanks around it."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        found = "missing" if value is None else repr(value)
        raise BadFile(
            f"{row.place}: the label is {found}, expected a text or a list of texts",
            f"the row has {', '.join(row.values)}; say which column it is with `text.columns`",
        )
    return str(value).strip()


def _marked_names(rows: Sequence[Row], n_marks: int) -> tuple[str, ...]:
    """Return the hallmarks for ten marks of sentences of abstracts, else the numbers themselves."""
    is_of_abstracts = all(document_of(str(row.values.get("index") or row.values.get("id"))) for row in rows)
    if n_marks == len(HALLMARKS) and is_of_abstracts:
        return HALLMARKS
    return tuple(str(number) for number in range(n_marks))
