"""Does every option of a training change something? What a recipe says closer to its corpora and stages goes before."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.errors import BadSetting
from linnet.models.aliases import ALIASES
from linnet.settings.files import load_settings, put_settings
from linnet.settings.training import TrainSettings

__all__ = ["alias_name", "check_effect", "load_training", "with_alias"]


def load_training(recipe: Path | None, overrides: Sequence[str] = (), **given: Any) -> TrainSettings:
    """Return the settings of a training as `load_settings` does, and refuse options that would change nothing.

    Raises:
        BadSetting: with all such options at once.
    """
    settings = with_alias(load_settings(TrainSettings, recipe, overrides, **given))
    told: dict[str, Any] = {}
    put_settings(told, overrides, given)
    check_effect(settings, told, where=str(recipe or "the options"))
    return settings


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


def check_effect(settings: TrainSettings, told: Mapping[str, Any], *, where: str) -> None:
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
