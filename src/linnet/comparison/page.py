"""Writes the page of a comparison: verdicts, scores, plots and disagreements to look through in a browser.

Its html, css and js files are in `linnet/reports/page/comparison`.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from linnet.comparison.arrangement import (
    Arrangement,
    Curve,
    arrange,
    baseline_title,
    headline,
    learning_panels,
    place_title,
    trouble,
)
from linnet.comparison.judging.wording import name_verdict
from linnet.comparison.results import Cell, Comparison, Disagreement, Labels, Pair, Results, cut_interval
from linnet.reports.mistakes import KINDS, MEANING_OF_KIND, find_mistakes
from linnet.reports.page.files import write_page_file
from linnet.reports.review import ReviewedSentence
from linnet.reports.sentence_content import browser_offsets, mention_content

__all__ = ["write_comparison_page"]

PAGE = "comparison"  # of `linnet.reports.page`
DIGITS = 6  # of fractions: more than any table shows

Content = dict[str, Any]  # Any: whatever JSON can hold


def write_comparison_page(results: Results, folder: Path) -> Path:
    """Write the page and return its path, `index.html` in the folder, which is made where it does not exist."""
    return write_page_file(folder, page=PAGE, title=results.name, content=_content(results))


def _content(results: Results) -> Content:
    """Return what the page's program works on; places and choices are numbers into their lists, -1 is all places."""
    arrangement = arrange(results)
    return {
        "title": results.name,
        "headline": _headline(results),
        "trouble": trouble(results),
        "metric": results.metric,
        "split": results.split,
        "beside": results.beside,
        "baseline": baseline_title(results),
        "placeAxes": results.place_axes,
        "choiceAxes": results.choice_axes,
        "seeds": results.seeds,
        "places": [
            _labels_content(place, results.place_axes) | {"drawn": results.drawn_at(place)}
            for place in arrangement.places
        ],
        "choices": [_labels_content(choice, results.choice_axes) for choice in arrangement.choices],
        "cells": [_cell_content(cell, arrangement, results.beside) for cell in _all_cells(arrangement)],
        "comparisons": [_comparison_content(found, arrangement) for found in results.comparisons],
        "sizeAxis": results.size_axis,
        "curves": [[title, [_curve_content(curve) for curve in curves]] for title, curves in _panels(results)],
        **_pairs_content(results.pairs, arrangement),
        "failures": [[failure.name, failure.reason, failure.command] for failure in results.failures],
        "notes": results.notes,
        "details": list(results.details.items()),
    }


def _headline(results: Results) -> str:
    """Return the verdict in one sentence; of two single runs its own one, which says which of them is better."""
    is_pair = not results.seeds and len(results.comparisons) == 1
    return results.comparisons[0].sentence if is_pair else headline(results)


def _labels_content(labels: Labels, axes: Sequence[str]) -> Content:
    return {"title": place_title(labels), "labels": [labels.get(axis, "") for axis in axes]}


def _all_cells(arrangement: Arrangement) -> Iterable[Cell]:
    """Yield every meeting of a place and a choice; where nothing is known of one, a cell that says so."""
    for place in arrangement.places:
        for choice in arrangement.choices:
            yield arrangement.cell(place, choice) or _unknown_cell(place, choice)


def _unknown_cell(place: Labels, choice: Labels) -> Cell:
    return Cell(place=place, choice=choice, is_baseline=False, score_by_seed={}, label_scores={}, commands=())


def _cell_content(cell: Cell, arrangement: Arrangement, beside: Sequence[str]) -> Content:
    return {
        "place": _number_of(cell.place, arrangement.places),
        "choice": _number_of(cell.choice, arrangement.choices),
        "isBaseline": cell.is_baseline,
        "mark": arrangement.mark(cell.place, cell.choice),
        "mean": _rounded(cell.mean),
        "sd": _rounded(cell.deviation),
        "scores": [[seed, _rounded(score)] for seed, score in cell.score_by_seed.items()],
        "labels": [[label, _rounded(score)] for label, score in cell.label_scores.items()],
        "beside": [[_rounded(cell.mean_of(name)), _rounded(cell.deviation_of(name))] for name in beside],
        "published": _rounded(cell.published),
        "publishedBeside": [_rounded(cell.published_beside.get(name)) for name in beside],
        "collapsed": cell.collapsed,
        "source": cell.source,
        "commands": cell.commands,
    }


