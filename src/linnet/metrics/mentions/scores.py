"""Precision, recall and F1 of mentions by each matching, with bootstrap confidence intervals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.documents.counted import counted
from linnet.errors import BadSetting, UnknownName
from linnet.metrics.mentions.matching import Matching, matchings
from linnet.metrics.mentions.shared_labels import SharedLabels
from linnet.metrics.mentions.tags import TagReport, count_tags, report_tags
from linnet.metrics.mentions.tally import Array, Counts, Tally
from linnet.metrics.mentions.units import Unit, groups_of
from linnet.metrics.statistics.bootstrap import f1_intervals
from linnet.metrics.statistics.intervals import Interval

__all__ = ["DOCUMENTS", "MatchingScores", "Score", "Scores", "check_resample", "matching_names", "score"]

BUILT_IN = ("strict", "conll", "exact", "partial", "type", "fair", "weighted_fair", "tokens")  # the order in reports
RESAMPLED = SENTENCES, DOCUMENTS = ("sentences", "documents")

CountedRows = list[tuple[int, str, Sequence[float]]]  # unit, label, one number per column


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1 as fractions, with their counts and the confidence interval of F1.

    The interval is None where it was not asked for, where fewer than five units have a mention, or gold has none.
    """

    precision: float
    recall: float
    f1: float
    gold: int
    predicted: int
    correct: float
    f1_low: float | None = None
    f1_high: float | None = None
    units: str = "sentences"  # what the interval resamples
    n_units: int = 0  # how many of them there are
    details: Mapping[str, int] = field(default_factory=dict)  # further counts of fair evaluation

    def as_dict(self) -> dict[str, float | int | None]:
        """Return plain numbers by name, details among them."""
        plain = asdict(self)
        details = plain.pop("details")
        return {**plain, **details}


