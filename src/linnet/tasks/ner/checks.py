"""Is everything in order that can be known before a network is loaded? All that is not is said together."""

from collections.abc import Iterator
from importlib.util import find_spec

import torch

from linnet.contracts import tasks
from linnet.errors import BadSetting, LinnetError, MissingExtra, problems_of, refuse
from linnet.extras import missing_package
from linnet.labels.label_set import LabelSet
from linnet.losses.class_weights import build_weighted_loss, compute_class_weights
from linnet.losses.weighting import weigh
from linnet.metrics.mentions.matching import matchings
from linnet.models.encoders import Encoder, most_positions
from linnet.settings.training import LossSettings, SelectionSettings, TextSettings, TrainSettings
from linnet.tasks.ner.corpora_checks import corpora_problems

__all__ = [
    "check_encoder",
    "check_settings",
    "common_problems",
    "loss_problems",
    "settings_problems",
    "told_of",
    "unknown_to_task",
]

TRACKER_PACKAGES = {"tensorboard": ("tensorboard", "tensorboardX"), "mlflow": ("mlflow",), "wandb": ("wandb",)}


def check_settings(settings: TrainSettings) -> None:
    """Check what needs neither corpus nor encoder, and report all that is wrong together."""
    refuse(settings_problems(settings))


def settings_problems(settings: TrainSettings) -> list[LinnetError]:
    """Return all that is wrong with the settings, as far as neither corpus nor encoder is needed to see it."""
    problems: list[LinnetError] = [BadSetting(*problem) for problem in corpora_problems(settings)]
    problems += loss_problems(settings.loss, settings)
    for corpus in settings.corpora:
        if corpus.loss is not None:
            problems += [told_of(each, settings, corpus.name) for each in loss_problems(corpus.loss, settings)]
    problems += problems_of(
        lambda: _check_partial_labels(settings),
        lambda: matchings.get(settings.selection.matching),
        lambda: tasks.get(settings.task),
    )
    return [*problems, *_about_texts(settings), *common_problems(settings)]


def _about_texts(settings: TrainSettings) -> Iterator[LinnetError]:
    """Yield what is told, but changes nothing where words are tagged."""
    usual = TextSettings()
    told = [f"text.{name}" for name, value in usual if getattr(settings.text, name) != value]
    told += ["selection.metric"] * (settings.selection.metric is not None)
    yield from (unknown_to_task(settings, name) for name in told)


def unknown_to_task(settings: TrainSettings, name: str) -> LinnetError:
    """Return the error of a setting that means nothing to the task."""
    return BadSetting(f"the task {settings.task!r} does not know the setting {name}", "leave it out")


def loss_problems(loss: LossSettings, settings: TrainSettings) -> list[LinnetError]:
    """Return what is wrong with a loss whatever the corpus: it is tried on tags that any corpus could have."""
    trial = LabelSet.of_tags(["X"], settings.tagging)
    counts = {tag: number for number, tag in enumerate(trial.names, 1)}  # uneven, as in any corpus
    has_scheme = loss.weights is None  # given weights must wait for the corpus's tags
    problems = problems_of(
        lambda: has_scheme and compute_class_weights(loss, counts),
        lambda: build_weighted_loss(settings, trial, weigh(counts, "none"), loss),
    )
    if has_scheme and not problems:
        problems = problems_of(lambda: build_weighted_loss(settings, trial, compute_class_weights(loss, counts), loss))
    return problems


def common_problems(settings: TrainSettings) -> list[LinnetError]:
    """Return what is wrong with settings that every training has."""
    problems = problems_of(
        lambda: _check_tracker(settings),
        lambda: _check_adapters(settings),
        lambda: _check_precision(settings),
    )
    return [*problems, *_about_devel(settings)]


def _about_devel(settings: TrainSettings) -> Iterator[LinnetError]:
    """Yield what is told of the devel split where it is learned from, and so chooses nothing."""
    if settings.train_on == "train":
        return
    selection, usual = settings.selection, SelectionSettings()
    told = {
        "selection.patience": selection.patience is not None,
        "selection.metric": selection.metric is not None,
        "selection.matching": selection.matching != usual.matching,
        "devel_sentences": settings.devel_sentences is not None,
        "text.devel_share": settings.text.devel_share != TextSettings().devel_share,
    }
    for name in (name for name, is_told in told.items() if is_told):
        yield BadSetting(
            f"{name} is about choosing an epoch on devel, but with train_on = {settings.train_on!r} devel is learned "
            "from and the last epoch is kept",
            f'leave {name} out, or set train_on = "train"',
        )


def told_of(error: LinnetError, settings: TrainSettings, *corpora: str) -> LinnetError:
    """Return the problem with the corpora that have it; a training that describes none has only one."""
    where = f"{'corpus' if len(corpora) == 1 else 'corpora'} {', '.join(map(repr, corpora))}"
    if not settings.corpora or error.problem.startswith(where):  # what says it itself need not say it twice
        return error
    return type(error)(f"{where}: {error.problem}", error.remedy)


def _check_partial_labels(settings: TrainSettings) -> None:
    heads = [corpus.head_name for corpus in settings.corpora]
    if settings.partial_labels and len(set(heads)) == len(heads):
        raise BadSetting(
            "partial_labels is true, but no two corpora share a head, so it has no effect",
            "give the corpora of one head the same `head`, or leave partial_labels out",
        )


def _check_tracker(settings: TrainSettings) -> None:
    if settings.tracker and not any(map(find_spec, TRACKER_PACKAGES[settings.tracker])):
        raise MissingExtra(f"the tracker {settings.tracker!r} is not installed", f"pip install {settings.tracker}")


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