def _comparison_content(found: Comparison, arrangement: Arrangement) -> Content:
    ends = cut_interval(found.low, found.high)
    return {
        "place": _number_of(found.place, arrangement.places),
        "choice": _number_of(found.choice, arrangement.choices),
        "difference": _rounded(found.difference),
        "low": None if ends is None else _rounded(ends[0]),
        "high": None if ends is None else _rounded(ends[1]),
        "p": _rounded(found.p_value),
        "adjusted": _rounded(found.adjusted_p),
        "family": found.family_size,
        "detectable": _rounded(found.smallest_detectable) if found.smallest_detectable < 1 else None,
        "wins": [found.wins, found.ties, found.losses],
        "verdict": found.verdict,
        "verdictName": name_verdict(found.verdict, found.margin),
        "equivalence": _rounded(found.equivalence_p) if found.margin else None,
        "margin": _rounded(found.margin),
        "readings": [[name, _rounded(p)] for name, p in found.readings.items()],
        "sentence": found.sentence,
    }


def _panels(results: Results) -> Iterable[tuple[str, list[Curve]]]:
    return learning_panels(results).items()


def _curve_content(curve: Curve) -> Content:
    points = [
        [point.size, point.label, _rounded(point.mean), _rounded(point.deviation), point.n_seeds]
        for point in curve.points
    ]
    return {"number": curve.number, "title": curve.title, "points": points}


def _pairs_content(pairs: Sequence[Pair], arrangement: Arrangement) -> Content:
    """Return the pairs and their sentences; the text of a sentence stands once, however many systems read it."""
    sentences = [(number, found, _review(found)) for number, pair in enumerate(pairs) for found in pair.sentences]
    both = [sentence for _, _, reviewed in sentences for sentence in reviewed]
    texts = {text: number for number, text in enumerate(dict.fromkeys(sentence.text for sentence in both))}
    documents = {name: number for number, name in enumerate(dict.fromkeys(sentence.document for sentence in both))}
    labels = sorted({mention.label for sentence in both for mention in (*sentence.gold, *sentence.predicted)})
    label_numbers = {label: number for number, label in enumerate(labels)}
    return {
        "pairs": [_pair_content(pair, arrangement) for pair in pairs],
        "kinds": KINDS,
        "meanings": MEANING_OF_KIND,
        "labels": labels,
        "texts": list(texts),
        "documents": list(documents),
        "sentences": [
            [
                number,
                [texts[sentence.text] for sentence in reviewed],
                *_sentence_content(found, reviewed, label_numbers),
                [documents[reviewed[0].document], reviewed[0].number],
            ]
            for number, found, reviewed in sentences
        ],
    }


def _pair_content(pair: Pair, arrangement: Arrangement) -> Content:
    counts = (pair.both_right, pair.only_baseline_right, pair.only_choice_right, pair.both_wrong)
    return {
        "place": _number_of(pair.place, arrangement.places),
        "choice": _number_of(pair.choice, arrangement.choices),
        "counts": [_rounded(count) for count in counts],
        "n": len(pair.sentences),
    }


def _sentence_content(
    found: Disagreement, reviewed: Sequence[ReviewedSentence], label_numbers: Mapping[str, int]
) -> list[Any]:
    """Return who is right how often, and of each system the true and the predicted mentions and the mistakes."""
    sides = [_side_content(sentence, label_numbers) for sentence in reviewed]
    return [found.first_right, found.second_right, found.seeds, *sides]


def _side_content(sentence: ReviewedSentence, label_numbers: Mapping[str, int]) -> list[Any]:
    offsets = browser_offsets(sentence.text)
    scores = sentence.scores or (None,) * len(sentence.predicted)
    pairs = [*((mention, None) for mention in sentence.gold), *zip(sentence.predicted, scores, strict=True)]
    shown = [mention_content(sentence, mention, score, offsets, label_numbers) for mention, score in pairs]
    n_gold = len(sentence.gold)
    return [shown[:n_gold], shown[n_gold:], [mistake.numbered() for mistake in find_mistakes([sentence])]]


def _review(found: Disagreement) -> tuple[ReviewedSentence, ReviewedSentence]:
    """Return the sentence of both systems; where files do not say more, its words with a blank between them."""
    if found.reviewed is not None:
        return found.reviewed
    starts = [0, *accumulate(len(word) + 1 for word in found.words)]
    first = ReviewedSentence(
        document="",
        number=1,
        text=" ".join(found.words),
        tokens=tuple((start, start + len(word)) for start, word in zip(starts, found.words, strict=False)),
        gold=found.gold,
        predicted=found.first,
    )
    return first, replace(first, predicted=found.second)


def _number_of(labels: Labels, among: Sequence[Labels]) -> int:
    return among.index(labels) if labels in among else -1


def _rounded(value: float | None) -> float | None:
    """Return what JSON can hold: infinities and what is no number become nothing."""
    return None if value is None or not math.isfinite(value) else round(value, DIGITS)
