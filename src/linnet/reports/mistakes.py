"""Mistakes of a tagger: wrong mentions, sorted by the kind of error.

The buckets are the three types of the WeLT paper (complete false positive, complete false negative, wrong boundaries)
and wrong labels, with or without wrong boundaries. Every wrong mention is in exactly one mistake.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from linnet.labels.mention import Mention
from linnet.reports.review import ReviewedSentence
from linnet.storage.cells import first_words, write_rows

__all__ = [
    "KINDS",
    "MEANING_OF_KIND",
    "MISTAKES_FILE",
    "Mistake",
    "count_kinds",
    "find_mistakes",
    "write_mistakes",
    "write_mistakes_of_runs",
]

MISTAKES_FILE = "mistakes.tsv"  # of a report
MEANING_OF_KIND = {
    "spurious": "predicted where nothing is marked",
    "missed": "marked, but nothing predicted there",
    "boundary": "right label, wrong ends",
    "label": "right ends, wrong label",
    "label and boundary": "overlapping, wrong label and wrong ends",
}
KINDS = tuple(MEANING_OF_KIND)
COLUMNS = (  # programs read them by name; "gold label", "predicted label" and "score" are earlier names
    "kind",
    "document",
    "sentence",
    "start",
    "end",
    "text",
    "gold",
    "predicted",
    "confidence",
    "gold label",
    "gold text",
    "predicted label",
    "predicted text",
    "score",
    "left context",
    "right context",
)
CONTEXT = 120  # characters on each side of a mention; what is cut off leaves an ellipsis


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong mention: a predicted one, a true one, or a pair of both that do not agree."""

    kind: str
    sentence: ReviewedSentence
    gold: Mention | None
    predicted: Mention | None

    @property
    def texts(self) -> tuple[str, str]:
        """The true and the predicted mention as they stand in the text, "" where there is none."""
        return self.sentence.text_of(self.gold), self.sentence.text_of(self.predicted)

    @property
    def score(self) -> float | None:
        """The score of the predicted mention, None where there is none."""
        return self.sentence.score_of(self.predicted)

    @property
    def place(self) -> tuple[int, int]:
        """Where the mention, or both of them together, start and end, in characters of the sentence's text."""
        places = [self.sentence.place(mention) for mention in (self.gold, self.predicted) if mention is not None]
        return min(start for start, _ in places), max(end for _, end in places)

    @property
    def place_in_document(self) -> tuple[int, int] | None:
        """The same place in characters of the document, None where it is not known."""
        if self.sentence.start is None:
            return None
        start, end = self.place
        return self.sentence.start + start, self.sentence.start + end

    def numbered(self) -> list[int]:
        """Return what pages hold of it: the numbers of its kind and of its mentions in the sentence, -1 for none."""
        sentence = self.sentence
        pairs = ((self.gold, sentence.gold), (self.predicted, sentence.predicted))
        return [KINDS.index(self.kind), *(-1 if each is None else among.index(each) for each, among in pairs)]

    def context(self, most: int = CONTEXT) -> tuple[str, str]:
        """Return what stands before and after the place, each at most so many characters and cut between words."""
        start, end = self.place
        return _last_words(self.sentence.text[:start], most), first_words(self.sentence.text[end:], most)


def find_mistakes(sentences: Iterable[ReviewedSentence]) -> list[Mistake]:
    """Return all wrong mentions in reading order, each with the one it was taken for, if any.

    Mentions that agree in everything are right. Of the rest, those with equal ends are paired (label), then those
    that overlap, most shared tokens first; what has no partner is spurious or missed.
    """
    return [mistake for sentence in sentences for mistake in _mistakes_in(sentence)]


def count_kinds(mistakes: Iterable[Mistake]) -> dict[str, int]:
    """Return how many mistakes there are of each kind, 0 included."""
    counts = Counter(mistake.kind for mistake in mistakes)
    return {kind: counts[kind] for kind in KINDS}


def write_mistakes(mistakes: Iterable[Mistake], path: Path) -> None:
    """Write one row of tab-separated cells per mistake."""
    write_rows(path, COLUMNS, (_cells(mistake) for mistake in mistakes))


