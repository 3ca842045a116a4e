"""Counts the details of links that a format cannot hold: names of concepts, scores, and that links are several."""

from collections.abc import Iterator, Sequence

from linnet.documents.document import Span

__all__ = ["SEVERAL_LINKS", "describe_loss", "lost_link_details"]

SEVERAL_LINKS = "several links of a mention apart (their identifiers are kept, as A|B)"  # a loss of formats


def lost_link_details(spans: Sequence[Span]) -> Iterator[tuple[str, int]]:
    """Yield what is lost if only identifier and database of each link are kept."""
    links = [link for span in spans for link in span.links]
    if n_names := sum(link.name != "" for link in links):
        yield "names of concepts", n_names
    if n_scores := sum(link.score is not None for link in links):
        yield "scores of concepts", n_scores


def describe_loss(format: str, what: str, number: int) -> str:
    """Return a sentence about what a format cannot hold, after it was written without that.

    >>> describe_loss("pubtator", "scores", 1200)
    'pubtator cannot hold scores: 1,200 left out'
    """
    return f"{format} cannot hold {what}: {number:,} {'joined' if what == SEVERAL_LINKS else 'left out'}"
