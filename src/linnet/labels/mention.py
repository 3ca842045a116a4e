"""The mention: a labelled stretch of tokens."""

from typing import NamedTuple

from linnet.documents.document import Interval

__all__ = ["Mention"]


class Mention(NamedTuple):
    """A labelled stretch of tokens; `end` is the token after its last.

    A mention in several pieces also has the tokens of each, as `fragments`. One that touches no token has `start`
    equal to `end`. Where text has no tokens, scores count the positions in characters.
    """

    start: int
    end: int
    label: str
    fragments: tuple[Interval, ...] = ()
