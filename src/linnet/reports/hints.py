"""Hints after a training: what its losses, devel scores and label counts suggest to try next."""

import math
from collections.abc import Iterator, Mapping, Sequence

from linnet.reports.plots import Row, is_epoch
from linnet.settings.training import TrainSettings

__all__ = ["LAST_IS_BEST", "NOTHING_RIGHT", "hint_section", "nothing_right_hint", "training_hints"]

LAST_IS_BEST = "best epoch is the last"  # in the hint of a training that may be too short
NOTHING_RIGHT = "no mention of devel was right in any epoch"  # the warning; a hint says what leads out of it

FAR_BELOW = 3.0  # times: a training loss so much lower than the devel loss is a sign of overfitting
RISING = 3  # epochs: a devel score that rose in the last two steps still rises
RARE = 30  # mentions or examples of a label
FIRST_DROPOUT = 0.2  # where the run has the encoder's own, which is mostly 0.1
MOST_DROPOUT = 0.3  # more is not advised


def training_hints(
    history: Sequence[Row], counts: Mapping[str, int], settings: TrainSettings, *, unit: str
) -> list[str]:
    """Return what to try, each with its reason; nothing where nothing stands out, and nothing that the run has already.

    Args:
        history: as for `plot_training`; of several stages the last one counts.
        counts: how often each label occurs in training.
        settings: of the run.
        unit: what is counted, in the plural.
    """
    epochs = [row for row in history if is_epoch(row)]
    last_stage = [row for row in epochs if row.get("stage") == epochs[-1].get("stage")]
    return [*_epochs(last_stage, settings), *_rare(counts, unit, settings)]


def nothing_right_hint(settings: TrainSettings) -> str:
    """Return what to try where a training got no mention right, by its learning rate."""
    given, default = settings.optimiser.learning_rate, type(settings.optimiser).model_fields["learning_rate"].default
    rate = max([stage.learning_rate or given for stage in settings.stages], default=given)
    remedies = ["more epochs"] if rate > default else ["more epochs", "a higher learning rate"]
    if not _is_weighted(settings):
        remedies.append("weights for rare tags (`--scheme isns`)")
    lower = f" At {rate:g}, above the default of {default:g}, try a lower learning rate; see `linnet find-lr`."
    return (
        f"N{NOTHING_RIGHT[1:]}.{lower if rate > default else ''} Where mentions are rare, trainings begin like that: "
        f"{' or '.join(filter(None, (', '.join(remedies[:-1]), remedies[-1])))} can help."
    )


def hint_section(hints: Sequence[str]) -> Iterator[str]:
    """Yield the hints as a section of a report; nothing where there are none."""
    if hints:
        yield "## What to try"
        yield "\n".join(f"- {hint}" for hint in hints)


def _epochs(epochs: Sequence[Row], settings: TrainSettings) -> list[str]:
    """Return what to try about the length of the training; one advice where two signs point in opposite directions."""
    longer, overfitting = list(_longer(epochs)), list(_overfitting(epochs, settings))
    if longer and overfitting:
        reason = longer[0].partition(":")[0]
        more_data = "more training data" + ("," if _more_dropout(settings) else "")
        loss, devel_loss = epochs[-1]["loss"], epochs[-1]["devel_loss"]
        return [
            f"{reason}, but the training loss ({loss:.4f}) is far below the devel loss ({devel_loss:.4f}): more epochs "
            f"alone will hardly help. Try {more_data}{_more_dropout(settings)} together with more epochs."
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


def _overfitting(epochs: Sequence[Row], settings: TrainSettings) -> Iterator[str]:
    if not epochs:
        return
    loss, devel_loss = epochs[-1].get("loss"), epochs[-1].get("devel_loss")
    if loss is not None and devel_loss is not None and devel_loss > FAR_BELOW * loss:
        yield (
            f"The training loss ({loss:.4f}) is far below the devel loss ({devel_loss:.4f}), a sign of overfitting: "
            f"more epochs alone will hardly help. Try more training data{_more_dropout(settings)}. The epoch with the "
            f"best devel score is kept in any case{_early_stopping(settings)}."
        )


def _more_dropout(settings: TrainSettings) -> str:
    """Return the advice to raise dropout to the next tenth; nothing where it is high already."""
    dropout = settings.optimiser.dropout
    if dropout is not None and dropout >= MOST_DROPOUT:
        return ""
    more = FIRST_DROPOUT if dropout is None else (math.floor(10 * dropout) + 1) / 10
    return f" or more dropout (`--set optimiser.dropout={more:g}`)"


def _early_stopping(settings: TrainSettings) -> str:
    if settings.selection.patience is not None:
        return ""
    return "; early stopping (`--set selection.patience=2`) only saves time"


def _rare(counts: Mapping[str, int], unit: str, settings: TrainSettings) -> Iterator[str]:
    rare = {label: number for label, number in counts.items() if number < RARE}
    if rare and len(counts) > len(rare):  # where all are rare, the corpus is small
        listed = ", ".join(f"{label} ({number:,})" for label, number in rare.items())
        remedy = (
            "Annotate more of them, add a corpus that has them (`--data A+B`), or try class weights (`--scheme isns`)"
        )
        if _is_weighted(settings):
            remedy = "Annotate more of them, or add a corpus that has them (`--data A+B`)"
        yield f"Few {unit} in train: {listed}. {remedy}."
    elif rare:
        yield (
            f"No label has {RARE} {unit} in train: annotate more, or add a corpus with the same labels (`--data A+B`)."
        )


def _is_weighted(settings: TrainSettings) -> bool:
    return settings.loss.scheme != "none" or settings.loss.weights is not None
