"""Order, overlap and nesting of spans."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from linnet.documents.document import Span

__all__ = ["in_reading_order", "nested_spans", "overlap", "without_overlaps"]


def in_reading_order(spans: Iterable[Span]) -> list[Span]:
    """Return the spans sorted by start; of spans with the same start, the longer comes first."""
    return sorted(spans, key=lambda span: (span.start, -span.end, span.label))


def overlap(a: Span, b: Span) -> bool:
    """Do the spans share at least one character? Discontinuous spans count from start to end."""
    return a.start < b.end and b.start < a.end


def nested_spans(spans: Iterable[Span]) -> list[Span]:
    """Return the spans that overlap an earlier or longer span."""
    inside: list[Span] = []
    reach = 0
    for span in in_reading_order(spans):
        if span.start < reach:
            inside.append(span)
        reach = max(reach, span.end)
    return inside


def without_overlaps(spans: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """Return the spans that one tag sequence can represent, and the others.

    Discontinuous spans are left out. Of overlapping spans the longest is kept, then the first.
    """
    kept: list[Span] = []
    left_out = [span for span in spans if span.is_discontinuous]
    continuous = [span for span in spans if not span.is_discontinuous]
    if not nested_spans(continuous):
        return in_reading_order(continuous), left_out
    for span in sorted(continuous, key=lambda span: (span.start - span.end, span.start)):
        (left_out if any(overlap(span, other) for other in kept) else kept).append(span)
    return in_reading_order(kept), sorted(left_out, key=attrgetter("start"))
