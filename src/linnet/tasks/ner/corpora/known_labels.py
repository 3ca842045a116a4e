"""The labels of a corpus beside those that a model knows: which are scored, and which are refused."""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from linnet.errors import BadSetting
from linnet.formats.corpus import Corpus
from linnet.metrics.mentions.label_pairs import likeliest_pair
from linnet.metrics.mentions.shared_labels import SharedLabels, choose_labels, share_labels
from linnet.models.published.opening import is_of_others

__all__ = ["check_labels", "labels_to_score", "only_label"]


def labels_to_score(
    known: Collection[str], corpus: Corpus, given: Mapping[str, str] | None, chosen: Sequence[str] | None
) -> SharedLabels | None:
    """Return the labels to score of a model that knows these; None for all, without map and choice."""
    if chosen is not None:
        return choose_labels(chosen, given or {}, known, _labels_in(corpus))
    return None if given is None else share_labels(given, known, _labels_in(corpus))


def check_labels(labels: AbstractSet[str], known: Collection[str], corpus: str | Path) -> None:
    """Refuse labels of the corpus that the model does not know."""
    unknown = sorted(labels - set(known))
    common = ",".join(sorted(labels & set(known)))
    some = f"score only what it knows with `--keep-labels {common}`, " if common else ""
    if unknown:
        raise BadSetting(
            f"{corpus} has labels that the model does not know: {', '.join(unknown)}",
            f"the model knows {', '.join(sorted(known))}; evaluate on a corpus with these labels, {some}or say "
            f"which mean the same with `--map MODEL=CORPUS`, e.g. `--map {likeliest_pair(known, unknown)}`",
        )


def only_label(model: Path | str, corpus: Corpus) -> str | None:
    """Return the label of a corpus that has one, which bare tags of a model of others must then mean."""
    found = _labels_in(corpus) if is_of_others(model) else set()
    return found.pop() if len(found) == 1 else None


def _labels_in(corpus: Corpus) -> set[str]:
    """Return the labels of all splits: one that this split happens to lack is not unknown."""
    documents = (document for split in corpus.splits.values() for document in split.documents)
    return {span.label for document in documents for span in document.spans}
