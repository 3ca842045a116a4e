"""Settings of a training: read from a recipe and options, by the class of their task; options must change something."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.contracts import tasks
from linnet.errors import BadSetting
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
    told: dict[str, Any] = {}
    put_settings(told, overrides, given)
    refuse_ineffective_options(settings, told, where=str(recipe or "the options"))
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
    return with_overrides(kind, {"task": default, **values}, (), where=where, by_task=_settings_by_task())


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


def _settings_by_task() -> dict[str, type[TrainSettings]]:
    return {name: tasks.get(name).settings for name in tasks.names()}


def with_alias(settings: TrainSettings) -> TrainSettings:
    """Return the settings with the encoder's alias as it is listed."""
    return settings.model_copy(update={"encoder": alias_name(settings.encoder)})


def alias_name(encoder: str) -> str:
    """Return an alias, given in any letter case, as it is listed; a folder or a hub name stays as it is.

    >>> alias_name("BioBERT"), alias_name("allenai/scibert_scivocab_cased")
    ('biobert', 'allenai/scibert_scivocab_cased')
    """
    is_alias = encoder.lower() in ALIASES and not Path(encoder).exists()
    return encoder.lower() if is_alias else encoder


def refuse_ineffective_options(settings: TrainSettings, told: Mapping[str, Any], *, where: str) -> None:
    """Refuse what was told of a whole training where the settings say it anew for each of its parts.

    Args:
        settings: of the training.
        told: plain values that were laid over its recipe.
        where: what to begin the message with.

    Raises:
        BadSetting: with all of it at once.
    """
    overruled = list(_overruled(settings, told))
    if overruled:
        raise BadSetting(
            "\n  ".join([f"{where}: what is given would change nothing", *overruled]),
            "leave the option out, or change what the recipe says there",
        )


def _overruled(settings: TrainSettings, told: Mapping[str, Any]) -> Iterator[str]:
    """Yield what was told of the whole training, but is said anew for each part that it could concern."""
    for name in ("epochs", "learning_rate"):
        is_own = [getattr(stage, name) is not None for stage in settings.stages]
        if name in told.get("optimiser", {}) and is_own and all(is_own):
            yield f"optimiser.{name}: every stage has its own (`--set stages=[]` trains without stages)"
    if "loss" in told and settings.corpora and all(corpus.loss is not None for corpus in settings.corpora):
        names = ", ".join(f"loss.{name}" for name in told["loss"])
        yield f"{names}: every corpus has a `loss` of its own"
    for name in ("format", "label", "files", "train_sentences"):
        own = [corpus.name for corpus in settings.corpora if corpus.role == "target" and getattr(corpus, name)]
        if name in told and own:
            yield f"{name}: the target {own[0]!r} has its own"