def write_mistakes_of_runs(sentences_by_run: Mapping[str, Iterable[ReviewedSentence]], path: Path) -> None:
    """Write the same for several runs: before each mistake its run, and the other runs that make it as well."""
    mistakes_by_run = {run: find_mistakes(sentences) for run, sentences in sentences_by_run.items()}
    runs_by_fact: dict[object, list[str]] = {}
    for run, mistakes in mistakes_by_run.items():
        for mistake in mistakes:
            runs_by_fact.setdefault(_fact(mistake), []).append(run)
    rows = (
        (run, ", ".join(other for other in runs_by_fact[_fact(mistake)] if other != run), *_cells(mistake))
        for run, mistakes in mistakes_by_run.items()
        for mistake in mistakes
    )
    write_rows(path, ("run", "also in", *COLUMNS), rows)


def _fact(mistake: Mistake) -> object:
    """Return what is the same of a mistake whichever run makes it."""
    sentence = mistake.sentence
    return sentence.document, sentence.number, mistake.kind, mistake.gold, mistake.predicted


def _mistakes_in(sentence: ReviewedSentence) -> list[Mistake]:
    gold, predicted = _without_right_ones(sentence)
    if not gold and not predicted:
        return []
    pairs = _pair_off(gold, predicted)
    found = [Mistake(_kind(gold[i], predicted[j]), sentence, gold[i], predicted[j]) for i, j in pairs.items()]
    found += [Mistake("missed", sentence, true, None) for i, true in enumerate(gold) if i not in pairs]
    taken = set(pairs.values())
    found += [Mistake("spurious", sentence, None, guess) for j, guess in enumerate(predicted) if j not in taken]
    return sorted(found, key=lambda mistake: mistake.place)


def _without_right_ones(sentence: ReviewedSentence) -> tuple[list[Mention], list[Mention]]:
    """Return the true and the predicted mentions that have no equal on the other side."""
    unmatched = Counter(mention for mention in sentence.gold)
    predicted = []
    for mention in sentence.predicted:
        if unmatched[mention] > 0:
            unmatched[mention] -= 1
        else:
            predicted.append(mention)
    gold = []
    for mention in sentence.gold:
        if unmatched[mention] > 0:
            unmatched[mention] -= 1
            gold.append(mention)
    return gold, predicted


def _pair_off(gold: list[Mention], predicted: list[Mention]) -> dict[int, int]:
    """Return the position of the predicted mention for the positions of true ones that have a partner."""
    candidates = [
        (_rank(true, guess), i, j)
        for i, true in enumerate(gold)
        for j, guess in enumerate(predicted)
        if _shared_words(true, guess) > 0
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(candidates):
        if i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs


def _rank(gold: Mention, predicted: Mention) -> tuple[bool, int, bool, int, int, int]:
    """Order pairs: equal ends, most shared tokens, equal label, fewest other tokens, then reading order."""
    shared = _shared_words(gold, predicted)
    others = (gold.end - gold.start) + (predicted.end - predicted.start) - 2 * shared
    return others > 0, -shared, gold.label != predicted.label, others, gold.start, predicted.start


def _shared_words(gold: Mention, predicted: Mention) -> int:
    return min(gold.end, predicted.end) - max(gold.start, predicted.start)


def _kind(gold: Mention, predicted: Mention) -> str:
    if gold.label == predicted.label:
        return "boundary"
    same_ends = (gold.start, gold.end, gold.fragments) == (predicted.start, predicted.end, predicted.fragments)
    return "label" if same_ends else "label and boundary"


def _cells(mistake: Mistake) -> Iterator[str]:
    sentence, score = mistake.sentence, mistake.score
    gold, predicted = (mention.label if mention else "" for mention in (mistake.gold, mistake.predicted))
    gold_text, predicted_text = mistake.texts
    confidence = "" if score is None else f"{score:.4f}"
    start, end = mistake.place
    yield from (mistake.kind, sentence.document, str(sentence.number), *map(str, mistake.place_in_document or ("", "")))
    yield from (sentence.text[start:end], gold, predicted, confidence)
    yield from (gold, gold_text, predicted, predicted_text, confidence)
    yield from mistake.context()


def _last_words(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    kept = text[-most:]
    _, space, words = kept.partition(" ")
    return f"…{words if space and words.strip() else kept}"