@dataclass(frozen=True, slots=True)
class MatchingScores:
    """The scores by one matching.

    `micro` counts all mentions alike. `macro` is the plain mean over `labels`, the labels that occur in gold or
    predicted; its gold, predicted and correct are the sums.
    """

    micro: Score
    macro: Score
    labels: Mapping[str, Score]


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores by several matchings, with the counts of every unit."""

    sentences: int
    mentions: int
    by_matching: Mapping[str, MatchingScores]
    counts: Mapping[str, Counts]
    groups: npt.NDArray[np.int64] | None  # the document number of each unit; None if documents are not known
    units: str  # what the intervals resample: documents or sentences
    n_units: int
    n_resamples: int
    tags: TagReport | None = None  # word-level scores; None if the units have no tags
    shared: SharedLabels | None = None  # where not all labels of two files were scored: which were

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} F1 {100 * each.micro.f1:.2f}" for name, each in self.by_matching.items())
        return f"<Scores: {shown}; {counted(self.mentions, 'mention')} in {counted(self.sentences, 'sentence')}>"

    def matching(self, name: str) -> MatchingScores:
        """Return the scores by one matching."""
        key = name.lower()
        if key not in self.by_matching:
            raise UnknownName(f"no scores by {name!r} were computed", f"there are {', '.join(self.by_matching)}")
        return self.by_matching[key]

    def as_dict(self) -> dict[str, object]:
        """Return plain numbers in the shape of `linnet score --json`."""
        blocks: dict[str, object] = {
            name: {
                "micro": scores.micro.as_dict(),
                "macro": scores.macro.as_dict(),
                "labels": {label: score.as_dict() for label, score in scores.labels.items()},
            }
            for name, scores in self.by_matching.items()
        }
        words = {} if self.tags is None else {"tags": self.tags.as_dict()}
        return {
            **blocks,
            **words,
            "sentences": self.sentences,
            "mentions": self.mentions,
            "documents": None if self.groups is None else len(np.unique(self.groups)),
            "resamples": self.n_resamples,
            **({} if self.shared is None else {"mapping": self.shared.as_dict()}),
        }


def score(
    units: Sequence[Unit],
    *,
    names: Sequence[str] | None = None,
    resample: str | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Scores:
    """Return the scores of a prediction by the named matchings, or by all of them.

    Args:
        units: gold and predicted mentions, one unit per sentence.
        names: registered matchings; `matching_names` lists them.
        resample: what the bootstrap draws: "documents" (groups of units) or "sentences" (units). If not given,
            documents, and sentences only where the document of a unit is not known, or all are of one document.
        n_resamples: the number of bootstrap resamples; 0 gives no intervals.
        seed: of the random generator.
        confidence: of the intervals.

    >>> unit = Unit(gold=(Mention(0, 2, "Disease"), Mention(4, 5, "Disease")), predicted=(Mention(0, 2, "Disease"),))
    >>> score([unit], n_resamples=0).matching("strict").micro.recall
    0.5
    """
    known = groups_of(units)
    check_resample(resample, has_documents=known is not None)
    if n_resamples < 0:
        raise BadSetting(f"n_resamples is {n_resamples}", "give 0 for no intervals, or e.g. 1000")
    chosen = {matchings.canonical(name): matchings.get(name) for name in (matching_names() if names is None else names)}
    groups = None if known is None else np.array(known, dtype=np.int64)
    n_documents = None if groups is None else len(np.unique(groups))
    by_documents = resample == DOCUMENTS or (resample is None and (n_documents or 0) > 1)
    counts = _count(units, chosen)
    by_matching: dict[str, MatchingScores] = {}
    for name, each in counts.items():
        drawn = each.by_group(groups) if by_documents and groups is not None else each
        by_matching[name] = _score_matching(each, _Intervals(drawn, by_documents, n_resamples, seed, confidence))
    pairs = count_tags(units)
    n_mentions = sum(len(unit.gold) for unit in units)
    return Scores(
        sentences=len(units),
        mentions=n_mentions,
        by_matching=by_matching,
        counts=counts,
        groups=groups,
        units=DOCUMENTS if by_documents else SENTENCES,
        n_units=n_documents if by_documents and n_documents is not None else len(units),
        n_resamples=n_resamples,
        tags=report_tags(pairs) if pairs else None,
    )


def check_resample(resample: str | None, *, has_documents: bool) -> None:
    """Refuse unknown units of intervals, and documents where none are known."""
    if resample is not None and resample not in RESAMPLED:
        raise BadSetting(f"resample is {resample!r}", f"choose one of {', '.join(RESAMPLED)}")
    if resample == DOCUMENTS and not has_documents:
        raise BadSetting(
            "documents are to be resampled, but it is not known which sentences belong to one document",
            "say it with `--documents FILE` (a document id per sentence, or the documents themselves), begin each "
            "document with a `-DOCSTART-` line, or leave `--resample` out",
        )


def matching_names() -> list[str]:
    """Return the names of all matchings: the built-in ones in their usual order, then those of other packages."""
    known = matchings.names()
    return [*BUILT_IN, *(name for name in known if name not in BUILT_IN)]


class _Intervals:
    """The confidence intervals of F1 by one matching, and the units that they resample."""

    def __init__(self, counts: Counts, by_documents: bool, n_resamples: int, seed: int, confidence: float) -> None:
        self.units, self.n_units = DOCUMENTS if by_documents else SENTENCES, counts.n_units
        self.micro: Interval | None = None
        self.macro: Interval | None = None
        self.labels: dict[str, Interval | None] = dict.fromkeys(counts.labels)
        if n_resamples:
            found = f1_intervals(counts, n_resamples=n_resamples, seed=seed, confidence=confidence)
            self.micro, self.macro, self.labels = found

    def fields(self, interval: Interval | None) -> dict[str, Any]:
        """Return the fields of a score that are about its interval."""
        low, high = interval or (None, None)
        return {"f1_low": low, "f1_high": high, "units": self.units, "n_units": self.n_units}


def _count(units: Sequence[Unit], chosen: Mapping[str, Matching]) -> dict[str, Counts]:
    """Return the counts by each matching, all with the same labels; equal counting functions run once."""
    rules = {matching.count: len(matching.reading.columns) for matching in chosen.values()}
    found: dict[object, CountedRows] = {
        rule: [(index, label, row) for index, unit in enumerate(units) for label, row in rule(unit).items()]
        for rule in rules
    }
    labels = tuple(sorted({label for entries in found.values() for _, label, _ in entries}))
    values = {rule: _to_array(found[rule], len(units), labels, n_columns) for rule, n_columns in rules.items()}
    return {name: Counts(labels, matching.reading, values[matching.count]) for name, matching in chosen.items()}


def _to_array(found: CountedRows, n_units: int, labels: tuple[str, ...], n_columns: int) -> Array:
    """Return the counted rows as one array: (units, labels, columns)."""
    values = np.zeros((n_units, len(labels), n_columns))
    if found:
        position = {label: index for index, label in enumerate(labels)}
        indices = [index for index, _, _ in found]
        values[indices, [position[label] for _, label, _ in found]] = [row for _, _, row in found]
    return values


def _score_matching(counts: Counts, intervals: _Intervals) -> MatchingScores:
    details = counts.reading.details
    labels = {
        label: _score_tally(tally, intervals.fields(intervals.labels[label]), details)
        for label, tally in counts.by_label.items()
    }
    micro = _score_tally(counts.total, intervals.fields(intervals.micro), details)
    macro = Score(
        precision=_mean(score.precision for score in labels.values()),
        recall=_mean(score.recall for score in labels.values()),
        f1=_mean(score.f1 for score in labels.values()),
        gold=micro.gold,
        predicted=micro.predicted,
        correct=micro.correct,
        **intervals.fields(intervals.macro),
    )
    return MatchingScores(micro, macro, labels)


def _score_tally(tally: Tally, interval: Mapping[str, Any], details: Iterable[str]) -> Score:
    return Score(
        precision=tally.precision,
        recall=tally.recall,
        f1=tally.f1,
        gold=tally.gold,
        predicted=tally.predicted,
        correct=tally.correct,
        **interval,
        details={name: getattr(tally, name) for name in details},
    )


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
