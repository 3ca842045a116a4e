"""The base class of classification and multi-label classification, whose predictions are labels."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from linnet.documents.texts import Plain, Prediction, TextExample
from linnet.errors import BadSetting
from linnet.reports.markdown import escape, markdown_table
from linnet.storage.cells import first_words
from linnet.tasks.texts.kinds.base import Kind, Numbers
from linnet.tasks.texts.reading.known_labels import first_places, labels_of
from linnet.tasks.texts.reading.unreached import candidates_in
from linnet.tasks.texts.reports.answers import plain_text, texts_of

__all__ = ["LabelKind", "list_labels"]

MOST_SHOWN = 5  # labels in a message
MOST_NAMED = 40  # labels in a sentence
MOST_PAIRS = 20  # of gold and predicted labels
N_EXAMPLES = 3  # of each pair
MOST_TEXT = 240  # characters of an example


class LabelKind(Kind):
    """A kind whose predictions are labels."""

    has_labels: ClassVar[bool] = True
    least_labels: ClassVar[int]

    def labels(self, training: Sequence[TextExample], scored: Mapping[str, Sequence[TextExample]]) -> tuple[str, ...]:
        """Return the labels of training, sorted; refuse a split with others."""
        known = tuple(sorted({label for each in training for label in labels_of(each)}))
        if len(known) < self.least_labels:
            raise BadSetting(
                f"the training split has {len(known)} label{'s' * (len(known) != 1)}: {', '.join(known) or 'none'}",
                "give a corpus with at least two labels to tell apart",
            )
        for name, rows in scored.items():
            unseen = first_places(candidates_in(rows), known)
            if unseen:
                places = ", ".join(f"{label!r} ({place})" for label, place in list(unseen.items())[:MOST_SHOWN])
                raise BadSetting(
                    f"the {name} split has labels that training does not have: {places}",
                    f"training has {', '.join(known)}; rename or remove the others",
                )
        return known

    def mistake_sections(self, predictions: Sequence[Prediction]) -> Iterator[str]:
        """Yield how many are wrong, and the pairs of gold and predicted labels with examples."""
        mistakes = self.mistakes(predictions)
        n_known = sum(each.gold is not None for each in predictions)
        yield "## Mistakes"
        yield f"{len(mistakes):,} of {n_known:,} {self.unit} are wrong; `mistakes.tsv` has them all."
        yield from _pair_sections(mistakes)

    def page_labels(self, labels: Mapping[str, Any], predictions: Sequence[Prediction]) -> list[str]:
        """Return the labels, then others that occur."""
        found = {label for each in predictions for label in (*texts_of(each.gold), *texts_of(each.predicted))}
        return [*labels, *sorted(found - labels.keys())]

    def page_answer(self, value: Plain, numbers: Numbers) -> Any:
        """Return the numbers of the labels."""
        return [numbers[label] for label in texts_of(value)]


def list_labels(labels: Sequence[str]) -> str:
    """Return the labels for a sentence; of very many the first."""
    from linnet.reports.card_sections import join_labels

    named = join_labels(labels[:MOST_NAMED])
    return named + (f" and {len(labels) - MOST_NAMED} more" if len(labels) > MOST_NAMED else "")


def _pair_sections(mistakes: Sequence[Prediction]) -> Iterator[str]:
    by_pair: dict[tuple[str, str], list[Prediction]] = {}
    for each in mistakes:
        by_pair.setdefault((_name_labels(each.gold), _name_labels(each.predicted)), []).append(each)
    ranked = sorted(by_pair.items(), key=lambda item: (-len(item[1]), item[0]))
    if not ranked:
        return
    rows = [(gold, predicted, f"{len(found):,}") for (gold, predicted), found in ranked[:MOST_PAIRS]]
    yield markdown_table(("gold", "predicted", "examples"), rows)
    if len(ranked) > MOST_PAIRS:
        n_others = sum(len(found) for _, found in ranked[MOST_PAIRS:])
        yield f"{n_others:,} more mistakes are of {len(ranked) - MOST_PAIRS:,} rarer pairs."
    for (gold, predicted), found in ranked[:MOST_PAIRS]:
        yield f"### {gold} → {predicted}"
        yield "\n".join(_example(each) for each in found[:N_EXAMPLES])


def _name_labels(value: Plain | None) -> str:
    return escape(plain_text(value)) or "(none)"


def _example(prediction: Prediction) -> str:
    score = "" if prediction.score is None else f" ({prediction.score:.3f})"
    shortened = escape(first_words(" / ".join(prediction.text.splitlines()), MOST_TEXT))
    return f"- {escape(prediction.id)}: {shortened}{score}"
