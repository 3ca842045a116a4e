"""The labels that a review offers: all of them, in the same order whichever document is open."""

from collections.abc import Iterable

from linnet.documents.document import Span

__all__ = ["list_labels"]


def list_labels(chosen: Iterable[str], of_model: Iterable[str], spans: Iterable[Span]) -> tuple[str, ...]:
    """Return the chosen labels, then those of the model, then those of the mentions by alphabet.

    >>> list_labels(["Gene"], [], [Span(0, 1, "Sign"), Span(0, 1, "Drug")])
    ('Gene', 'Drug', 'Sign')
    """
    return tuple(dict.fromkeys([*chosen, *of_model, *sorted({span.label for span in spans})]))
