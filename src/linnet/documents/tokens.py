"""Tokenization of text into words, numbers and punctuation marks.

A token is a run of letters and digits with their combining marks. A full stop or comma between two digits belongs to
the number. Every other visible character is a token of its own. White space separates tokens and belongs to none. So
`IL-2`, `5'-AMP` and `β-carotene` are several tokens, mentions hardly ever cut a token, and offsets stay valid.
"""

import re

from linnet.documents.document import Interval

__all__ = ["tokenize"]

MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
)
TOKEN = re.compile(
    rf"\d+(?:[.,]\d+)+"  # 0.05 or 1,200
    rf"|[^\W_](?:[^\W_]|[{MARKS}])*"
    rf"|\S[{MARKS}]*"
)


def tokenize(text: str, start: int = 0, end: int | None = None) -> tuple[Interval, ...]:
    """Return the intervals of the tokens in `text[start:end]`, as offsets into `text`.

    >>> [(s, e) for s, e in tokenize("IL-2 at 0.5 mg")]
    [(0, 2), (2, 3), (3, 4), (5, 7), (8, 11), (12, 14)]
    """
    last = len(text) if end is None else end
    return tuple(found.span() for found in TOKEN.finditer(text, start, last))
