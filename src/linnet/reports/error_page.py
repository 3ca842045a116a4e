"""Writes the error page of named-entity recognition: mentions, mistakes and scores to look through in a browser.

Its html, css and js files are in `linnet/reports/page/mentions`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.reports.mistakes import MEANING_OF_KIND, find_mistakes
from linnet.reports.page.files import write_page_file
from linnet.reports.review import ReviewedSentence
from linnet.reports.sentence_content import browser_offsets, mention_content
from linnet.reports.tables import MEANING

__all__ = ["write_page"]

PAGE = "mentions"  # of `linnet.reports.page`

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
    offsets = browser_offsets(sentence.text)
    scores = sentence.scores or (None,) * len(sentence.predicted)
    return [
        sentence.number,
        sentence.text,
        [mention_content(sentence, mention, None, offsets, label_numbers) for mention in sentence.gold],
        [
            mention_content(sentence, mention, score, offsets, label_numbers)
            for mention, score in zip(sentence.predicted, scores, strict=True)
        ],
        [mistake.numbered() for mistake in find_mistakes([sentence])],
    ]
