"""Writes the error page of named-entity recognition: mentions, mistakes and scores to look through in a browser.

Its html, css and js files are in `linnet/reports/page/mentions`.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from linnet.labels.mention import Mention
from linnet.reports.mistakes import MEANING_OF_KIND, find_mistakes
from linnet.reports.page.files import write_page_file
from linnet.reports.review import ReviewedSentence
from linnet.reports.tables import MEANING

__all__ = ["write_page"]

PAGE = "mentions"  # of `linnet.reports.page`
FIRST_OF_TWO_UNITS = "\U00010000"  # from here on JavaScript counts a character twice

Scores = dict[str, Any]  # the JSON shape of `linnet score`


def write_page(
    folder: Path,
    *,
    title: str,
    scores: Scores,
    sentences: Sequence[ReviewedSentence],
    details: Mapping[str, str],
) -> Path:
    """Write the page and return its path, `index.html` in the folder.

    Args:
        folder: where the page goes; made where it does not exist.
        title: what was evaluated, in a few words.
        scores: in the shape of `linnet score --json`.
        sentences: all that was evaluated, with or without errors.
        details: small print by name: model, corpus, split and the like.
    """
    content = {"title": title, "details": list(details.items()), "scores": scores, **_content(sentences)}
    return write_page_file(folder, page=PAGE, title=title, content=content)


def _content(sentences: Sequence[ReviewedSentence]) -> dict[str, Any]:
    """Return what the page's program works on; labels, kinds and documents are numbers into their lists."""
    labels = sorted({mention.label for sentence in sentences for mention in (*sentence.gold, *sentence.predicted)})
    documents = list(dict.fromkeys(sentence.document for sentence in sentences))
    label_numbers = {label: number for number, label in enumerate(labels)}
    document_numbers = {document: number for number, document in enumerate(documents)}
    return {
        "matchings": MEANING,
        "kinds": list(MEANING_OF_KIND.items()),
        "labels": labels,
        "documents": documents,
        "sentences": [
            [document_numbers[sentence.document], *_sentence_content(sentence, label_numbers)] for sentence in sentences
        ],
    }


def _sentence_content(sentence: ReviewedSentence, label_numbers: Mapping[str, int]) -> list[Any]:
    """Return number, text, true and predicted mentions, and mistakes as kind with positions of both (or -1)."""
    offsets = _browser_offsets(sentence.text)
    scores = sentence.scores or (None,) * len(sentence.predicted)
    return [
        sentence.number,
        sentence.text,
        [_mention_content(sentence, mention, None, offsets, label_numbers) for mention in sentence.gold],
        [
            _mention_content(sentence, mention, score, offsets, label_numbers)
            for mention, score in zip(sentence.predicted, scores, strict=True)
        ],
        [mistake.numbered() for mistake in find_mistakes([sentence])],
    ]


def _browser_offsets(text: str) -> Sequence[int]:
    """Return where each character begins when JavaScript counts, which counts UTF-16 units."""
    if not text or max(text) < FIRST_OF_TWO_UNITS:
        return range(len(text) + 1)
    return [0, *accumulate(1 + (character >= FIRST_OF_TWO_UNITS) for character in text)]


def _mention_content(
    sentence: ReviewedSentence,
    mention: Mention,
    score: float | None,
    offsets: Sequence[int],
    label_numbers: Mapping[str, int],
) -> list[Any]:
    start, end = sentence.place(mention)
    pieces = (
        [[offsets[first], offsets[last]] for first, last in sentence.pieces(mention)] if mention.fragments else None
    )
    shown = round(score, 4) if score is not None and math.isfinite(score) else None
    content = [offsets[start], offsets[end], label_numbers[mention.label], shown, pieces]
    while content[-1] is None:  # a page has many mentions
        content.pop()
    return content
