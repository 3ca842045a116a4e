"""Models of annotation jobs: where they are, what describes them, and how they are opened.

In place of a model a job may have the mentions of the input, which then only get links, or the names of a vocabulary.
"""

from pathlib import Path
from typing import Any

from linnet.annotation.steps import GIVEN, NAMES, GivenMentions, NamesOnly
from linnet.contracts.linking import LINKING, DocumentNames, NamedVocabulary, linkings
from linnet.errors import BadSetting
from linnet.models.loading import load
from linnet.models.model_folder import file_fingerprint, model_fingerprint
from linnet.models.published.opening import model_folder
from linnet.settings.annotation import AnnotateSettings

__all__ = ["describe_model", "load_annotator", "locate_model", "with_absolute_paths", "with_precision_of"]

BESIDE_WEIGHTS = ("config.json", "linnet.json", "tokenizer.json")  # files that mentions depend on besides the weights


def locate_model(settings: AnnotateSettings) -> AnnotateSettings:
    """Return the settings with the folder of the model, which may be named by its hub name."""
    if settings.model == GIVEN or settings.model.startswith(NAMES):
        return settings
    folder = model_folder(settings.model, labels=settings.labels, label=settings.label)
    return settings.model_copy(update={"model": str(folder)})


def with_absolute_paths(settings: AnnotateSettings) -> AnnotateSettings:
    """Return the settings as a process with another working directory needs them; the model was located."""
    link, names = (
        tuple(NamedVocabulary.parse(each).with_absolute_path() for each in given)
        for given in (settings.link, settings.also_names)
    )
    model = settings.model if settings.model == GIVEN else str(Path(settings.model).absolute())
    if settings.model.startswith(NAMES):
        model = NAMES + NamedVocabulary.parse(settings.model.removeprefix(NAMES)).with_absolute_path()
    return settings.model_copy(update={"model": model, "link": link, "also_names": names})


def describe_model(settings: AnnotateSettings) -> dict[str, str]:
    """Return the fingerprints of the model's files; `model` is that of its weights."""
    if settings.model == GIVEN:
        return {"model": ""}
    if settings.model.startswith(NAMES):
        return {"model": _open_names(settings.model).hash}
    model = Path(settings.model)
    beside = {
        f"{name} of the model": file_fingerprint(model / name) if (model / name).is_file() else ""
        for name in BESIDE_WEIGHTS
    }
    return {"model": model_fingerprint(model), **beside}


def with_precision_of(model: Any, settings: AnnotateSettings) -> AnnotateSettings:
    """Return the settings with the number format that the model chose, so that all workers compute in the same."""
    chosen = getattr(model, "precision", None)  # only networks of PyTorch have a choice
    return settings if chosen is None else settings.model_copy(update={"precision": chosen})


def load_annotator(settings: AnnotateSettings) -> Any:
    """Load the model of a job.

    Raises:
        BadSetting: if it does not annotate documents.
    """
    if settings.model == GIVEN:
        return GivenMentions()
    if settings.model.startswith(NAMES):
        _refuse_options_of_networks(settings)
        return NamesOnly(_open_names(settings.model))
    found: Any = load(
        settings.model,
        engine=settings.engine,
        threads=settings.threads,
        min_score=settings.min_score or None,
        same_abbreviations=settings.same_abbreviations,
        precision=settings.precision,
    )
    if not found.annotates:
        raise BadSetting(
            f"{settings.model}: this model predicts values for whole texts, it does not annotate documents",
            f"use `linnet predict INPUT --model {settings.model} --output OUT`",
        )
    return found


def _refuse_options_of_networks(settings: AnnotateSettings) -> None:
    """Refuse options that would have no effect on names."""
    given = {
        "--engine": settings.engine,
        "--precision": settings.precision,
        "--min-score": settings.min_score,
        "--labels": settings.labels,
        "--label": settings.label,
    }
    used = [name for name, value in given.items() if value]
    if used:
        raise BadSetting(f"{settings.model}: names have no scores and no network", f"leave out {', '.join(used)}")


def _open_names(model: str) -> DocumentNames:
    """Return the names of the vocabulary that stands in place of a model."""
    return linkings.get(LINKING).open_names([model.removeprefix(NAMES)])
