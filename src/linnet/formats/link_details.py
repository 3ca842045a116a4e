"""Counts the details of links that a format cannot hold: names of concepts and scores."""

from collections.abc import Iterator, Sequence

from linnet.documents.document import Span

__all__ = ["lost_link_details"]


def lost_link_details(spans: Sequence[Span]) -> Iterator[tuple[str, int]]:
    """Yield what is lost if only identifier and database of each link are kept."""
    links = [link for span in spans for link in span.links]
    if n_names := sum(link.name != "" for link in links):
        yield "names of concepts", n_names
    if n_scores := sum(link.score is not None for link in links):
        yield "scores of concepts", n_scores
