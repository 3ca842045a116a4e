"""Published scores to compare with: the tables of the WeLT paper, as printed there.

Source: Mobasher, Müller, Krebs and Gertz (2023), tables 2 to 10: eight corpora, five encoders and seven weightings,
one training each. Tables 2 to 9 give precision, recall and F1; table 10 gives F1 on Linnaeus in two other metrics.

Which metric that is: for tables 2 to 9 the paper says no more than "entity-level". Its code calls seqeval as it comes,
without `mode="strict"`, and that is our `conll`. Table 10 names seqeval in strict mode, our `strict`, and FairEval in
fair mode, our `fair`.

The paper counts in percent, we in fractions. What does not fit together in the tables is kept as printed and has a
`note`. No cell of tables 2 to 9 is missing; table 10 has no precision and recall.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import PurePath
from typing import TypedDict

from linnet.contracts import PublishedScore
from linnet.tasks.ner.settings import NerSettings

__all__ = ["Published", "published_f1", "published_score", "published_scores"]

FILE = "published_welt.json"
METRICS_BY_REQUEST = {  # in the order of preference
    "strict": ("strict", "conll"),
    "conll": ("conll",),
    "fair": ("fair",),
}


@dataclass(frozen=True)
class Published:
    """The scores of one cell of a published table, as fractions."""

    corpus: str  # as our recipes call it
    encoder: str  # our alias
    scheme: str
    beta: float | None  # for `ens` only
    metric: str  # our name of the matching
    precision: float | None
    recall: float | None
    f1: float
    table: int
    source: str  # the whole reference, with the table
    checkpoint: str  # what the published code opens; our alias may stand for another training of the same encoder
    note: str = ""  # what does not fit together; empty where nothing is known against the numbers


class Column(TypedDict):
    """A weighting, and the name that notes use for it."""

    name: str
    scheme: str
    beta: float | None


class Encoder(TypedDict):
    """How the paper prints an encoder, and what its code opens."""

    printed: str
    checkpoint: str


class Table(TypedDict):
    """A table in percent: by encoder and by kind of score one number for each column."""

    table: int
    corpus: str
    metric: str
    rows: dict[str, dict[str, list[float]]]


class Cells(TypedDict):
    """Some columns of an encoder in a table."""

    table: int
    encoder: str
    columns: list[str]


class Note(TypedDict):
    """A remark about some cells."""

    note: str
    cells: list[Cells]


class Paper(TypedDict):
    """The data file."""

    title: str
    authors: list[str]
    year: int
    venue: str
    pages: str
    address: str
    columns: list[Column]
    encoders: dict[str, Encoder]
    spellings: dict[str, list[str]]
    tables: list[Table]
    notes: list[Note]


@cache
def published_scores() -> tuple[Published, ...]:
    """Return all cells: 280 of tables 2 to 9, then 35 in `strict` and 35 in `fair` of table 10."""
    paper = _paper()
    return tuple(chain.from_iterable(_cells_of(table, paper) for table in paper["tables"]))


def published_f1(
    *, corpus: str, encoder: str, scheme: str, beta: float | None, metric: str = "strict"
) -> Published | None:
    """Return what was published for a cell, or `None` where nothing was.

    For `strict` on Linnaeus that is table 10. On the other corpora it is the `conll` value of tables 3 to 9, for lack
    of a strict one; the `metric` of the answer says so. (On Linnaeus the two differ by 0.04 points of F1 at most, but
    for ten cells with a note.)

    Args:
        corpus: a name, or a folder of that name, in any case and with or without hyphens, underscores and blanks;
            the common spellings are known, such as `NCBI` for `ncbi-disease`.
        encoder: an alias, or the checkpoint that the published code opens.
        scheme: the registered name of a weighting scheme.
        beta: for `ens`; the paper has 0.3, 0.5 and 0.9.
        metric: the registered name of a matching; the paper has `conll`, and for Linnaeus `strict` and `fair`.

    >>> found = published_f1(corpus="NCBI_disease", encoder="biobert", scheme="welt", beta=None)
    >>> found.f1, found.table, found.metric
    (0.879, 9, 'conll')
    """
    name = _corpus_by_spelling().get(_bare(PurePath(corpus).name))
    alias = _alias_by_spelling().get(_bare(encoder))
    score_by_metric = {
        score.metric: score
        for score in published_scores()
        if (score.corpus, score.encoder, score.scheme, score.beta) == (name, alias, scheme, beta)
    }
    known = (score_by_metric[each] for each in METRICS_BY_REQUEST.get(metric, ()) if each in score_by_metric)
    return next(known, None)


def published_score(settings: NerSettings, metric: str) -> PublishedScore | None:
    """Return the published score of a run, where all that the tables know of is as it was there.

    The paper trains all weights by cross-entropy on the whole training split of one corpus.
    """
    loss = settings.loss
    is_like_it = loss.name == "cross-entropy" and loss.weights is None and settings.train_sentences is None
    if not is_like_it or settings.lora is not None or settings.corpora:
        return None
    found = published_f1(
        corpus=settings.data, encoder=settings.encoder, scheme=loss.scheme, beta=loss.beta, metric=metric
    )
    if found is None:
        return None
    beside = {"precision": found.precision, "recall": found.recall}
    return PublishedScore(
        found.f1,
        f"{found.source}, {found.metric} F1",
        {name: value for name, value in beside.items() if value is not None},
    )


@cache
def _paper() -> Paper:
    paper: Paper = json.loads(files("linnet.tasks.ner").joinpath(FILE).read_text(encoding="utf-8"))
    return paper


def _cells_of(table: Table, paper: Paper) -> Iterator[Published]:
    source = _reference(paper, table["table"])
    for encoder, rows in table["rows"].items():
        for index, column in enumerate(paper["columns"]):
            yield Published(
                corpus=table["corpus"],
                encoder=encoder,
                scheme=column["scheme"],
                beta=column["beta"],
                metric=table["metric"],
                precision=_fraction(rows["precision"][index]) if "precision" in rows else None,
                recall=_fraction(rows["recall"][index]) if "recall" in rows else None,
                f1=_fraction(rows["f1"][index]),
                table=table["table"],
                source=source,
                checkpoint=paper["encoders"][encoder]["checkpoint"],
                note=_note(paper, table["table"], encoder, column["name"]),
            )


def _reference(paper: Paper, table: int) -> str:
    *first, last = (author.split()[-1] for author in paper["authors"])
    return (
        f"{', '.join(first)} and {last} ({paper['year']}). {paper['title']}. {paper['venue']}, "
        f"pages {paper['pages']}, {paper['address']}, table {table}"
    )


def _fraction(percent: float) -> float:
    return round(percent / 100, 4)  # two decimals are printed


def _note(paper: Paper, table: int, encoder: str, column: str) -> str:
    return "; ".join(
        note["note"]
        for note in paper["notes"]
        for cells in note["cells"]
        if (cells["table"], cells["encoder"]) == (table, encoder) and column in cells["columns"]
    )


@cache
def _corpus_by_spelling() -> dict[str, str]:
    return _by_spelling((name, [name, *others]) for name, others in _paper()["spellings"].items())


@cache
def _alias_by_spelling() -> dict[str, str]:
    encoders = _paper()["encoders"].items()
    return _by_spelling((alias, [alias, encoder["checkpoint"]]) for alias, encoder in encoders)


def _by_spelling(spellings_by_name: Iterable[tuple[str, list[str]]]) -> dict[str, str]:
    return {_bare(spelling): name for name, spellings in spellings_by_name for spelling in spellings}


def _bare(name: str) -> str:
    """Return the letters and digits of a name in lower case."""
    return re.sub(r"[\W_]", "", name.casefold())
