"""Labels of examples, and those among them that a model does not know."""

from collections.abc import Collection, Sequence

from linnet.documents.texts import TextExample

__all__ = ["first_places", "labels_of"]


def labels_of(example: TextExample) -> tuple[str, ...]:
    """Return the label or labels of an example."""
    if isinstance(example.gold, str):
        return (example.gold,)
    return tuple(str(label) for label in example.gold) if isinstance(example.gold, tuple) else ()


def first_places(examples: Sequence[TextExample], known: Collection[str]) -> dict[str, str]:
    """Return the labels that are not known, each with the first place where it stands."""
    found: dict[str, str] = {}
    for each in examples:
        for label in labels_of(each):
            if label not in known:
                found.setdefault(label, each.place)
    return found
