"""Checks of the settings of every training, and of what the encoder can do, before anything is loaded."""

from collections.abc import Iterator
from importlib.util import find_spec

import torch

from linnet.errors import BadSetting, LinnetError, MissingExtra, problems_of, refuse
from linnet.extras import missing_package
from linnet.models.encoders import Encoder, most_positions
from linnet.settings.training import SelectionSettings, TrainSettings

__all__ = ["check_encoder", "check_tracker", "common_problems", "devel_problem", "unknown_to_task"]

TRACKER_PACKAGES = {"tensorboard": ("tensorboard", "tensorboardX"), "mlflow": ("mlflow",), "wandb": ("wandb",)}


def unknown_to_task(settings: TrainSettings, name: str) -> LinnetError:
    """Return the error for a setting that the task does not have."""
    return BadSetting(f"the task {settings.task!r} does not know the setting {name}", "leave it out")


def common_problems(settings: TrainSettings) -> list[LinnetError]:
    """Return the problems with settings that every training has."""
    problems = problems_of(
        lambda: check_tracker(settings.tracker),
        lambda: _check_adapters(settings),
        lambda: _check_precision(settings),
    )
    return [*problems, *_devel_problems(settings)]


def _devel_problems(settings: TrainSettings) -> Iterator[LinnetError]:
    """Yield the settings about devel where the training learns from devel, so that devel cannot choose the epoch."""
    if settings.train_on == "train":
        return
    selection, default = settings.selection, SelectionSettings()
    is_given = {
        "selection.patience": selection.patience is not None,
        "selection.metric": selection.metric is not None,
        "selection.matching": selection.matching != default.matching,
        "devel_sentences": settings.devel_sentences is not None,
    }
    yield from (devel_problem(name, settings) for name in is_given if is_given[name])


def devel_problem(name: str, settings: TrainSettings) -> LinnetError:
    """Return the error for a setting about devel where the training learns from devel."""
    return BadSetting(
        f"{name} is about choosing an epoch on devel, but with train_on = {settings.train_on!r} devel is learned "
        "from and the last epoch is kept",
        f'leave {name} out, or set train_on = "train"',
    )


def check_tracker(tracker: str | None) -> None:
    """Refuse a tracker whose package is not installed."""
    if tracker and not any(map(find_spec, TRACKER_PACKAGES[tracker])):
        raise MissingExtra(f"the tracker {tracker!r} is not installed", f"pip install {tracker}")


def _check_adapters(settings: TrainSettings) -> None:
    if settings.lora is not None and find_spec("peft") is None:
        raise missing_package("peft", "low-rank adapters need peft")


def _check_precision(settings: TrainSettings) -> None:
    if settings.optimiser.precision == "float16" and not torch.cuda.is_available():
        raise BadSetting("optimiser.precision is float16, but there is no GPU", "use auto, float32 or bfloat16")


def check_encoder(settings: TrainSettings, encoder: Encoder) -> None:
    """Refuse what this encoder cannot do."""
    refuse(problems_of(lambda: _check_length(settings, encoder), lambda: _check_layers(settings, encoder)))


def _check_length(settings: TrainSettings, encoder: Encoder) -> None:
    most = most_positions(encoder.config)
    if most is not None and settings.window.max_length > most:
        raise BadSetting(
            f"window.max_length is {settings.window.max_length}, the encoder {encoder.name!r} reads at most {most}",
            f"set it to {most} or less; longer sentences are read in windows, nothing is lost",
        )


def _check_layers(settings: TrainSettings, encoder: Encoder) -> None:
    number, n_layers = settings.optimiser.freeze_layers, getattr(encoder.config, "num_hidden_layers", 0)
    if number > n_layers:
        raise BadSetting(
            f"optimiser.freeze_layers is {number}, the encoder {encoder.name!r} has {n_layers} layers",
            f"give at most {n_layers}",
        )
