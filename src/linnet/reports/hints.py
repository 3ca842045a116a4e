"""Hints after a training: what its losses, devel scores and label counts suggest to try next."""

from collections.abc import Iterator, Mapping, Sequence

from linnet.reports.plots import Row, is_epoch

__all__ = ["LAST_IS_BEST", "hint_section", "training_hints"]

LAST_IS_BEST = "best epoch is the last"  # in the hint of a training that may be too short

FAR_BELOW = 3.0  # times: a training loss so much lower than the devel loss is a sign of overfitting
RISING = 3  # epochs: a devel score that rose in the last two steps still rises
RARE = 30  # mentions or examples of a label


def training_hints(history: Sequence[Row], counts: Mapping[str, int], *, unit: str, schemes: str = "isns") -> list[str]:
    """Return what to try, each with its reason; nothing where nothing stands out.

    Args:
        history: as for `plot_training`; of several stages the last one counts.
        counts: how often each label occurs in training.
        unit: what is counted, in the plural.
        schemes: a weighting scheme for rare labels.
    """
    epochs = [row for row in history if is_epoch(row)]
    last_stage = [row for row in epochs if row.get("stage") == epochs[-1].get("stage")]
    return [*_epochs(last_stage), *_rare(counts, unit, schemes)]


def hint_section(hints: Sequence[str]) -> Iterator[str]:
    """Yield the hints as a section of a report; nothing where there are none."""
    if hints:
        yield "## What to try"
        yield "\n".join(f"- {hint}" for hint in hints)


def _epochs(epochs: Sequence[Row]) -> list[str]:
    """Return what to try about the length of the training; one advice where two signs point in opposite directions."""
    longer, overfitting = list(_longer(epochs)), list(_overfitting(epochs))
    if longer and overfitting:
        reason = longer[0].partition(":")[0]
        loss, devel_loss = epochs[-1]["loss"], epochs[-1]["devel_loss"]
        return [
            f"{reason}, but the training loss ({loss:.4f}) is far below the devel loss ({devel_loss:.4f}): more epochs "
            "alone will hardly help. Try more training data, or more dropout (`--set optimiser.dropout=0.2`) together "
            "with more epochs."
        ]
    return [*longer, *overfitting]


def _longer(epochs: Sequence[Row]) -> Iterator[str]:
    scores = [row["score"] for row in epochs if row.get("score") is not None]
    if not scores or not max(scores):  # a training that found nothing has a warning of its own
        return
    longer = f"train longer, e.g. `--epochs {2 * len(scores)}`"
    is_rising = len(scores) >= RISING and all(
        before < after for before, after in zip(scores[-RISING:], scores[1 - RISING :], strict=False)
    )
    rising = f", and the devel score rose in each of the last {RISING - 1} epochs" if is_rising else ""
    if scores.index(max(scores)) == len(scores) - 1:
        yield f"The {LAST_IS_BEST} of {len(scores)}{rising}: {longer}."
    elif is_rising:
        yield (
            f"The devel score rose in each of the last {RISING - 1} epochs, though an earlier epoch is better: "
            f"{longer}, or with a lower learning rate (`linnet find-lr` suggests one)."
        )


def _overfitting(epochs: Sequence[Row]) -> Iterator[str]:
    if not epochs:
        return
    loss, devel_loss = epochs[-1].get("loss"), epochs[-1].get("devel_loss")
    if loss is not None and devel_loss is not None and devel_loss > FAR_BELOW * loss:
        yield (
            f"The training loss ({loss:.4f}) is far below the devel loss ({devel_loss:.4f}), a sign of overfitting: "
            "more epochs alone will hardly help. Try more training data or more dropout "
            "(`--set optimiser.dropout=0.2`). The epoch with the best devel score is kept in any case; early stopping "
            "(`--set selection.patience=2`) only saves time."
        )


def _rare(counts: Mapping[str, int], unit: str, scheme: str) -> Iterator[str]:
    rare = {label: number for label, number in counts.items() if number < RARE}
    if rare and len(counts) > len(rare):  # where all are rare, the corpus is small
        listed = ", ".join(f"{label} ({number:,})" for label, number in rare.items())
        yield (
            f"Few {unit} in train: {listed}. Annotate more of them, add a corpus that has them (`--data A+B`), or try "
            f"class weights (`--scheme {scheme}`)."
        )
    elif rare:
        yield (
            f"No label has {RARE} {unit} in train: annotate more, or add a corpus with the same labels (`--data A+B`)."
        )
