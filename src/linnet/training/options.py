"""Reads the settings of a training from a recipe and options; refuses options without effect."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.contracts import tasks
from linnet.errors import BadSetting, LinnetError
from linnet.models.aliases import ALIASES
from linnet.settings.files import describe_settings, put_settings, with_overrides
from linnet.settings.training import TrainSettings
from linnet.storage.toml import read_toml

__all__ = ["alias_name", "describe_training_settings", "load_training", "read_recipe", "refuse_ineffective_options",
           "training_settings", "with_alias"]  # fmt: skip


def load_training(recipe: Path | None, overrides: Sequence[str] = (), **given: Any) -> TrainSettings:
    """Return the settings of a training, and refuse options that would change nothing.

    Raises:
        BadSetting: with all such options at once.
    """
    settings = with_alias(read_recipe(recipe, overrides, **given))
    options: dict[str, Any] = {}
    put_settings(options, overrides, given)
    refuse_ineffective_options(settings, options, where=str(recipe or "the options"))
    return settings


def read_recipe(recipe: Path | None, overrides: Sequence[str] = (), **given: Any) -> TrainSettings:
    """Return the settings of a recipe, with given values and then `key=value` overrides on top.

    Raises:
        BadSetting: with all problems at once.
    """
    values = read_toml(recipe) if recipe is not None else {}
    put_settings(values, overrides, given)
    return training_settings(values, where=str(recipe or "the options"))


def training_settings(values: Mapping[str, Any], *, where: str) -> TrainSettings:
    """Return checked settings from plain values: those of every training, and those of the task that they name.

    Raises:
        UnknownName: where there is no such task.
        BadSetting: with all problems at once.
    """
    default: str = TrainSettings.model_fields["task"].default
    name = values.get("task", default)
    kind = tasks.get(name).settings if isinstance(name, str) else TrainSettings
    return with_overrides(
        kind, {"task": default, **values}, (), where=where, by_task=_settings_by_task(), further=_problems_of_task
    )


def describe_training_settings() -> dict[str, str]:
    """Return the settings of all tasks by dotted name with their descriptions; those of one task name it."""
    shared = dict(describe_settings(TrainSettings))
    found = dict(shared)
    for task, kind in _settings_by_task().items():
        for name, description in describe_settings(kind):
            if name not in shared:
                known = found.get(name)
                found[name] = f"[{task}] {description}" if known is None else known.replace("]", f", {task}]", 1)
    return found


def _problems_of_task(settings: TrainSettings) -> Sequence[LinnetError]:
    try:
        return tasks.get(settings.task).problems(settings)
    except ImportError:  # the packages that training needs are not here: what is wrong already is told without them
        return ()


def _settings_by_task() -> dict[str, type[TrainSettings]]:
    return {name: tasks.get(name).settings for name in tasks.names()}


def with_alias(settings: TrainSettings) -> TrainSettings:
    """Return the settings with the encoder's alias in its listed spelling."""
    return settings.model_copy(update={"encoder": alias_name(settings.encoder)})


def alias_name(encoder: str) -> str:
    """Return an alias, given in any letter case, in its listed spelling; a folder or hub name is not changed.

    >>> alias_name("BioBERT"), alias_name("allenai/scibert_scivocab_cased")
    ('biobert', 'allenai/scibert_scivocab_cased')
    """
    is_alias = encoder.lower() in ALIASES and not Path(encoder).exists()
    return encoder.lower() if is_alias else encoder


def refuse_ineffective_options(settings: TrainSettings, options: Mapping[str, Any], *, where: str) -> None:
    """Refuse options for the whole training that every stage or corpus overrides.

    Args:
        settings: of the training.
        options: plain values that were put over its recipe.
        where: start of the message.

    Raises:
        BadSetting: with all such options at once.
    """
    ineffective = list(_find_ineffective(settings, options))
    if ineffective:
        raise BadSetting(
            "\n  ".join([f"{where}: what is given would change nothing", *ineffective]),
            "leave the option out, or change what the recipe says there",
        )


def _find_ineffective(settings: TrainSettings, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the options for the whole training that every stage or corpus overrides."""
    for name in ("epochs", "learning_rate"):
        is_own = [getattr(stage, name) is not None for stage in settings.stages]
        if name in options.get("optimiser", {}) and is_own and all(is_own):
            yield f"optimiser.{name}: every stage has its own (`--set stages=[]` trains without stages)"
    if "loss" in options and settings.corpora and all(corpus.loss is not None for corpus in settings.corpora):
        names = ", ".join(f"loss.{name}" for name in options["loss"])
        yield f"{names}: every corpus has a `loss` of its own"
    for name in ("format", "label", "files", "train_sentences"):
        own = [corpus.name for corpus in settings.corpora if corpus.role == "target" and getattr(corpus, name)]
        if name in options and own:
            yield f"{name}: the target {own[0]!r} has its own"
