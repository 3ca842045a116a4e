"""Checks of the settings of a training about texts that need no texts."""

from collections.abc import Iterator

from linnet.documents.texts import TextExample
from linnet.errors import BadSetting, LinnetError, problems_of
from linnet.settings.training import SelectionSettings
from linnet.tasks.texts.kinds import CLASSIFICATION
from linnet.tasks.texts.settings import TextSettings, TextTrainSettings
from linnet.training.checks import common_problems, devel_problem, unknown_to_task

__all__ = ["refused_settings", "text_problems"]

TRIAL = [TextExample(label, "", gold=label) for label in ("rare", "frequent", "frequent")]  # uneven, as in any corpus


def text_problems(settings: TextTrainSettings) -> list[LinnetError]:
    """Return the problems of the settings: those that only ner knows, and a loss or scheme that cannot work."""
    problems = [*common_problems(settings), *refused_settings(settings)]
    if settings.loss.weights is None:  # given weights must wait for the corpus's labels
        problems += problems_of(lambda: CLASSIFICATION.loss(settings.loss, ("frequent", "rare"), TRIAL))
    return problems


def refused_settings(settings: TextTrainSettings) -> Iterator[LinnetError]:
    """Yield the settings that only named-entity recognition has."""
    given = {
        "format": settings.format is not None,
        "label": settings.label is not None,
        "corpora": bool(settings.corpora),
        "stages": bool(settings.stages),
        "window.all_subwords": settings.window.all_subwords,
        "selection.matching": settings.selection.matching != SelectionSettings().matching,
    }
    yield from (unknown_to_task(settings, name) for name, is_given in given.items() if is_given)
    if settings.files is not None:
        yield BadSetting(f"the task {settings.task!r} does not know the setting files", "name them in `text.files`")
    if settings.text.folds:
        yield BadSetting(
            "`text.folds` makes several runs of one recipe, which only `linnet train` does",
            "give the folder of one fold, and leave `text.folds` out",
        )
    if settings.train_on != "train" and settings.text.devel_share != TextSettings().devel_share:
        yield devel_problem("text.devel_share", settings)
