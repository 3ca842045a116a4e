"""How do settings become a trained model in its run folder? The composition root, and the only place that seeds."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from linnet.contracts import Loss
from linnet.errors import BadFile, LinnetError
from linnet.files import new_file
from linnet.losses.crf import CrfLoss
from linnet.metrics.scores import score
from linnet.models.encoders import open_token_classifier
from linnet.reports.scoring import units_from_tags
from linnet.settings import StageSettings, TrainSettings
from linnet.settings_files import load_settings, to_toml
from linnet.training.dropout import draw_dropout_from_bits
from linnet.training.heads import build_heads, take_kept_heads
from linnet.training.history import History
from linnet.training.ingredients import Course, Ingredients, prepare
from linnet.training.job import Job, SilentWatcher, Watcher
from linnet.training.mapping import restrict
from linnet.training.network import Priced, PricedNetwork, freeze_lower_layers, with_adapters
from linnet.training.pricing import loss_of
from linnet.training.processes import from_main_process, join_processes
from linnet.training.run import Run, finish_run, open_run, predictor_of
from linnet.training.short_form import spread_corpora
from linnet.training.trainer import fit
from linnet.training.vocabulary import train_only_seen

__all__ = ["build_model", "train", "train_from"]

RECIPE, CHECKPOINTS = "recipe.toml", "checkpoints"
STAGE_STRIDE = 1_000_003  # between the seeds of stages: more than anyone counts seeds


def train(settings: TrainSettings, *, watcher: Watcher, resume: bool = False, overwrite: bool = False) -> Run:
    """Train as the settings say and return the finished run.

    Args:
        settings: what to do.
        watcher: is told how it goes.
        resume: go on where an interrupted run of the same settings stopped.
        overwrite: remove what the output folder holds.
    """
    output = Path(settings.output)
    join_processes()
    if from_main_process(lambda: _is_finished_already(settings, output, resume=resume, overwrite=overwrite)):
        shutil.rmtree(output / CHECKPOINTS, ignore_errors=True)  # left where a run was killed in its last moment
        return open_run(output)
    if settings.threads:
        torch.set_num_threads(settings.threads)
    ingredients = prepare(settings)
    torch.manual_seed(settings.seed)
    model = build_model(ingredients)
    from_main_process(lambda: _claim(output, settings, overwrite=overwrite))
    history = History.joined([fit(job) for job in _jobs(ingredients, model, output / CHECKPOINTS, watcher)])
    from_main_process(lambda: finish_run(output, ingredients, model, history))
    return open_run(output)


def train_from(
    recipe: str | Path | None = None, *, resume: bool = False, overwrite: bool = False, **settings: Any
) -> Run:
    """Train from a recipe, from settings by name, or both; what `linnet.train` is in Python.

    The settings are those of the command line and of recipes: `train_from(data="demo", output="runs/x", scheme="welt",
    epochs=3)`, or `train_from("recipe.toml", seed=2)`; `data="A+B", eval="A"` learns from two corpora.
    """
    path = Path(recipe) if recipe is not None else None
    if "corpora" not in settings:
        settings |= spread_corpora(settings.pop("data", None), settings.pop("eval", None), path)
    loaded = load_settings(TrainSettings, path, **settings)
    return train(loaded, watcher=SilentWatcher(), resume=resume, overwrite=overwrite)


def build_model(ingredients: Ingredients) -> PricedNetwork:
    """Return the network with its loss, as the settings want them; the caller has seeded."""
    settings = ingredients.settings
    network: Any = open_token_classifier(
        ingredients.encoder,
        ingredients.label_set,
        dropout=settings.optimiser.dropout,
        attention_dropout=settings.optimiser.attention_dropout,
    )
    tags = {course.head: course.label_set.names for course in ingredients.courses}
    build_heads(
        network,
        {head: len(names) for head, names in tags.items()},
        target=ingredients.target.head,
        kind=settings.head,
        is_learned=_is_of_these_tags(ingredients),
    )
    take_kept_heads(network, ingredients.encoder.source, tags)
    if settings.lora is not None:
        network = with_adapters(network, settings.lora)
    freeze_lower_layers(network, settings.optimiser.freeze_layers)
    seen = {number for example in ingredients.examples for number in example.window.ids}
    train_only_seen(network, {*seen, ingredients.word_encoder.pad_id})
    draw_dropout_from_bits(network)
    return PricedNetwork(network, dict(_priced(ingredients.courses, settings)))


def _is_of_these_tags(ingredients: Ingredients) -> bool:
    """Is the network's classifier worth beginning with? A fresh one is, and one that learned the target's tags."""
    config = ingredients.encoder.config
    is_tagger = any(str(name).endswith("ForTokenClassification") for name in config.architectures or ())
    return not is_tagger or tuple((config.id2label or {}).values()) == ingredients.label_set.names


def _priced(courses: Sequence[Course], settings: TrainSettings) -> Iterator[tuple[str, Priced]]:
    fields: dict[str, Loss] = {}  # what a CRF learns about neighbouring tags belongs to the head
    for course in courses:
        loss = loss_of(settings, course.label_set, course.weighting, course.loss, course.unannotated)
        if isinstance(loss, CrfLoss):
            loss = fields.setdefault(course.head, loss)
        yield course.name, Priced(course.head, loss, course.weight)


def _jobs(ingredients: Ingredients, model: PricedNetwork, folder: Path, watcher: Watcher) -> Iterator[Job]:
    """Yield the stages of the training, one after the other: each begins with the best weights of the one before."""
    settings = ingredients.settings
    stages = settings.stages or (None,)
    for number, stage in enumerate(stages):
        chosen = [course for course in ingredients.courses if stage is None or course.name in stage.corpora]
        yield Job(
            model,
            [course.examples for course in chosen],
            ingredients.word_encoder.pad_id,
            settings if stage is None else _stage_settings(settings, stage, number),
            folder / f"stage-{number + 1}" if settings.stages else folder,
            lambda: _devel_f1(ingredients, model),
            watcher,
        )


def _stage_settings(settings: TrainSettings, stage: StageSettings, number: int) -> TrainSettings:
    told = stage.model_dump(include={"epochs", "learning_rate"}, exclude_none=True)
    # another order and other dropout than in the stage before; the first stage is that of a training without stages
    seed = settings.seed + STAGE_STRIDE * number
    return settings.model_copy(update={"optimiser": settings.optimiser.model_copy(update=told), "seed": seed})


def _is_finished_already(settings: TrainSettings, output: Path, *, resume: bool, overwrite: bool) -> bool:
    """Look at the output folder; refuse what would mix two runs."""
    if output.is_file():
        raise BadFile(f"{output}: is a file", "name a folder for the run")
    if not output.is_dir() or all(entry.suffix == ".part" for entry in output.iterdir()):
        return False
    recipe = output / RECIPE
    if overwrite and recipe.is_file():
        return False  # what is there goes when all else is in order
    if overwrite:
        raise BadFile(f"{output}: holds files, but no run that could be replaced", "name another folder (`--output`)")
    if not resume:
        raise BadFile(
            f"{output}: holds a run already",
            "go on with it (`--resume`), replace it (`--overwrite`), or name another folder (`--output`)",
        )
    if not _is_recipe_of(settings, recipe):
        raise BadFile(
            f"{output}: holds a run with other settings, see {recipe}",
            "resume with the settings it was started with, or name another folder (`--output`)",
        )
    return (output / "linnet.json").is_file()


def _is_recipe_of(settings: TrainSettings, recipe: Path) -> bool:
    """Does the recipe ask for the same? Threads do not matter, nor defaults that were added since."""
    try:
        before = load_settings(TrainSettings, recipe)
    except LinnetError:
        return False
    return before.model_copy(update={"threads": None}) == settings.model_copy(update={"threads": None})


def _claim(output: Path, settings: TrainSettings, *, overwrite: bool) -> None:
    if overwrite and output.is_dir():
        try:
            shutil.rmtree(output)
        except OSError as error:
            raise BadFile(f"{output}: cannot be removed ({error})", "check the folder's permissions") from None
    with new_file(output / RECIPE) as file:
        file.write(to_toml(settings))


def _devel_f1(ingredients: Ingredients, model: PricedNetwork) -> float | None:
    """Return the F1 by which the epoch is chosen, or None where nothing is chosen."""
    if ingredients.settings.train_on != "train":
        return None
    devel, shared = ingredients.scored["devel"], ingredients.shared_labels
    predicted = list(predictor_of(ingredients, model).predict(devel.words))
    if shared is not None:
        _, devel, predicted = restrict(shared, devel, predicted)
    tags = [each.tags for each in predicted]
    units = list(units_from_tags(devel.tags, tags, tagging=ingredients.settings.tagging))
    matching = ingredients.settings.selection.matching
    return score(units, names=[matching], n_resamples=0).matching(matching).micro.f1
