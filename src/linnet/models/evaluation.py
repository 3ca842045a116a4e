"""Scores a model on a corpus, by the task of the model."""

from pathlib import Path
from typing import Any

from linnet.contracts import Evaluation, task_of_folder, tasks
from linnet.models.embedded import embedded_folder
from linnet.models.model_folder import TASK_OF_OTHERS, read_facts
from linnet.models.published.opening import is_of_others

__all__ = ["evaluate"]


def evaluate(
    model: str | Path, corpus: str | Path, *, split: str | None = None, repair: bool = False, **options: Any
) -> Evaluation:
    """Return how good a saved model is on a split of a corpus; what `linnet.evaluate` is in Python.

    Args:
        model: folder of the model, name of an embedded one, or hub name of a tagger; also a vocabulary.
        corpus: in one of the formats that the model's task reads.
        split: `test` if not given; a single file is scored whole.
        repair: mend what can be mended by a stated rule, and count it.
        options: what the task knows besides, such as `decoding`, `map` and `resample` for mentions.

    Raises:
        LinnetError: where the corpus does not fit the model, or the task does not know an option.
    """
    place = embedded_folder(model) or Path(model)
    task = task_of_folder(place, options)
    if task is None:
        task = TASK_OF_OTHERS if is_of_others(place) else read_facts(place).task
    return tasks.get(task).evaluate(model, corpus, split=split, repair=repair, **options)
